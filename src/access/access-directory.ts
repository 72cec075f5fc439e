/**
 * Who may do what, held in memory: every role, account and API route as one value that is replaced whole,
 * and the tokens that were used last. A request asks no database. After any change to these records, here
 * or on another node, `reload` is all that needs to be called.
 */
import type { Connection } from '../database/driver.ts'
import type { Store } from '../store/store.ts'
import { Reloadable } from '../util/reloadable.ts'
import { type ApiRoute, type ApiRoutes, compileApiRoutes } from './api-route.ts'
import { type PatternSource, patternOf } from './authority.ts'
import type { PathPattern } from './path-automaton.ts'
import { limitsOf, type RequestLimits } from './request-limits.ts'
import { type CompiledRole, compileRole } from './role.ts'
import { type KnownToken, TokenCache } from './token-cache.ts'

/** What is known of an account to decide about its requests. */
export interface KnownAccount {
  readonly username: string
  /** In the order they were given. */
  readonly roles: readonly CompiledRole[]
  readonly expiresAt: Date | undefined
  readonly disabled: boolean
  /** Undefined where its requests are not counted. */
  readonly limits: RequestLimits | undefined
}

/** Everything that decides, from one look at the store. */
export interface AccessSnapshot {
  readonly accounts: ReadonlyMap<string, KnownAccount>
  readonly apiRoutes: ApiRoutes
}

/** See the head of this file. */
export interface AccessDirectory {
  /** What decides now. When the last reload failed it is read again, and there is no answer until that succeeds. */
  current(): Promise<AccessSnapshot>
  findToken(tokenHash: string): Promise<KnownToken | undefined>
  /** What `current` would give, without reading; undefined when it would have to read. */
  held(): AccessSnapshot | undefined
  /** What `findToken` would give, without reading; undefined when it would have to read. */
  heldToken(tokenHash: string): KnownToken | undefined
  /** Lets a token count that is not in the store, until tokens are forgotten. */
  holdToken(token: KnownToken): void
  /** The pattern of a regular expression; the one that is held where a role has it. */
  readonly patternOf: PatternSource
  /** To be called after a token was removed from the store. */
  forgetToken(tokenHash: string): void
  /** To be called when tokens were ended, nobody knows which. */
  forgetTokens(): void
  /** Done when everything that was changed before this call holds. */
  reload(): Promise<void>
  /** What was read may not hold any more: there is no answer until it is read again. */
  distrust(): void
}

/** Reads the directory from the store. `apiRoutesRead` is told the API routes of each reading before it holds. */
export async function openAccessDirectory(
  store: Store,
  apiRoutesRead: (routes: readonly ApiRoute[]) => void = () => {},
): Promise<AccessDirectory> {
  let patterns: ReadonlyMap<string, PathPattern> = new Map()
  const snapshots = await Reloadable.start(async () => {
    const used = new Map<string, PathPattern>()
    const patternsKept = (regex: string) => {
      const pattern = used.get(regex) ?? patterns.get(regex) ?? patternOf(regex)
      used.set(regex, pattern)
      return pattern
    }
    const snapshot = await store.read((connection) => readSnapshot(store, connection, patternsKept))
    patterns = used
    apiRoutesRead(snapshot.apiRoutes.all)
    return snapshot
  })
  const tokens = new TokenCache((hash) => store.read((connection) => store.tokens.find(connection, hash)))
  let isOutdated = false

  async function reload(): Promise<void> {
    tokens.forgetAll()
    try {
      await snapshots.reload()
      isOutdated = false
    } catch (error) {
      isOutdated = true
      throw error
    }
  }

  return {
    async current() {
      if (isOutdated) await reload()
      return snapshots.current()
    },
    findToken: (tokenHash) => tokens.find(tokenHash),
    patternOf: (regex) => patterns.get(regex) ?? patternOf(regex),
    held: () => (isOutdated ? undefined : snapshots.current()),
    heldToken: (tokenHash) => tokens.held(tokenHash),
    holdToken: (token) => tokens.hold(token),
    forgetToken: (tokenHash) => tokens.forget(tokenHash),
    forgetTokens: () => tokens.forgetAll(),
    reload,
    distrust() {
      isOutdated = true
    },
  }
}

async function readSnapshot(
  store: Store,
  connection: Connection,
  patterns: PatternSource,
): Promise<AccessSnapshot> {
  const storedRoles = await store.roles.list(connection)
  const accounts = await store.accounts.list(connection)
  const routes = await store.apiRoutes.list(connection)
  const roles = new Map(storedRoles.map((role) => [role.name, compileRole(role, patterns)]))
  return {
    accounts: new Map(
      accounts.map(({ username, roles: names, expiresAt, disabled, limits }) => {
        const own = names.map((name) => roles.get(name)).filter((role) => role !== undefined)
        const account = {
          username,
          roles: own,
          expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
          disabled,
          limits: limitsOf(
            limits,
            own.map((role) => role.limits),
          ),
        }
        return [username, account]
      }),
    ),
    apiRoutes: compileApiRoutes(routes),
  }
}
