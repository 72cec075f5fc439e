/**
 * Callers by tokens of other issuers. A verified token is cached by its hash, as long as it is valid and the keys of its
 * issuer stay the same, so that its next requests cost a hash and a look-up.
 */
import type { Observer } from '../../../observe/events.ts'
import type { Clock } from '../../../util/clock.ts'
import { GenerationalCache } from '../../../util/generational-cache.ts'
import type { AccessSnapshot, KnownAccount } from '../../access-directory.ts'
import { limitsOf } from '../../authorization/request-limits.ts'
import type { CompiledRole } from '../../authorization/role.ts'
import type { Caller } from '../../caller.ts'
import { hashOfSecret } from '../secret.ts'
import { IssuerKeys } from './issuer-keys.ts'
import type { TokenIssuer } from './token-issuer.ts'
import {
  type IssuedToken,
  isValidAt,
  type KnownIssuer,
  looksIssued,
  refuseIssuedToken,
  verifyIssuedToken,
} from './verify-issued-token.ts'

interface IssuedTokenParts {
  readonly issuers: readonly TokenIssuer[]
  readonly now: Clock
  readonly observe: Observer
}

const tokensKept = 10_000

export class IssuedTokens {
  readonly #issuers: ReadonlyMap<string, KnownIssuer>
  readonly #now: Clock
  readonly #observe: Observer
  readonly #verified = new GenerationalCache<string, IssuedToken>(tokensKept)
  /** The callers of these tokens, with their roles from `#snapshot`. */
  readonly #callers = new GenerationalCache<string, Caller>(tokensKept)
  #snapshot: AccessSnapshot | undefined
  #keysReplaced = 0
  readonly #missingRoles = new Set<string>()

  constructor({ issuers, now, observe }: IssuedTokenParts) {
    // The issuer may have withdrawn the key of a token.
    const verifyAgain = () => {
      this.#keysReplaced += 1
      this.#verified.clear()
    }
    this.#issuers = new Map(
      issuers.map((settings) => [
        settings.issuer,
        { settings, keys: new IssuerKeys(settings, now, verifyAgain) },
      ]),
    )
    this.#now = now
    this.#observe = observe
  }

  /** Whether a token may be one of an issuer; by its form only. */
  concerns(token: string): boolean {
    return this.#issuers.size > 0 && looksIssued(token)
  }

  /** Throws TOKEN_INVALID, and ISSUER_UNAVAILABLE if the token cannot be verified now. */
  async verify(token: string): Promise<IssuedToken> {
    const held = this.held(token)
    if (held !== undefined) return held
    const replacedBefore = this.#keysReplaced
    const verified = await verifyIssuedToken(token, this.#issuers, this.#now)
    if (this.#keysReplaced === replacedBefore) this.#verified.set(verified.tokenHash, verified)
    return verified
  }

  /** A valid token that was verified before; undefined for any other. */
  held(token: string): IssuedToken | undefined {
    const tokenHash = hashOfSecret(token)
    const verified = this.#verified.get(tokenHash)
    if (verified === undefined || isValidAt(verified, this.#now())) return verified
    this.#verified.delete(tokenHash)
    return undefined
  }

  /** The caller of a verified token. Throws TOKEN_INVALID if an account of this name is disabled or has expired. */
  callerOf(token: IssuedToken, snapshot: AccessSnapshot): Caller {
    const { username, tokenHash, expiresAt: tokenExpiresAt, issuer } = token
    const account = snapshot.accounts.get(username)
    if (account !== undefined) refuseUnlessUsable(account, this.#now())
    if (this.#snapshot !== snapshot) {
      this.#snapshot = snapshot
      this.#callers.clear()
    }
    const known = this.#callers.get(tokenHash)
    if (known !== undefined) return known
    const roles = this.#rolesOf(token, snapshot)
    const ofRoles = roles.map(({ limits }) => limits)
    const limits = limitsOf(undefined, ofRoles)
    const attributes = { username, roles: roles.map(({ name }) => name), metadata: Object.create(null) }
    const caller = {
      username,
      roles,
      attributes,
      accountExpiresAt: undefined,
      limits,
      tokenHash,
      tokenExpiresAt,
      issuer,
    }
    this.#callers.set(tokenHash, caller)
    return caller
  }

  #rolesOf({ issuer, roles }: IssuedToken, snapshot: AccessSnapshot): readonly CompiledRole[] {
    return roles.flatMap((name) => {
      const role = snapshot.roles.get(name)
      if (role === undefined && !this.#missingRoles.has(name)) {
        this.#missingRoles.add(name)
        this.#observe({ kind: 'IssuerRoleMissing', issuer, role: name })
      }
      return role ?? []
    })
  }
}

function refuseUnlessUsable({ username, disabled, expiresAt }: KnownAccount, timestamp: Date): void {
  if (!disabled && (expiresAt === undefined || expiresAt > timestamp)) return
  const state = disabled ? 'is disabled' : 'has expired'
  throw refuseIssuedToken(`The account "${username}" ${state}.`)
}
