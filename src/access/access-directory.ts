/**
 * A cache of access control: all roles, accounts and API routes as one snapshot that is replaced as a whole, and recently
 * used tokens. Requests need no database. After any change to these records, here or on another node, it is enough to
 * call `reload`.
 */
import type { Connection } from '../database/driver.ts'
import type { StoredAccount } from '../store/account-store.ts'
import { readPages } from '../store/page-request.ts'
import type { Store } from '../store/store.ts'
import type { StoredToken } from '../store/token-store.ts'
import { Reloadable } from '../util/reloadable.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { type KnownToken, TokenCache } from './authentication/token-cache.ts'
import { UnwrittenTokens } from './authentication/unwritten-tokens.ts'
import type { ApiRoute } from './authorization/api-route.ts'
import { type ApiRoutes, compileApiRoutes } from './authorization/api-routes.ts'
import { type PatternSource, patternOf } from './authorization/authority.ts'
import { noPath } from './authorization/path-automaton.ts'
import { type CompiledPatterns, createPatterns, isPattern, type Patterns } from './authorization/patterns.ts'
import { type AccountAttributes, metadataKeysOf } from './authorization/record-conditions.ts'
import { limitsOf, type RequestLimits } from './authorization/request-limits.ts'
import { type CompiledRole, compileRole, type Role } from './authorization/role.ts'

/** The data of an account that decides about its requests. */
export interface KnownAccount {
  readonly username: string
  /** In the order they were given. */
  readonly roles: readonly CompiledRole[]
  readonly attributes: AccountAttributes
  readonly expiresAt: Date | undefined
  readonly disabled: boolean
  /** Undefined if its requests are not counted. */
  readonly limits: RequestLimits | undefined
}

/** Everything that decides, from one reading of the store. */
export interface AccessSnapshot {
  readonly roles: ReadonlyMap<string, CompiledRole>
  readonly accounts: ReadonlyMap<string, KnownAccount>
  readonly apiRoutes: ApiRoutes
}

/** See the head of this file. */
export interface AccessDirectory {
  /** The current snapshot. If the last reload failed, it is read again, and this rejects until that succeeds. */
  current(): Promise<AccessSnapshot>
  findToken(tokenHash: string): Promise<KnownToken | undefined>
  /** The result of `current` without reading; undefined if it would have to read. */
  held(): AccessSnapshot | undefined
  /** The result of `findToken` without reading; undefined if it would have to read. */
  heldToken(tokenHash: string): KnownToken | undefined
  /** Accepts a token that cannot be stored (`UnwrittenTokens`), for an account that was read from the same connection. */
  holdToken(connection: Connection, token: StoredToken): Promise<void>
  /** The pattern of a regular expression; the cached one if a role has it. */
  readonly patternOf: PatternSource
  /** To be called after a token was removed from the store. Returns whether it was one that is not there (`holdToken`). */
  forgetToken(tokenHash: string): boolean
  /** To be called when unknown tokens were ended. */
  forgetTokens(): void
  /** Resolves when all changes before this call have taken effect. */
  reload(): Promise<void>
  /** The snapshot may be stale: it is not used until it is read again. */
  invalidate(): void
}

/**
 * Reads the directory from the store. Calls `apiRoutesRead` with the API routes of each reading before it takes effect.
 */
export async function openAccessDirectory(
  store: Store,
  apiRoutesRead: (routes: readonly ApiRoute[]) => void = () => {},
  patterns: Patterns = createPatterns(),
): Promise<AccessDirectory> {
  let inUse: CompiledPatterns = new Map()
  const snapshots = await Reloadable.start(async () => {
    const records = await store.read((connection) => readRecords(store, connection))
    const regexes = records.roles.flatMap(({ authorities }) => authorities.map(({ regex }) => regex))
    inUse = await patterns.compile(regexes, inUse)
    const snapshot = await compileSnapshot(records, inUse)
    apiRoutesRead(snapshot.apiRoutes.all)
    return snapshot
  })
  const unwritten = new UnwrittenTokens(store)
  const tokens = new TokenCache((hash) =>
    store.read(
      async (connection) =>
        (await store.tokens.find(connection, hash)) ?? (await unwritten.find(connection, hash)),
    ),
  )
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
    patternOf: (regex) => patternsOf(inUse)(regex),
    held: () => (isOutdated ? undefined : snapshots.current()),
    heldToken: (tokenHash) => tokens.held(tokenHash),
    holdToken: (connection, token) => unwritten.hold(connection, token),
    forgetToken(tokenHash) {
      tokens.forget(tokenHash)
      return unwritten.forget(tokenHash)
    },
    forgetTokens: () => tokens.forgetAll(),
    reload,
    invalidate() {
      isOutdated = true
    },
  }
}

/** The stored data. */
interface Records {
  readonly roles: readonly Role[]
  readonly accounts: readonly (Pick<KnownAccount, 'username' | 'expiresAt' | 'disabled'> & {
    readonly roles: readonly string[]
    /** Only the members that decide. */
    readonly metadata: StoredAccount['metadata']
    readonly limits: StoredAccount['limits']
  })[]
  readonly apiRoutes: readonly ApiRoute[]
}

async function readRecords(store: Store, connection: Connection): Promise<Records> {
  const roles = await readPages(
    (page) => store.roles.list(connection, page),
    ({ name }) => name,
  )
  const keysOfRoles = new Map(roles.map(({ name, authorities }) => [name, metadataKeysOf(authorities)]))
  const accounts = await readPages(
    (page) => store.accounts.list(connection, page),
    ({ username }) => username,
  )
  const apiRoutes = await readPages(
    (page) => store.apiRoutes.list(connection, page),
    ({ name }) => name,
  )
  const keysOfRoutes = metadataKeysOf(apiRoutes)
  return {
    roles,
    accounts: accounts.map(({ username, roles: names, metadata, expiresAt, disabled, limits }) => ({
      username,
      roles: names,
      metadata: decidingMetadata(metadata, [
        keysOfRoutes,
        ...names.map((name) => keysOfRoles.get(name) ?? []),
      ]),
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      disabled,
      limits,
    })),
    apiRoutes,
  }
}

const noMetadata: StoredAccount['metadata'] = Object.create(null)

/** The members that conditions name: there may be thousands of accounts, with much about each. */
function decidingMetadata(
  metadata: StoredAccount['metadata'],
  named: readonly Iterable<string>[],
): StoredAccount['metadata'] {
  const keys = named.flatMap((some) => [...some])
  if (keys.length === 0) return noMetadata
  const kept: Record<string, unknown> = Object.create(null)
  for (const key of keys) if (Object.hasOwn(metadata, key)) kept[key] = metadata[key]
  return kept
}

/** Returns compiled patterns, and compiles new ones. */
function patternsOf(compiled: CompiledPatterns): PatternSource {
  return (regex) => {
    const pattern = compiled.get(regex)
    if (pattern === undefined) return patternOf(regex)
    return isPattern(pattern) ? pattern : noPath
  }
}

/** In time slices: there may be thousands of accounts. */
async function compileSnapshot(records: Records, compiled: CompiledPatterns): Promise<AccessSnapshot> {
  const patternIn = patternsOf(compiled)
  const roles = new Map(
    await mapInSlices(records.roles, (role) => [role.name, compileRole(role, patternIn)] as const),
  )
  const accounts = await mapInSlices(records.accounts, ({ roles: names, metadata, limits, ...account }) => {
    const own = names.map((name) => roles.get(name)).filter((role) => role !== undefined)
    const ofRoles = own.map((role) => role.limits)
    const attributes = { username: account.username, roles: names, metadata }
    const known = { ...account, roles: own, attributes, limits: limitsOf(limits, ofRoles) }
    return [account.username, known] as const
  })
  return { roles, accounts: new Map(accounts), apiRoutes: compileApiRoutes(records.apiRoutes) }
}
