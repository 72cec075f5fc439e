/** Where a login begins. */
export function loginPath(provider: string): string {
  return `/auth/${encodeURIComponent(provider)}`
}

/** Where a login provider redirects browsers: the address to register there. */
export function callbackAddress(baseUrl: string, provider: string): string {
  return `${baseUrl}${loginPath(provider)}/callback`
}
