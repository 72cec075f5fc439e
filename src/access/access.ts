import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '../database/driver.ts'
import type { Observer } from '../observe/events.ts'
import type { TargetGuard } from '../proxy/target-guard.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../util/clock.ts'
import type { RandomSource } from '../util/random-source.ts'
import { createTimeOrderedIds } from '../util/time-ordered-id.ts'
import { openAccessDirectory } from './access-directory.ts'
import type { AccessParts } from './access-parts.ts'
import { type CallerDescription, describeCaller } from './administration/describe-caller.ts'
import { type AccountManagement, createAccountManagement } from './administration/manage-accounts.ts'
import { type ApiKeyManagement, createApiKeyManagement } from './administration/manage-api-keys.ts'
import { type ApiRouteManagement, createApiRouteManagement } from './administration/manage-api-routes.ts'
import { createRoleManagement, type RoleManagement } from './administration/manage-roles.ts'
import { createTokenManagement, type TokenManagement } from './administration/manage-tokens.ts'
import { readAudit, type ShownAuditEntry } from './administration/read-audit.ts'
import { type PartRename, rolesThatGain } from './administration/roles-that-gain.ts'
import { authenticate, type RequestHeaders } from './authentication/authenticate.ts'
import { LogonLimits } from './authentication/limit-logons.ts'
import {
  checkLogon,
  type LogonAnswer,
  type LogonAttempt,
  type LogonCheck,
  type LogonCheckAnswer,
  logoff,
  logon,
} from './authentication/logon.ts'
import { createPasswords } from './authentication/password.ts'
import { type Admission, type AdmissionRequest, admit, admitAtOnce } from './authorization/admit.ts'
import type { ApiRoute } from './authorization/api-route.ts'
import { type AccessExplanation, explainAccess, type OwnPaths } from './authorization/explain-access.ts'
import { PartRights } from './authorization/part-rights.ts'
import { createPatterns } from './authorization/patterns.ts'
import { type Reach, reachOf } from './authorization/reach.ts'
import { type RequestCount, RequestLimiter } from './authorization/request-limits.ts'
import type { Caller } from './caller.ts'

/** What access control is made from. */
export interface AccessOptions {
  readonly store: Store
  readonly tokenTtlSeconds: number
  readonly targetGuard: Pick<TargetGuard, 'refuses'>
  readonly now: Clock
  readonly randomBytes: RandomSource
  readonly observe: Observer
  /** Waits so many milliseconds, where time does not pass by itself. */
  readonly pause?: (milliseconds: number) => Promise<void>
  /** Called with all API routes when they are read: at the start, and whenever something has changed. */
  readonly apiRoutesRead?: (routes: readonly ApiRoute[]) => void
}

/** Who is calling, what they may do, and the records that say so. */
export interface Access {
  /** Lets a request in or throws. */
  admit(request: AdmissionRequest): Promise<Admission>
  /** The same, where all that decides is in memory; undefined where something has to be read first. */
  admitAtOnce(request: AdmissionRequest): Admission | undefined
  /** Counts a request of a caller, where its account is limited; at once where the store need not be asked. */
  count(caller: Caller): RequestCount | Promise<RequestCount> | undefined
  /** Whether anybody may make a request to an API of the gateway's own, without a token. */
  isPublic(method: string, path: string): Promise<boolean>
  /** What a caller may call now; for nobody, what anybody may. */
  reachOf(caller: Caller | undefined): Promise<Reach>
  /** Says who is calling, whatever they may do, or throws. */
  authenticate(headers: RequestHeaders): Promise<Caller>
  logon(attempt: LogonAttempt): Promise<LogonAnswer>
  checkLogon(check: LogonCheck): Promise<LogonCheckAnswer>
  logoff(caller: Caller): Promise<void>
  describeCaller(caller: Caller): Promise<CallerDescription>
  /** Why an account may make a request, or may not. */
  explain(query: unknown, own: OwnPaths): Promise<AccessExplanation>
  /** Names of the roles that something would be open to by a new name, and is not by those that it has. */
  rolesThatGain(rename: PartRename, connection: Connection): Promise<readonly string[]>
  readAudit(query: unknown): Promise<readonly ShownAuditEntry[]>
  /** To be called when another node changed roles, accounts or API routes. */
  reload(): Promise<void>
  /** To be called when another node ended tokens. */
  forgetTokens(): void
  /** To be called when nobody knows whether another node has changed them. */
  invalidate(): void
  readonly roles: RoleManagement
  readonly accounts: AccountManagement
  readonly apiKeys: ApiKeyManagement
  readonly apiRoutes: ApiRouteManagement
  readonly tokens: TokenManagement
}

/** Reads the directory and puts the parts together. */
export async function openAccess(options: AccessOptions): Promise<Access> {
  const { store, now, randomBytes } = options
  const patterns = createPatterns()
  const directory = await openAccessDirectory(store, options.apiRoutesRead, patterns)
  const nextId = createTimeOrderedIds(now, randomBytes)
  const { pause = wait } = options
  const parts: AccessParts = {
    ...options,
    directory,
    patterns,
    logonLimits: new LogonLimits({ store, now, nextId, pause }),
    tidying: { dueAt: 0 },
    partRights: new PartRights(),
    passwords: createPasswords(randomBytes),
    nextId,
  }
  const limiter = new RequestLimiter(store, now)
  return {
    count: ({ username, limits }) => (limits === undefined ? undefined : limiter.count(username, limits)),
    admit: (request) => admit(parts, request),
    admitAtOnce: (request) => admitAtOnce(parts, request),
    isPublic: async (method, path) =>
      (await directory.current()).apiRoutes.decide(method, path, true).scope === 'public',
    reachOf: async (caller) => reachOf(caller?.roles, (await directory.current()).apiRoutes),
    authenticate: (headers) => authenticate(parts, headers),
    logon: (attempt) => logon(parts, attempt),
    checkLogon: (check) => checkLogon(parts, check),
    logoff: (caller) => logoff(parts, caller),
    describeCaller: (caller) => describeCaller(parts, caller),
    explain: (query, own) => explainAccess(parts, query, own),
    rolesThatGain: (rename, connection) => rolesThatGain(rename, parts, connection),
    readAudit: (query) => readAudit(parts, query),
    reload: () => directory.reload(),
    forgetTokens: () => directory.forgetTokens(),
    invalidate: () => directory.invalidate(),
    roles: createRoleManagement(parts),
    accounts: createAccountManagement(parts),
    apiKeys: createApiKeyManagement(parts),
    apiRoutes: createApiRouteManagement(parts),
    tokens: createTokenManagement(parts),
  }
}
