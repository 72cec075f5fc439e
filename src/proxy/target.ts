import { segmentMistake } from '../util/path-segment.ts'

/** A target of requests: one server and a base path. */
export interface Target {
  readonly secure: boolean
  /** For a socket: an IPv6 address has no brackets. */
  readonly hostname: string
  readonly port: number
  /** For the `Host` header. */
  readonly host: string
  /** For example `https://orders.internal:8443`. */
  readonly origin: string
  /** Percent-encoded, without a trailing slash; '' for the whole server. */
  readonly basePath: string
}

/** Host and path are split by this strict pattern, not by a lenient parser, which would accept `\` and spaces. */
const targetSyntax = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(\/[\w.~!$&'()*+,=:@%/-]*)?$/i

/** Parses the address of a target, or says in a sentence why it is invalid. */
export function parseTarget(text: string): Target | { readonly mistake: string } {
  const [, path = ''] = targetSyntax.exec(text) ?? []
  if (!targetSyntax.test(text) || !URL.canParse(text)) return { mistake: mistakeIn(text) }
  const basePath = path.replace(/\/$/, '')
  if (!basePath.split('/').slice(1).every(isPlainSegment)) {
    return { mistake: 'The path of a target must not hold empty segments, dot segments or encoded slashes.' }
  }
  const { protocol, hostname, port, host, origin } = new URL(text)
  const secure = protocol === 'https:'
  return {
    secure,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    host,
    origin,
    basePath,
  }
}

function mistakeIn(text: string): string {
  if (!/^https?:\/\//i.test(text)) {
    return 'A target is an address that starts with http:// or https://, as in http://127.0.0.1:3000.'
  }
  if (/[?#]/.test(text)) return 'A target must not hold a query or fragment; a request brings its own query.'
  if (/^https?:\/\/[^/]*@/i.test(text)) return 'A target must not hold a username or password.'
  return 'A target is the address of a server and, if need be, a path: http://127.0.0.1:3000 or https://orders.internal/v1.'
}

function isPlainSegment(segment: string): boolean {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded !== '' && segmentMistake(decoded) === undefined
  } catch {
    return false
  }
}

/** How the paths of a service map to those of its targets. Both are in canonical percent-encoding. */
export interface PathMapping {
  /** Removed from the front of each path; '' removes nothing. */
  readonly prefix: string
}

/** The path of the request to a target. */
export function targetPath({ basePath }: Target, { prefix }: PathMapping, encodedPath: string): string {
  return `${basePath}${encodedPath.slice(prefix.length)}` || '/'
}

/** The path at which clients find a path of a target; undefined if it is outside the target's base path. */
export function servicePath({ basePath }: Target, { prefix }: PathMapping, path: string): string | undefined {
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return undefined
  return prefix + path.slice(basePath.length)
}
