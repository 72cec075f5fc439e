import type { IncomingMessage } from 'node:http'
import { type HeaderList, headerListOf, withoutHeaders } from './header-list.ts'
import { endToEndHeaders } from './hop-by-hop.ts'
import type { Target } from './target.ts'

/** What a target is told about the client. */
export interface ForwardedFor {
  /** The network address that the client's connection comes from. */
  readonly address: string
  readonly protocol: 'http' | 'https'
  /** The host that clients use; undefined where nothing trustworthy is known. */
  readonly host: string | undefined
  /** What was removed from the front of the path; '' for nothing. */
  readonly prefix: string
}

/**
 * Names of one meaning that only a proxy may give: where a request comes from, which path, host or method
 * it had. `proxy` would become the variable HTTP_PROXY of a CGI program.
 */
const proxiesOnly: ReadonlySet<string> = new Set([
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-host',
  'x-original-host',
  'x-original-method',
  'x-original-uri',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'proxy',
])

/** What this side of the connection writes itself. */
const written: ReadonlySet<string> = new Set(['host', 'content-length', 'expect', 'via'])

/** The headers of a client's request that may go further: its own, without what only a proxy may say. */
export function clientHeaders(request: IncomingMessage): HeaderList {
  return withoutHeaders(
    endToEndHeaders(headerListOf(request.rawHeaders)),
    (spelling) => written.has(spelling) || proxiesOnly.has(spelling) || /^x-forwarded(-|$)/.test(spelling),
  )
}

/** The headers that a proxy adds for one target. */
export function proxyHeaders(
  { host: targetHost }: Target,
  { address, protocol, host, prefix }: ForwardedFor,
): HeaderList {
  return [
    ['Host', targetHost],
    ['X-Forwarded-For', address.replace(/^::ffff:(?=\d+\.)/, '')],
    ['X-Forwarded-Proto', protocol],
    ...(host === undefined ? [] : [['X-Forwarded-Host', host] as const]),
    ...(prefix === '' ? [] : [['X-Forwarded-Prefix', prefix] as const]),
  ]
}

/** What a request carries after its headers. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: string }
  | { readonly kind: 'chunks' }

/** How the body of a request is delimited; undefined for a transfer coding that is not known. */
export function framingOf({ headers }: IncomingMessage): Framing | undefined {
  const { 'transfer-encoding': coding, 'content-length': length } = headers
  if (coding !== undefined) return coding.trim().toLowerCase() === 'chunked' ? { kind: 'chunks' } : undefined
  return length === undefined || Number(length) === 0 ? { kind: 'none' } : { kind: 'length', length }
}

/** The headers that delimit the body towards a target. */
export function framingHeaders(framing: Framing, method: string): HeaderList {
  switch (framing.kind) {
    case 'chunks':
      return [['Transfer-Encoding', 'chunked']]
    case 'length':
      return [['Content-Length', framing.length]]
    case 'none':
      return ['POST', 'PUT', 'PATCH'].includes(method) ? [['Content-Length', '0']] : []
  }
}
