import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '../database/driver.ts'
import type { Reach, ReachedRoute } from '../http/reach.ts'
import type { Observer } from '../observe/events.ts'
import type { TargetGuard } from '../proxy/target-guard.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import { GenerationalCache } from '../util/generational-cache.ts'
import type { RandomSource } from '../util/random-source.ts'
import { createUuidV7 } from '../util/uuid-v7.ts'
import { openAccessDirectory } from './access-directory.ts'
import type { AccessParts } from './access-parts.ts'
import { missingRecord } from './administration/audited-change.ts'
import { type CallerDescription, describeCaller } from './administration/describe-caller.ts'
import { type AccountManagement, createAccountManagement } from './administration/manage-accounts.ts'
import { type ApiKeyManagement, createApiKeyManagement } from './administration/manage-api-keys.ts'
import { type ApiRouteManagement, createApiRouteManagement } from './administration/manage-api-routes.ts'
import { createOwnAccountManagement, type OwnAccountManagement } from './administration/manage-own-account.ts'
import { createPasskeyManagement, type PasskeyManagement } from './administration/manage-passkeys.ts'
import { createRoleManagement, type RoleManagement } from './administration/manage-roles.ts'
import {
  createSecondFactorManagement,
  type SecondFactorManagement,
} from './administration/manage-second-factor.ts'
import { createTokenManagement, type TokenManagement } from './administration/manage-tokens.ts'
import { createOwnChangeLimit } from './administration/own-change-limit.ts'
import { readAudit, type ShownAuditEntry } from './administration/read-audit.ts'
import { type Gainers, type PartRename, whoGains } from './administration/who-gains.ts'
import { authenticate, type RequestHeaders, requireAccount } from './authentication/authenticate.ts'
import { LogonLimits } from './authentication/limit-logons.ts'
import { logoff } from './authentication/logoff.ts'
import {
  checkLogon,
  type LogonAttempt,
  type LogonCheck,
  type LogonCheckResponse,
  logOnAtPage,
  logon,
  type PageLogonAttempt,
} from './authentication/logon.ts'
import { type PasskeyLogonOptions, passkeyLogonOptions } from './authentication/passkeys/logon-options.ts'
import type { RelyingParty } from './authentication/passkeys/relying-party.ts'
import { prepareSigningKey } from './authentication/passkeys/signing-key.ts'
import { createPasswords, type PasswordCost } from './authentication/password.ts'
import type { LogonResponse } from './authentication/start-token.ts'
import { IssuedTokens } from './authentication/token-issuers/issued-tokens.ts'
import type { TokenIssuer } from './authentication/token-issuers/token-issuer.ts'
import {
  type AdmittedRequest,
  type ArrivedRequest,
  admit,
  admitAtOnce,
  partsFor,
} from './authorization/admit.ts'
import type { ApiRoute } from './authorization/api-route.ts'
import type { PublicRoutes } from './authorization/api-routes.ts'
import { type ConditionsCheck, nothingToCheck } from './authorization/conditions-report.ts'
import {
  type AccessExplanation,
  explainAccess,
  explainOwnAccess,
  type OwnPaths,
} from './authorization/explain-access.ts'
import { PartRights } from './authorization/part-rights.ts'
import { createPatterns } from './authorization/patterns.ts'
import { reachOf } from './authorization/reach.ts'
import { reachedRoutes } from './authorization/reached-routes.ts'
import type { AccountAttributes } from './authorization/record-conditions.ts'
import { type RequestCount, RequestLimiter } from './authorization/request-limits.ts'
import type { CompiledRole } from './authorization/role.ts'
import type { UpstreamSecrets } from './authorization/route-headers.ts'
import type { Caller } from './caller.ts'
import { normalizeName } from './name.ts'

/** What options say of access control. */
export interface AccessSettings {
  readonly tokenTtlSeconds: number
  /** Other servers whose tokens are accepted; absent for none. */
  readonly tokenIssuers?: readonly TokenIssuer[]
  /** Whether every account needs a second factor where no API key is asked for; absent for not. */
  readonly requiresSecondFactor?: boolean
  /** The pages that may use passkeys; absent for none. */
  readonly relyingParty?: RelyingParty
  /** The secrets that routes may send to their targets; absent for none. */
  readonly upstreamSecrets?: UpstreamSecrets
  /** The cost of password hashes; absent for the safe default. No option sets it. */
  readonly passwordCost?: PasswordCost | undefined
}

/** The parts of access control. */
export interface AccessOptions extends AccessSettings {
  readonly store: Store
  readonly targetGuard: Pick<TargetGuard, 'refuses'>
  readonly now: Clock
  readonly randomBytes: RandomSource
  /** Compares conditions on records with the tables; absent if there are none to compare with. */
  readonly checkConditions?: ConditionsCheck
  readonly observe: Observer
  /** Waits that many milliseconds; replaced in tests. */
  readonly pause?: (milliseconds: number) => Promise<void>
  /** Called with all API routes when they are read: at the start, and after each change. */
  readonly apiRoutesRead?: (routes: readonly ApiRoute[]) => void
}

/** A request, as authorization sees it. */
interface Call {
  readonly method: string
  readonly path: string
}

/** Numbers of records. */
interface AccessCounts {
  readonly roles: number
  readonly accounts: number
  readonly routes: number
}

/** Access control: authentication, authorization, and the records behind them. */
export interface Access {
  /** Allows a request or throws. */
  admit(request: ArrivedRequest): Promise<AdmittedRequest>
  /** The same if everything needed is in memory; undefined if something has to be read first. */
  admitAtOnce(request: ArrivedRequest): AdmittedRequest | undefined
  /** Counts a request of a caller whose account has a rate limit; synchronous if the store is not needed. */
  count(caller: Caller): RequestCount | Promise<RequestCount> | undefined
  /** Whether anyone may make a request to one of the gateway's own APIs, without a token. */
  isPublic(method: string, path: string): Promise<boolean>
  /** What a caller may call now; without a caller, what is public. */
  reachOf(caller: Caller | undefined): Promise<Reach>
  /** What public routes open now. */
  publicRoutes(): Promise<PublicRoutes>
  /** The routes to upstream APIs that a caller may call on some path now, by name; only one of them if it is named. */
  reachedRoutes(caller: Caller | undefined, name?: string): Promise<readonly ReachedRoute[]>
  /** The roles and API routes as they were read last; none while they have to be read again. */
  held(): { readonly roles: Iterable<CompiledRole>; readonly apiRoutes: readonly ApiRoute[] }
  /** The parts of one of the gateway's own APIs that a caller may use with a method now; undefined for all. */
  partsOf(caller: Caller, call: Call, parts: readonly string[]): Promise<readonly string[] | undefined>
  /** Authenticates a caller, whatever its rights, or throws. */
  authenticate(headers: RequestHeaders): Promise<Caller>
  /** The same for a caller that has an account; throws RECORD_NOT_FOUND for one with a token of another issuer. */
  authenticateAccount(headers: RequestHeaders): Promise<Caller>
  logon(attempt: LogonAttempt): Promise<LogonResponse>
  checkLogon(check: LogonCheck): Promise<LogonCheckResponse>
  logOnAtPage(attempt: PageLogonAttempt): Promise<LogonCheckResponse>
  /** What a page needs to ask for a passkey. */
  passkeyLogonOptions(): Promise<PasskeyLogonOptions>
  logoff(caller: Caller): Promise<void>
  describeCaller(caller: Caller): Promise<CallerDescription>
  /** Why an account may make a request, or may not. */
  explain(query: unknown, own: OwnPaths): Promise<AccessExplanation>
  /** What conditions may name of an account. Throws RECORD_NOT_FOUND. */
  attributesOf(account: string): Promise<AccountAttributes>
  /** Why a caller may make a request, or may not. */
  explainOwn(caller: Caller, query: unknown, own: OwnPaths): Promise<AccessExplanation>
  /** Who would gain access to something by its new name: roles, and anyone by public routes. */
  whoGains(rename: PartRename, connection: Connection): Promise<Gainers>
  /** How many records of each kind there are. */
  counts(): Promise<AccessCounts>
  readAudit(query: unknown): Promise<readonly ShownAuditEntry[]>
  /** To be called when another node changed roles, accounts or API routes. */
  reload(): Promise<void>
  /** To be called when another node ended tokens. */
  forgetTokens(): void
  /** To be called when it is unknown whether another node has changed them. */
  invalidate(): void
  readonly roles: RoleManagement
  readonly accounts: AccountManagement
  readonly apiKeys: ApiKeyManagement
  readonly ownAccount: OwnAccountManagement
  readonly secondFactor: SecondFactorManagement
  readonly passkeys: PasskeyManagement
  readonly apiRoutes: ApiRouteManagement
  readonly tokens: TokenManagement
}

/** Reads the directory and builds access control. */
export async function openAccess(options: AccessOptions): Promise<Access> {
  const { store, now, randomBytes } = options
  const patterns = createPatterns()
  const directory = await openAccessDirectory(store, options.apiRoutesRead, patterns)
  const nextId = createUuidV7(now, randomBytes)
  const { pause = wait } = options
  const parts: AccessParts = {
    ...options,
    upstreamSecrets: options.upstreamSecrets ?? {},
    checkConditions: options.checkConditions ?? nothingToCheck,
    requiresSecondFactor: options.requiresSecondFactor ?? false,
    relyingParty: options.relyingParty,
    signingKey: { known: undefined },
    directory,
    patterns,
    logonLimits: new LogonLimits({ store, now, nextId, pause }),
    issuedTokens: new IssuedTokens({ issuers: options.tokenIssuers ?? [], now, observe: options.observe }),
    usedSteps: new GenerationalCache(10_000),
    tidying: { dueAt: 0 },
    partRights: new PartRights(),
    passwords: createPasswords(randomBytes, options.passwordCost),
    nextId,
  }
  if (parts.relyingParty !== undefined) await prepareSigningKey(parts)
  const countChange = createOwnChangeLimit(now)
  const limiter = new RequestLimiter(store, now)
  const apiKeys = createApiKeyManagement(parts)
  const tokens = createTokenManagement(parts)
  const secondFactor = createSecondFactorManagement(parts, countChange)
  return {
    count: ({ username, limits }) => (limits === undefined ? undefined : limiter.count(username, limits)),
    admit: (request) => admit(parts, request),
    admitAtOnce: (request) => admitAtOnce(parts, request),
    isPublic: async (method, path) =>
      (await directory.current()).apiRoutes.opensAt(method, path) !== undefined,
    async attributesOf(account) {
      const username = normalizeName(account)
      const found = (await directory.current()).accounts.get(username)
      if (found === undefined) throw missingRecord('account', username)
      return found.attributes
    },
    publicRoutes: async () => (await directory.current()).apiRoutes,
    held() {
      const { roles, apiRoutes } = directory.held() ?? {}
      return { roles: roles?.values() ?? [], apiRoutes: apiRoutes?.all ?? [] }
    },
    reachOf: async (caller) => reachOf(caller?.roles, (await directory.current()).apiRoutes),
    async reachedRoutes(caller, name) {
      const { all } = (await directory.current()).apiRoutes
      const asked = name === undefined ? all : all.filter((route) => route.name === name)
      return reachedRoutes(caller?.roles, asked)
    },
    async partsOf(caller, call, names) {
      const { apiRoutes } = await directory.current()
      if (apiRoutes.opensAt(call.method, call.path) !== undefined) return undefined
      const open = apiRoutes.openParts(call.path, names).names
      return partsFor(parts.partRights, caller, { ...call, isOwn: true }, names, open)
    },
    authenticate: (headers) => authenticate(parts, headers),
    authenticateAccount: async (headers) => requireAccount(await authenticate(parts, headers)),
    logon: (attempt) => logon(parts, attempt),
    checkLogon: (check) => checkLogon(parts, check),
    logOnAtPage: (attempt) => logOnAtPage(parts, attempt),
    passkeyLogonOptions: () => passkeyLogonOptions(parts),
    logoff: (caller) => logoff(parts, caller),
    describeCaller: (caller) => describeCaller(parts, caller),
    explain: (query, own) => explainAccess(parts, query, own),
    explainOwn: (caller, query, own) => explainOwnAccess(parts, caller, query, own),
    whoGains: (rename, connection) => whoGains(rename, parts, connection),
    async counts() {
      const { roles, accounts, apiRoutes } = await directory.current()
      return { roles: roles.size, accounts: accounts.size, routes: apiRoutes.all.length }
    },
    readAudit: (query) => readAudit(parts, query),
    reload: () => directory.reload(),
    forgetTokens: () => directory.forgetTokens(),
    invalidate: () => directory.invalidate(),
    roles: createRoleManagement(parts),
    accounts: createAccountManagement(parts),
    apiKeys,
    ownAccount: createOwnAccountManagement(parts, { apiKeys, tokens, countChange }),
    secondFactor,
    passkeys: createPasskeyManagement(parts, { countChange, checkCode: secondFactor.checkOwnCode }),
    apiRoutes: createApiRouteManagement(parts),
    tokens,
  }
}
