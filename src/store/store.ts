import type { Database } from '../database/dialect.ts'
import type { Driver } from '../database/driver.ts'
import { type AccountStore, createAccountStore } from './account-store.ts'
import { type ApiKeyStore, createApiKeyStore } from './api-key-store.ts'
import { type ApiRouteStore, createApiRouteStore } from './api-route-store.ts'
import { type AuditStore, createAuditStore } from './audit-store.ts'
import { type ChangeStore, createChangeStore } from './change-store.ts'
import { createEntityStore, type EntityStore } from './entity-store.ts'
import { createEntityVersionStore, type EntityVersionStore } from './entity-version-store.ts'
import { createGivenNameStore, type GivenNameStore } from './given-name-store.ts'
import { createIdempotencyStore, type IdempotencyStore } from './idempotency-store.ts'
import { createLogonAttemptStore, type LogonAttemptStore } from './logon-attempt-store.ts'
import { migrate } from './migrations/migrate.ts'
import { createPasskeyStore, type PasskeyStore } from './passkey-store.ts'
import { createRequestCountStore, type RequestCountStore } from './request-count-store.ts'
import { createRoleStore, type RoleStore } from './role-store.ts'
import { createSecondFactorStore, type SecondFactorStore } from './second-factor-store.ts'
import { createStatements } from './statements.ts'
import { createTokenStore, type TokenStore } from './token-store.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'

/**
 * The gateway's own records. Its parts take a connection of `read` or `transaction`, so that several can change in one
 * transaction.
 */
export interface Store extends Pick<Driver, 'read' | 'transaction'> {
  /** Whether the records are in another database than the tables that are served. */
  readonly isSeparate: boolean
  /** Whether the records are in a file that only this process uses. */
  readonly isEmbedded: boolean
  readonly roles: RoleStore
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly secondFactors: SecondFactorStore
  readonly passkeys: PasskeyStore
  readonly tokens: TokenStore
  readonly apiRoutes: ApiRouteStore
  readonly entities: EntityStore
  readonly entityVersions: EntityVersionStore
  readonly audit: AuditStore
  readonly changes: ChangeStore
  readonly logonAttempts: LogonAttemptStore
  readonly requestCounts: RequestCountStore
  readonly idempotency: IdempotencyStore
  readonly givenNames: GivenNameStore
  readonly uploads: UploadStore
}

/** Creates or migrates the tables of the store in a database, and gives access to them. */
export async function openStore(database: Database, isSeparate = false): Promise<Store> {
  await migrate(database)
  const { driver } = database
  const statements = createStatements(database.dialect.syntax)
  return {
    isSeparate,
    isEmbedded: database.dialect.embedded ?? false,
    read: (work) => driver.read(work, { workload: 'records' }),
    transaction: (work) => driver.transaction(work),
    roles: createRoleStore(statements),
    accounts: createAccountStore(statements, database.dialect.syntax),
    apiKeys: createApiKeyStore(statements),
    secondFactors: createSecondFactorStore(statements, database.dialect.syntax),
    passkeys: createPasskeyStore(statements, database.dialect.syntax),
    tokens: createTokenStore(statements),
    apiRoutes: createApiRouteStore(statements),
    entities: createEntityStore(statements),
    entityVersions: createEntityVersionStore(statements),
    audit: createAuditStore(statements),
    changes: createChangeStore(statements, database.notices),
    logonAttempts: createLogonAttemptStore(statements),
    requestCounts: createRequestCountStore(statements),
    idempotency: createIdempotencyStore(statements),
    givenNames: createGivenNameStore(statements),
    uploads: createUploadStore(statements),
  }
}
