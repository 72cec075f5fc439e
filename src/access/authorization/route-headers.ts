/** The headers that a route adds to the requests of its upstream, as in the route's document: `headers.set`. */
import * as v from 'valibot'
import { jsonObject, refuse, strictObject } from '../../documents/document-schema.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import { type HeaderList, headerNamed, spellingOf } from '../../proxy/header-list.ts'
import { isHopByHop } from '../../proxy/hop-by-hop.ts'
import { isForProxies } from '../../proxy/request-headers.ts'
import { parseTarget } from '../../proxy/target.ts'
import { coversTarget } from './target-pattern.ts'

/** A secret of the configuration that routes may send to some targets. No response, list or log shows its value. */
interface UpstreamSecret {
  readonly value: string
  /** The servers that may get it: patterns as in `targets` of a role. */
  readonly targets: readonly string[]
}

/** The configured secrets, by name. */
export type UpstreamSecrets = Readonly<Record<string, UpstreamSecret>>

/** A value: text, or a secret of the configuration with what precedes it. */
type HeaderValue = string | { readonly secret: string; readonly prefix?: string | undefined }

/** The headers of a route's document. */
export interface RouteHeaders {
  readonly set: Readonly<Record<string, HeaderValue>>
}

const mostHeaders = 30

const text = (most: number) => v.pipe(v.string(), v.maxLength(most))

const headerSchema = v.pipe(text(100), refuse(mistakeInName))
const valueSchema = v.union([
  v.pipe(
    text(4000),
    refuse((value) =>
      isHeaderValue(value) ? undefined : 'A value is visible ASCII, without blanks around it.',
    ),
  ),
  strictObject({
    secret: text(100),
    prefix: v.optional(
      v.pipe(
        text(100),
        refuse((prefix) =>
          /^[\x20-\x7e]*$/.test(prefix) ? undefined : 'A prefix is visible ASCII: "Bearer ".',
        ),
      ),
    ),
  }),
])

/** Reads `headers` of a route. */
export const routeHeadersSchema = strictObject({
  set: v.pipe(jsonObject, v.record(headerSchema, valueSchema), refuse(mistakeInNames)),
})

/** Whether a text can be the value of a header: https://www.rfc-editor.org/rfc/rfc9110#section-5.5 */
function isHeaderValue(value: string): boolean {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)
}

function mistakeInName(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z\d-]*$/.test(name)) return 'The name of a header has letters, digits and "-".'
  const spelling = spellingOf(name)
  if (isHopByHop(spelling) || isForProxies(spelling) || /^sec-websocket-/.test(spelling)) {
    return `The gateway itself writes the header ${name}, or it is for one connection only.`
  }
  return /^(x-gatehouse|x-xaas)(-|$)/.test(spelling) || spelling === 'x-request-id'
    ? `Only the gateway sets the header ${name}.`
    : undefined
}

function mistakeInNames(set: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(set)
  if (names.length > mostHeaders) return `A route sets at most ${mostHeaders} headers.`
  const repeated = names.find((name, index) => names.findIndex((other) => isSame(name, other)) !== index)
  return repeated === undefined ? undefined : `The header ${repeated} is set twice.`
}

const isSame = (name: string, other: string) => spellingOf(name) === spellingOf(other)

interface RouteWithHeaders {
  readonly target?: string | readonly string[] | undefined
  readonly headers?: RouteHeaders | undefined
}

/** Which secrets of a route do not exist, or must not be sent to all of its targets. */
export function mistakesInSecrets(route: RouteWithHeaders, secrets: UpstreamSecrets): readonly Mistake[] {
  const targets = [route.target ?? []].flat()
  return Object.entries(route.headers?.set ?? {}).flatMap(([name, value]) => {
    if (typeof value === 'string') return []
    const pointer = `/headers/set/${name}/secret`
    const secret = secretNamed(value.secret, secrets)
    if (secret === undefined) {
      const detail = `The gateway has no secret "${value.secret}". Its operator can add it to upstream_secrets.`
      return [{ pointer, detail }]
    }
    const other = targets.find((target) => !maySend(secret, target))
    if (other === undefined) return []
    return [{ pointer, detail: `The secret "${value.secret}" must not be sent to ${other}.` }]
  })
}

/**
 * The headers that a route sets. Throws ROUTE_SECRET_MISSING if a secret no longer exists, or must no longer be sent to
 * the targets: without it, the request would be another one.
 */
export function headersToSet(route: RouteWithHeaders, secrets: UpstreamSecrets): HeaderList {
  const { headers } = route
  if (headers === undefined) return []
  const [mistake] = mistakesInSecrets(route, secrets)
  if (mistake !== undefined) {
    throw new AppError('ROUTE_SECRET_MISSING', { cause: new Error(mistake.detail) })
  }
  return Object.entries(headers.set).map(([name, value]) =>
    headerNamed(name)(
      typeof value === 'string'
        ? value
        : `${value.prefix ?? ''}${secretNamed(value.secret, secrets)?.value ?? ''}`,
    ),
  )
}

function secretNamed(name: string, secrets: UpstreamSecrets): UpstreamSecret | undefined {
  return Object.hasOwn(secrets, name) ? secrets[name] : undefined
}

function maySend({ targets }: UpstreamSecret, address: string): boolean {
  const target = parseTarget(address)
  return !('mistake' in target) && coversTarget(targets, target)
}
