/**
 * Known browsers: the gateway makes a proof for each account that has logged in with a browser, and wrong passwords of
 * others do not lock the account in that browser.
 */
import { type CookieRules, readCookie, writeCookie } from './cookie.ts'

export interface KnownBrowsers {
  /** The proofs of a request. */
  read(cookieHeader: string | undefined): readonly string[]
  /** The `Set-Cookie` header that adds a proof and drops the least recently used ones. */
  remember(cookieHeader: string | undefined, proof: string): string
}

/** The longest that browsers keep a cookie, in seconds. */
const lifetimeSeconds = 400 * 86_400
const proofsKept = 5

/** The name of the cookie. */
export function knownBrowserCookie(sessionCookie: string): string {
  return `${sessionCookie}-browser`
}

export function createKnownBrowsers(cookies: CookieRules, sessionCookie: string): KnownBrowsers {
  const name = knownBrowserCookie(sessionCookie)
  const read = (cookieHeader: string | undefined) =>
    (readCookie(cookieHeader, name, cookies) ?? '')
      .split('.')
      .filter((proof) => /^[\w-]{1,200}$/.test(proof))
      .slice(0, proofsKept)
  return {
    read,
    remember(cookieHeader, proof) {
      const proofs = [proof, ...read(cookieHeader).filter((other) => other !== proof)]
      return writeCookie(name, proofs.slice(0, proofsKept).join('.'), cookies, lifetimeSeconds)
    },
  }
}
