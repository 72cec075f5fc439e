import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../errors/app-error.ts'

/**
 * Where a request comes from, by headers that pages cannot forge: `own` is a page of this origin, `user` a typed address
 * or a bookmark, `foreign` a page of another origin, `unknown` not a current browser.
 * https://www.w3.org/TR/fetch-metadata/
 */
type RequestOrigin = 'own' | 'user' | 'foreign' | 'unknown'

/** Determines where requests come from. */
export type OriginReader = (headers: IncomingHttpHeaders) => RequestOrigin

/**
 * Whether a page of this origin has made a request by a script: a form or a link, of which some browsers do not say where
 * it comes from, cannot send `X-Requested-With`.
 */
export function isFromOwnScript(headers: IncomingHttpHeaders, originOf: OriginReader): boolean {
  if (originOf(headers) !== 'own') return false
  if (headers['sec-fetch-site'] !== undefined) return true
  return headers.origin !== undefined && headers['x-requested-with'] !== undefined
}

/** A reader for a service that browsers reach at `baseUrl`; without one, at any host they name. */
export function originReader(baseUrl: string | undefined): OriginReader {
  const own = baseUrl === undefined ? undefined : new URL(baseUrl).origin
  return (headers) => {
    const isOwn = (origin: string) => origin === (own ?? `http://${headers.host}`)
    const site = headers['sec-fetch-site']
    if (site === 'same-origin') return 'own'
    if (site === 'none') return 'user'
    if (site !== undefined) return 'foreign'
    const { origin, referer } = headers
    if (origin !== undefined) return isOwn(origin) ? 'own' : 'foreign'
    if (referer === undefined || !URL.canParse(referer)) return 'unknown'
    return isOwn(new URL(referer).origin) ? 'own' : 'foreign'
  }
}

/** A call that uses the session of its browser. */
export interface ArrivedCall {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Whether it opens a WebSocket. */
  readonly isUpgrade: boolean
}

/**
 * Throws CROSS_SITE_REFUSED for a call that a page of another origin may have made with the session of its visitor.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function requireOwnPage(call: ArrivedCall, originOf: OriginReader): void {
  if (isFromOurselves(call, originOf)) return
  throw new AppError('CROSS_SITE_REFUSED', {
    detail:
      'A WebSocket, and a call that changes something, must come from a page of this origin, as browsers say in Sec-Fetch-Site or Origin, or have the header X-Requested-With.',
  })
}

function isFromOurselves({ method, headers, isUpgrade }: ArrivedCall, originOf: OriginReader): boolean {
  const origin = originOf(headers)
  if (!isUpgrade && (method === 'GET' || method === 'HEAD')) {
    return origin !== 'foreign' || headers['sec-fetch-mode'] === 'navigate'
  }
  if (!isUpgrade && method === 'OPTIONS') return origin !== 'foreign'
  // No page can add a header to a WebSocket.
  return origin === 'own' || (origin === 'unknown' && headers['x-requested-with'] !== undefined)
}
