/** Cookies: https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html */

/** The properties of one service's cookies. */
export interface CookieRules {
  /** Whether browsers use HTTPS: then no other host and no plain connection can set its cookies. */
  readonly secure: boolean
}

/** The name of a cookie in the browser. */
function cookieName(name: string, { secure }: CookieRules): string {
  return secure ? `__Host-${name}` : name
}

/** The value of a request's cookie; undefined if there is none, or several that differ. */
export function readCookie(header: string | undefined, name: string, rules: CookieRules): string | undefined {
  const wanted = cookieName(name, rules)
  let found: string | undefined
  for (const pair of header?.split(';') ?? []) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (key.trim() !== wanted) continue
    const trimmed = value.trim()
    if (found !== undefined && found !== trimmed) return undefined
    found = trimmed
  }
  return found
}

/** A `Set-Cookie` header for a value of letters, digits, `-` and `_`; `maxAge` is in seconds, 0 removes the cookie. */
export function writeCookie(name: string, value: string, rules: CookieRules, maxAge?: number): string {
  return [
    `${cookieName(name, rules)}=${value}`,
    'Path=/',
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    'HttpOnly',
    ...(rules.secure ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ')
}
