import * as v from 'valibot'
import { DatabaseError } from '../../database/database-error.ts'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { StoredApiKey } from '../../store/api-key-store.ts'
import type { Store } from '../../store/store.ts'
import type { Clock } from '../../util/clock.ts'
import type { RandomSource } from '../../util/random-source.ts'
import { createUuidV7 } from '../../util/uuid-v7.ts'
import {
  firstKeyName,
  hashOfApiKey,
  isAcceptableApiKey,
  newApiKey,
  prefixOfApiKey,
} from '../authentication/api-key.ts'
import { hashPassword, type PasswordCost, passwordSchema } from '../authentication/password.ts'
import { knownMethods } from '../authorization/method.ts'
import type { Role } from '../authorization/role.ts'

/** The data for the first account. */
export interface BootstrapOptions {
  readonly store: Store
  readonly now: Clock
  readonly randomBytes: RandomSource
  /** Chosen by the operator; generated if absent. */
  readonly password?: string
  readonly apiKey?: string
  /** Of the hash that is made; absent for the cost that is safe. */
  readonly passwordCost?: PasswordCost | undefined
}

/** The account that a first start created, with the generated secrets: to be shown once. Given ones are absent. */
export interface BootstrappedAccount {
  readonly username: string
  readonly password?: string
  readonly apiKey?: string
}

/** The account and the role that a first start creates. */
export const adminName = 'admin'

/** The role that allows everything. */
export const administratorRole: Role = {
  name: adminName,
  authorities: [{ regex: '.*', methods: knownMethods }],
}

/**
 * Creates, in a store without roles and accounts, a role that allows everything and an account with it. Undefined if the
 * store is not empty, even if a password or key is given.
 */
export async function bootstrap(options: BootstrapOptions): Promise<BootstrappedAccount | undefined> {
  const { store } = options
  if (!(await store.read((connection) => isEmpty(store, connection)))) return undefined
  const secrets = secretsOf(options)
  const passwordHash = await hashPassword(secrets.password, options.passwordCost)
  try {
    const made = await store.transaction(async (connection) => {
      if (!(await isEmpty(store, connection))) return false
      const prefix = options.apiKey === undefined ? prefixOfApiKey(secrets.apiKey) : undefined
      const keyHash = hashOfApiKey(secrets.apiKey)
      await insertAdministrator(options, connection, { passwordHash, keyHash, prefix })
      return true
    })
    if (!made) return undefined
  } catch (error) {
    // Another node was first.
    if (error instanceof DatabaseError && error.kind === 'uniqueViolation') return undefined
    throw error
  }
  return {
    username: adminName,
    ...(options.password === undefined ? { password: secrets.password } : {}),
    ...(options.apiKey === undefined ? { apiKey: secrets.apiKey } : {}),
  }
}

async function isEmpty(store: Store, connection: Connection): Promise<boolean> {
  const roles = await store.roles.list(connection, { limit: 1 })
  const accounts = await store.accounts.list(connection, { limit: 1 })
  return roles.length === 0 && accounts.length === 0
}

function secretsOf({ password, apiKey, randomBytes }: BootstrapOptions): {
  password: string
  apiKey: string
} {
  if (password !== undefined && !v.is(passwordSchema, password)) {
    throw new AppError('DOCUMENT_INVALID', {
      detail: 'The password for the first account (admin_password) must have 8 to 1,024 characters.',
    })
  }
  if (apiKey !== undefined && !isAcceptableApiKey(apiKey)) {
    throw new AppError('DOCUMENT_INVALID', {
      detail:
        'The API key for the first account (admin_api_key) must have 32 to 200 characters, all of them visible ASCII. “openssl rand -hex 32” makes one.',
    })
  }
  return {
    password: password ?? Buffer.from(randomBytes(18)).toString('base64url'),
    apiKey: apiKey ?? newApiKey(randomBytes),
  }
}

async function insertAdministrator(
  { store, now, randomBytes }: BootstrapOptions,
  connection: Connection,
  { passwordHash, ...key }: Pick<StoredAccount, 'passwordHash'> & Pick<StoredApiKey, 'keyHash' | 'prefix'>,
): Promise<void> {
  const createdAt = now().toISOString()
  const nextId = createUuidV7(now, randomBytes)
  await store.roles.insert(connection, administratorRole)
  await store.accounts.insert(connection, {
    username: adminName,
    passwordHash,
    roles: [adminName],
    metadata: {},
    createdAt,
    expireDays: undefined,
    expiresAt: undefined,
    disabled: false,
  })
  await store.apiKeys.insert(connection, {
    ...key,
    username: adminName,
    name: firstKeyName,
    createdAt,
    expiresAt: undefined,
    lastUsedAt: undefined,
  })
  for (const record of ['role', 'account'] as const) {
    await store.audit.append(connection, {
      id: nextId(),
      happenedAt: createdAt,
      account: undefined,
      address: '',
      requestId: '',
      action: 'created',
      record,
      name: adminName,
      detail: 'first start',
    })
  }
}
