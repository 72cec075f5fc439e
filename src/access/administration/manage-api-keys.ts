import type { Connection } from '../../database/driver.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { StoredApiKey } from '../../store/api-key-store.ts'
import type { AccessParts } from '../access-parts.ts'
import { endOfLifetime } from '../authentication/account.ts'
import {
  apiKeySchema,
  firstKeyName,
  hashOfApiKey,
  newApiKey,
  prefixOfApiKey,
} from '../authentication/api-key.ts'
import { requireMayAct } from '../authorization/rights.ts'
import type { Actor } from '../caller.ts'
import { normalizeName } from '../name.ts'
import { showTimestamp } from '../show-timestamp.ts'
import { isAdministrator, requireAdministratorLeft } from './administrators.ts'
import { changeWithAudit, insertNamed, missingRecord } from './audited-change.ts'

/** An API key as it is shown: never the key itself. */
export interface ShownApiKey {
  readonly name: string
  /** How the key begins; null for one that was chosen, or that an earlier version made. */
  readonly prefix: string | null
  readonly created: string
  /** Null when it does not expire. */
  readonly expires_at: string | null
  /** To the minute; null when it was never used. */
  readonly last_used: string | null
}

/** How many keys an account may have. */
const mostKeys = 100

/** The API keys of an account, identified by name. Documents come unvalidated from clients. */
export interface ApiKeyManagement {
  list(username: string): Promise<readonly ShownApiKey[]>
  find(username: string, name: string): Promise<ShownApiKey>
  /**
   * The only result that shows the key. The other keys of the account stay as they are. Throws TOO_MANY_API_KEYS from the
   * hundredth on.
   */
  create(
    username: string,
    document: unknown,
    actor: Actor,
  ): Promise<ShownApiKey & { readonly api_key: string }>
  /** Replaces the key `default` of an account; its other keys stay. */
  renew(username: string, actor: Actor): Promise<{ readonly username: string; readonly api_key: string }>
  /**
   * It can no longer be used to log on; tokens that it was used for stay valid. Throws LAST_ADMINISTRATOR for the last
   * key without an expiry of the last administrator.
   */
  remove(username: string, name: string, actor: Actor): Promise<void>
}

/** The management of API keys. */
export function createApiKeyManagement(parts: AccessParts): ApiKeyManagement {
  const { store, now } = parts
  const { accounts, apiKeys } = store

  async function requireAccount(connection: Connection, username: string): Promise<StoredAccount> {
    const account = await accounts.find(connection, username)
    if (account === undefined) throw missingRecord('account', username)
    return account
  }

  async function requireMayChange(
    connection: Connection,
    actor: Actor,
    username: string,
  ): Promise<StoredAccount> {
    const account = await requireAccount(connection, username)
    await requireMayAct(parts, connection, actor, account)
    return account
  }

  async function listStored(givenName: string): Promise<readonly StoredApiKey[]> {
    const username = normalizeName(givenName)
    return store.read(async (connection) => {
      await requireAccount(connection, username)
      return apiKeys.listOf(connection, username)
    })
  }

  return {
    list: async (username) => (await listStored(username)).map(shownApiKey),

    async find(username, givenName) {
      const name = normalizeName(givenName)
      const key = (await listStored(username)).find((candidate) => candidate.name === name)
      if (key === undefined) throw missingKey(name, username)
      return shownApiKey(key)
    },

    async create(givenName, document, actor) {
      const username = normalizeName(givenName)
      const timestamp = now()
      const { name, expire_days, expires_at } = parseDocument(apiKeySchema(timestamp, {}), document)
      return changeWithAudit(parts, actor, async (connection) => {
        await requireMayChange(connection, actor, username)
        if ((await apiKeys.listOf(connection, username)).length >= mostKeys) {
          const detail = `An account has at most ${mostKeys} API keys. Delete one that is no longer used first.`
          throw new AppError('TOO_MANY_API_KEYS', { detail })
        }
        const expiresAt = expires_at?.toISOString() ?? endOfLifetime(timestamp, expire_days)
        const inserted = insertApiKey(parts, connection, { username, name, expiresAt })
        const { key, stored } = await insertNamed(
          `API key of "${username}"`,
          name,
          inserted,
          'delete the one there is',
        )
        const answer = { ...shownApiKey(stored), api_key: key }
        return { record: 'api_key', action: 'created', name: username, detail: name, answer }
      })
    },

    async renew(givenName, actor) {
      const username = normalizeName(givenName)
      return changeWithAudit(parts, actor, async (connection) => {
        await requireMayChange(connection, actor, username)
        await apiKeys.remove(connection, username, firstKeyName)
        const answer = { username, api_key: await insertFirstApiKey(parts, connection, username) }
        return { record: 'account', action: 'changed', name: username, detail: 'api_key', answer }
      })
    },

    async remove(givenUsername, givenName, actor) {
      const username = normalizeName(givenUsername)
      const name = normalizeName(givenName)
      await changeWithAudit(parts, actor, async (connection) => {
        const account = await requireMayChange(connection, actor, username)
        const wasAdministrator = await isAdministrator(parts, connection, account)
        if (!(await apiKeys.remove(connection, username, name))) throw missingKey(name, username)
        if (wasAdministrator) await requireAdministratorLeft(parts, connection)
        return { record: 'api_key', action: 'deleted', name: username, detail: name, answer: undefined }
      })
    },
  }
}

/** Gives an account its first key. */
export async function insertFirstApiKey(
  parts: Pick<AccessParts, 'store' | 'now' | 'randomBytes'>,
  connection: Connection,
  username: string,
): Promise<string> {
  const { key } = await insertApiKey(parts, connection, {
    username,
    name: firstKeyName,
    expiresAt: undefined,
  })
  return key
}

async function insertApiKey(
  { store, now, randomBytes }: Pick<AccessParts, 'store' | 'now' | 'randomBytes'>,
  connection: Connection,
  fields: Pick<StoredApiKey, 'username' | 'name' | 'expiresAt'>,
): Promise<{ readonly key: string; readonly stored: StoredApiKey }> {
  const key = newApiKey(randomBytes)
  const createdAt = now().toISOString()
  const derived = { keyHash: hashOfApiKey(key), prefix: prefixOfApiKey(key) }
  const stored = { ...fields, ...derived, createdAt, lastUsedAt: undefined }
  await store.apiKeys.insert(connection, stored)
  return { key, stored }
}

function shownApiKey({ name, prefix, createdAt, expiresAt, lastUsedAt }: StoredApiKey): ShownApiKey {
  const shown = (timestamp: string | undefined) =>
    timestamp === undefined ? null : showTimestamp(new Date(timestamp))
  return {
    name,
    prefix: prefix ?? null,
    created: showTimestamp(new Date(createdAt)),
    expires_at: shown(expiresAt),
    last_used: shown(lastUsedAt),
  }
}

function missingKey(name: string, username: string) {
  return missingRecord(`API key of "${normalizeName(username)}"`, name)
}
