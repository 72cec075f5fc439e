/** Where an API route with an upstream leads, as in the route's document. */
import * as v from 'valibot'
import { listOf, refuse, strictObject } from '../../documents/document-schema.ts'
import { readRequestTarget } from '../../http/request-target.ts'
import { parseTarget } from '../../proxy/target.ts'
import { type RouteHeaders, routeHeadersSchema } from './route-headers.ts'

/** Durations are seconds, with fractions. */
const seconds = (longest: number) => v.pipe(v.number(), v.minValue(0.05), v.maxValue(longest))

const targetSchema = v.pipe(
  v.string(),
  v.maxLength(1000),
  refuse((text) => {
    const target = parseTarget(text)
    return 'mistake' in target ? target.mistake : undefined
  }),
)

const timeoutSchema = strictObject({
  connect: v.optional(seconds(300), 5),
  response: v.optional(seconds(86_400), 30),
  idle: v.optional(seconds(86_400), 300),
})

const healthSchema = strictObject({
  path: v.pipe(v.string(), v.maxLength(1000), refuse(mistakeInHealthPath)),
  interval: v.optional(seconds(86_400), 10),
  timeout: v.optional(seconds(300), 5),
  threshold: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 2),
})

/** The keys of a route's document that say where it leads. */
export const upstreamEntries = {
  /** One address or several. */
  target: v.pipe(
    v.optional(
      v.union([targetSchema, v.pipe(listOf(targetSchema, 100), v.minLength(1), refuse(mistakeInList))]),
    ),
    v.description('The address of the upstream API, or several; left out for an API of the gateway itself.'),
  ),
  prefix: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1000),
      v.description('The front of the path that the upstream does not get.'),
    ),
  ),
  timeout: v.optional(timeoutSchema),
  health: v.optional(healthSchema),
  headers: v.optional(routeHeadersSchema),
  /** Whether cookies and links of the upstream are translated, like `Location`. */
  rewrite: v.pipe(
    v.optional(v.boolean()),
    v.description('Whether cookies and links of the upstream are translated.'),
  ),
}

/** Where a route leads, with defaults for every value that was left out. */
export interface UpstreamSettingsDocument {
  readonly target?: string | readonly string[] | undefined
  readonly prefix?: string | undefined
  readonly timeout?: v.InferOutput<typeof timeoutSchema> | undefined
  readonly health?: v.InferOutput<typeof healthSchema> | undefined
  readonly headers?: RouteHeaders | undefined
  readonly rewrite?: boolean | undefined
}

/** The defaults of every time-out, for a route with a target and without `timeout`. */
export const defaultTimeout = v.parse(timeoutSchema, {})

/** Why a prefix does not fit the path of its route; undefined if it does. */
export function mistakeInPrefix(prefix: string, path: string): string | undefined {
  const segments = prefix.split('/')
  const isLiteral = segments.every((segment) => !/^[:*]/.test(segment))
  const isFront = segments.every((segment, index) => path.split('/')[index] === segment)
  return prefix.startsWith('/') && prefix !== '/' && isLiteral && isFront
    ? undefined
    : 'A prefix is the front of the path, in whole segments without ":" and "*": /shop for /shop/*.'
}

function mistakeInHealthPath(path: string): string | undefined {
  const reading = readRequestTarget(path)
  if ('refused' in reading) return reading.refused
  return path.startsWith('/') ? undefined : 'A path starts with a slash.'
}

function mistakeInList(targets: readonly string[]): string | undefined {
  return new Set(targets).size === targets.length ? undefined : 'A target may be in the list only once.'
}
