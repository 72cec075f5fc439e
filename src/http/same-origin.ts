import type { IncomingHttpHeaders } from 'node:http'

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
