/**
 * What a browser keeps of the accounts that have logged in with it: the gateway makes a proof for each, and lets nobody
 * else's wrong passwords keep such a browser out.
 */
import { type CookieRules, readCookie, writeCookie } from '../../http/cookie.ts'

export interface KnownBrowsers {
  /** The proofs that a request brings. */
  read(cookieHeader: string | undefined): readonly string[]
  /** The `Set-Cookie` header that keeps one more proof: those used longest ago make room. */
  remember(cookieHeader: string | undefined, proof: string): string
}

/** The longest that browsers keep a cookie, in seconds. */
const lifetimeSeconds = 400 * 86_400
const proofsKept = 5

/** The name of the cookie, beside that of the session. */
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
