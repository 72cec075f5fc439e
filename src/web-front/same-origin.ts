import type { IncomingHttpHeaders } from 'node:http'

/**
 * Where a request comes from, by what browsers cannot be made to lie about: `own` is a page of ours, `user` an
 * address that somebody typed or a bookmark, `foreign` a page of another origin, `unknown` no browser of today.
 * https://www.w3.org/TR/fetch-metadata/
 */
export type RequestOrigin = 'own' | 'user' | 'foreign' | 'unknown'

/** Tells where requests come from. */
export type OriginReader = (headers: IncomingHttpHeaders) => RequestOrigin

/** A reader for a service that browsers reach at `baseUrl`; without one, at whatever host they name. */
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
