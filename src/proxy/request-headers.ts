import type { IncomingMessage } from 'node:http'
import { awaitsContinue } from '../http/continue.ts'
import { upgradeOf } from '../http/upgrade.ts'
import { type Header, type HeaderList, headerListOf, headerNamed } from './header-list.ts'
import { endToEndHeaders } from './hop-by-hop.ts'
import type { Target } from './target.ts'

/** What a target learns about the client. */
export interface ForwardedFor {
  /** The network address that the client's connection comes from. */
  readonly address: string
  readonly protocol: 'http' | 'https'
  /** The host that clients use; undefined if nothing trustworthy is known. */
  readonly host: string | undefined
  /** What was removed from the front of the path; '' for nothing. */
  readonly prefix: string
}

/**
 * Headers that only a proxy may set: where a request comes from, which path, host or method it had. `proxy` would become
 * the variable HTTP_PROXY of a CGI program.
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

/** Headers that this side of the connection writes itself. */
const written: ReadonlySet<string> = new Set(['host', 'content-length', 'expect', 'via'])

/** The headers of a client's request that may be forwarded, without those that only a proxy may set. */
export function clientHeaders(request: IncomingMessage): HeaderList {
  return endToEndHeaders(headerListOf(request.rawHeaders)).filter(({ spelling }) => !isForProxies(spelling))
}

/** Whether only a proxy may set a header, by its spelling. */
export function isForProxies(spelling: string): boolean {
  if (written.has(spelling) || proxiesOnly.has(spelling)) return true
  return spelling.startsWith('x-forwarded') && /^x-forwarded(-|$)/.test(spelling)
}

const hostHeader = headerNamed('Host')
const forwardedForHeader = headerNamed('X-Forwarded-For')
const forwardedProtoHeader = headerNamed('X-Forwarded-Proto')
const forwardedHostHeader = headerNamed('X-Forwarded-Host')
const forwardedPrefixHeader = headerNamed('X-Forwarded-Prefix')

/** The headers that a proxy adds for one target. */
function proxyHeaders(
  { host: targetHost }: Target,
  { address, protocol, host, prefix }: ForwardedFor,
): HeaderList {
  const headers: Header[] = [
    hostHeader(targetHost),
    forwardedForHeader(address.replace(/^::ffff:(?=\d+\.)/, '')),
    forwardedProtoHeader(protocol),
  ]
  if (host !== undefined) headers.push(forwardedHostHeader(host))
  if (prefix !== '') headers.push(forwardedPrefixHeader(prefix))
  return headers
}

/** The body of a request. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: string }
  | { readonly kind: 'chunks' }

/** How the body of a request is delimited; undefined for an unknown transfer coding. */
export function framingOf({ headers }: IncomingMessage): Framing | undefined {
  const { 'transfer-encoding': coding, 'content-length': length } = headers
  if (coding !== undefined) return coding.trim().toLowerCase() === 'chunked' ? { kind: 'chunks' } : undefined
  return length === undefined || Number(length) === 0 ? { kind: 'none' } : { kind: 'length', length }
}

const codingHeader = headerNamed('Transfer-Encoding')
const lengthHeader = headerNamed('Content-Length')

/** The headers that delimit the body towards a target. */
function framingHeaders(framing: Framing, method: string): HeaderList {
  switch (framing.kind) {
    case 'chunks':
      return [codingHeader('chunked')]
    case 'length':
      return [lengthHeader(framing.length)]
    case 'none':
      return ['POST', 'PUT', 'PATCH'].includes(method) ? [lengthHeader('0')] : []
  }
}

const viaHeader = headerNamed('Via')
const expectHeader = headerNamed('Expect')

/** The headers that request and accept a WebSocket. */
export const upgradeHeaders: HeaderList = [
  headerNamed('Connection')('Upgrade'),
  headerNamed('Upgrade')('websocket'),
]

/** All headers of a request to a target; `ownHeaders` are those of the client that may be forwarded. */
export function targetHeaders(
  request: IncomingMessage,
  ownHeaders: HeaderList,
  target: Target,
  forwardedFor: ForwardedFor,
  framing: Framing,
  via: string,
): HeaderList {
  const passed = request.headers.via === undefined ? '' : `${request.headers.via}, `
  return [
    ...proxyHeaders(target, forwardedFor),
    viaHeader(`${passed}${request.httpVersion} ${via}`),
    ...ownHeaders,
    ...framingHeaders(framing, request.method ?? 'GET'),
    ...(framing.kind !== 'none' && awaitsContinue(request) ? [expectHeader('100-continue')] : []),
    ...(upgradeOf(request) === undefined ? [] : upgradeHeaders),
  ]
}
