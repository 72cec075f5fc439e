import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { AuditEntry } from '../../store/audit-store.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../util/clock.ts'
import type { RandomSource } from '../../util/random-source.ts'
import { createUuidV7 } from '../../util/uuid-v7.ts'
import { hashPassword } from '../authentication/password.ts'
import { patternOf } from '../authorization/authority.ts'
import { normalizeName } from '../name.ts'
import { hasAdministrator } from './administrators.ts'
import { missingRecord } from './audited-change.ts'
import { administratorRole, adminName } from './bootstrap.ts'
import { insertFirstApiKey } from './manage-api-keys.ts'

/** The parts that a reset needs. */
export interface ResetParts {
  readonly store: Store
  readonly now: Clock
  readonly randomBytes: RandomSource
}

/** A reset account with its new secrets: to be shown once. */
export interface ResetAccount {
  readonly username: string
  readonly password: string
  readonly apiKey: string
}

/**
 * Gives an account a new password and a new API key, for a person who has the store but cannot log on any more. Its other
 * keys, its tokens, its second factor and its passkeys end, an expiry that has passed is removed, and a disabled account is enabled. With `role` it gets
 * that role, and is created if missing; a role `admin` that is missing, or no longer makes administrators, is reset to
 * allow everything. Throws RECORD_NOT_FOUND for a missing account or role.
 */
export async function resetAccount(
  parts: ResetParts,
  { username: givenName, role }: { readonly username: string; readonly role: string | undefined },
): Promise<ResetAccount> {
  const { store, now, randomBytes } = parts
  const username = normalizeName(givenName)
  const password = Buffer.from(randomBytes(18)).toString('base64url')
  const passwordHash = await hashPassword(password)
  const nextId = createUuidV7(now, randomBytes)
  const note = (connection: Connection, entry: Pick<AuditEntry, 'record' | 'action' | 'name'>) =>
    store.audit.append(connection, {
      ...entry,
      id: nextId(),
      happenedAt: now().toISOString(),
      account: undefined,
      address: '',
      requestId: '',
      detail: 'account reset',
    })

  const apiKey = await store.transaction(async (connection) => {
    // First, because other changes of records wait for it.
    await store.changes.note(connection, 'records')
    await store.changes.note(connection, 'tokens')
    if (role !== undefined && (await store.roles.find(connection, role)) === undefined) {
      if (role !== adminName) throw missingRecord('role', role)
      await store.roles.insert(connection, administratorRole)
      await note(connection, { record: 'role', action: 'created', name: role })
    }
    const before = await store.accounts.find(connection, username)
    if (before === undefined && role === undefined) throw withoutRole(username)
    const account = accountAfter(before, { username, passwordHash, role, timestamp: now().toISOString() })
    if (before === undefined) await store.accounts.insert(connection, account)
    else await store.accounts.update(connection, account)
    await store.tokens.removeOf(connection, username)
    await store.apiKeys.removeOf(connection, username)
    await store.secondFactors.remove(connection, username)
    await store.passkeys.removeOf(connection, username)
    const key = await insertFirstApiKey(parts, connection, username)
    await note(connection, {
      record: 'account',
      action: before === undefined ? 'created' : 'changed',
      name: username,
    })
    if (role === adminName && !(await hasAdministrator({ store, directory: { patternOf } }, connection))) {
      await store.roles.update(connection, administratorRole)
      await note(connection, { record: 'role', action: 'changed', name: role })
    }
    return key
  })
  return { username, password, apiKey }
}

function accountAfter(
  before: StoredAccount | undefined,
  {
    username,
    passwordHash,
    role,
    timestamp,
  }: {
    readonly username: string
    readonly passwordHash: string
    readonly role: string | undefined
    readonly timestamp: string
  },
): StoredAccount {
  const base = before ?? { username, roles: [], metadata: {}, createdAt: timestamp }
  const isOver = before?.expiresAt !== undefined && before.expiresAt <= timestamp
  return {
    ...base,
    disabled: false,
    passwordHash,
    roles: role === undefined ? base.roles : [role],
    expireDays: isOver ? undefined : before?.expireDays,
    expiresAt: isOver ? undefined : before?.expiresAt,
  }
}

function withoutRole(username: string): AppError {
  return new AppError('RECORD_NOT_FOUND', {
    detail: `There is no account named "${username}". With --role it is created.`,
  })
}
