import type { Connection } from '../../database/driver.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import type { Precondition } from '../../http/etag.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { AuditChanges } from '../../store/audit-store.ts'
import type { PageRequest } from '../../store/page-request.ts'
import type { Store } from '../../store/store.ts'
import type { AccessParts } from '../access-parts.ts'
import {
  accountChangeSchema,
  accountSchema,
  changedEnd,
  endOfLifetime,
  type ShownAccount,
  shownAccount,
} from '../authentication/account.ts'
import { requireMayAct, requireMayGive } from '../authorization/rights.ts'
import type { Actor } from '../caller.ts'
import { normalizeName } from '../name.ts'
import { isAdministrator, requireAdministratorLeft } from './administrators.ts'
import { changesBetween } from './audit-changes.ts'
import { changeWithAudit, insertNamed, missingRecord } from './audited-change.ts'
import { type ListPage, pageQuery, readPage } from './list-page.ts'
import { insertFirstApiKey } from './manage-api-keys.ts'

/**
 * Reading and changing accounts. Documents come unvalidated from clients. Where a change has a precondition, it is met by the
 * account as `find` gives it, as JSON, or the change throws PRECONDITION_FAILED; no one can change the account between.
 */
export interface AccountManagement {
  /** By username; the query selects the page. */
  list(query: unknown): Promise<ListPage<ShownAccount>>
  find(username: string): Promise<ShownAccount>
  /** The result shows the new account's API key. */
  create(document: unknown, actor: Actor): Promise<ShownAccount & { readonly api_key: string }>
  /** A new password, or disabling the account, ends its tokens. */
  change(
    username: string,
    document: unknown,
    actor: Actor,
    precondition?: Precondition,
  ): Promise<ShownAccount>
  /** Ends its API keys and its tokens. */
  remove(username: string, actor: Actor, precondition?: Precondition): Promise<void>
}

/** The management of accounts. */
export function createAccountManagement(parts: AccessParts): AccountManagement {
  const { store, passwords, now } = parts
  const { accounts, apiKeys, tokens } = store

  async function findStored(
    connection: Connection,
    username: string,
    precondition?: Precondition,
  ): Promise<StoredAccount> {
    const account = await accounts.find(connection, username)
    if (account === undefined) throw missingRecord('account', username, precondition?.hasSeenRecord)
    precondition?.assert(JSON.stringify(shownAccount(account)))
    return account
  }

  return {
    async list(query) {
      const page = parseDocument(pageQuery, query, 'PARAMETER_INVALID')
      const read = (wanted: PageRequest) => store.read((connection) => accounts.list(connection, wanted))
      const stored = await readPage(page, read, ({ username }) => username)
      return { ...stored, items: stored.items.map(shownAccount) }
    },

    async find(username) {
      return shownAccount(await store.read((connection) => findStored(connection, normalizeName(username))))
    },

    async create(document, actor) {
      const given = parseDocument(accountSchema, document)
      const { username, password, role, expire_days, metadata = {}, disabled = false, limits } = given
      const timestamp = now()
      const account: StoredAccount = {
        username,
        passwordHash: await passwords.hash(password),
        roles: rolesOf(role),
        metadata,
        createdAt: timestamp.toISOString(),
        expireDays: expire_days ?? undefined,
        expiresAt: endOfLifetime(timestamp, expire_days),
        disabled,
        limits: limits ?? undefined,
      }
      return changeWithAudit(parts, actor, async (connection) => {
        await refuseUnknownRoles(store, connection, role)
        await requireMayGive(parts, connection, actor, placesOf(role), account)
        await insertNamed('account', username, accounts.insert(connection, account))
        const api_key = await insertFirstApiKey(parts, connection, username)
        const answer = { ...shownAccount(await findStored(connection, username)), api_key }
        const changes = changesOf(undefined, account)
        return { record: 'account', action: 'created', name: username, changes, answer }
      })
    },

    async change(givenName, document, actor, precondition) {
      const given = parseDocument(accountChangeSchema, document)
      const { password, role, metadata, disabled, limits } = given
      const username = normalizeName(givenName)
      await store.read((connection) => findStored(connection, username, precondition))
      const passwordHash = password === undefined ? undefined : await passwords.hash(password)
      return changeWithAudit(parts, actor, async (connection) => {
        const before = await findStored(connection, username, precondition)
        if (username === actor.account) refuseOwn(given)
        await requireMayAct(parts, connection, actor, before)
        if (role !== undefined) await refuseUnknownRoles(store, connection, role)
        const wasAdministrator = await isAdministrator(parts, connection, before)
        const account: StoredAccount = {
          ...before,
          passwordHash: passwordHash ?? before.passwordHash,
          roles: role === undefined ? before.roles : rolesOf(role),
          metadata: metadata ?? before.metadata,
          ...changedEnd(given, before, now()),
          disabled: disabled ?? before.disabled,
          limits: limits === undefined ? before.limits : (limits ?? undefined),
        }
        if (role !== undefined) await requireMayGive(parts, connection, actor, placesOf(role), account)
        else if (metadata !== undefined)
          // Conditions of its roles may depend on it.
          await requireMayGive(parts, connection, actor, placesFor(account.roles, '/metadata'), account)
        await accounts.update(connection, account)
        if (wasAdministrator) await requireAdministratorLeft(parts, connection)
        // Also when it is enabled again: a token may have been made while it was being disabled.
        const endsTokens = passwordHash !== undefined || account.disabled !== before.disabled
        if (endsTokens) await tokens.removeOf(connection, username)
        return {
          record: 'account',
          action: 'changed',
          name: username,
          detail: Object.keys(given).join(', '),
          changes: { ...changesOf(before, account), ...(password === undefined ? {} : { password: {} }) },
          answer: shownAccount(await findStored(connection, username)),
        }
      })
    },

    async remove(givenName, actor, precondition) {
      const username = normalizeName(givenName)
      await changeWithAudit(parts, actor, async (connection) => {
        await accounts.lock(connection, username, 'exclusive')
        const account = await findStored(connection, username, precondition)
        await requireMayAct(parts, connection, actor, account)
        const wasAdministrator = await isAdministrator(parts, connection, account)
        await tokens.removeOf(connection, username)
        await apiKeys.removeOf(connection, username)
        await store.secondFactors.remove(connection, username)
        await store.passkeys.removeOf(connection, username)
        await store.requestCounts.removeOf(connection, username)
        await accounts.remove(connection, username)
        if (wasAdministrator) await requireAdministratorLeft(parts, connection)
        const changes = changesOf(account, undefined)
        return { record: 'account', action: 'deleted', name: username, changes, answer: undefined }
      })
    },
  }
}

/** Metadata may be about a person: the audit, which is kept, does not keep its values. */
function changesOf(before: StoredAccount | undefined, after: StoredAccount | undefined): AuditChanges {
  return changesBetween(before && shownAccount(before), after && shownAccount(after), ['metadata'])
}

function rolesOf(role: string | readonly string[]): readonly string[] {
  return typeof role === 'string' ? [role] : [...new Set(role)]
}

/** The location of each role in a document. */
function placesOf(role: string | readonly string[]) {
  return typeof role === 'string'
    ? [{ name: role, pointer: '/role' }]
    : role.map((name, index) => ({ name, pointer: `/role/${index}` }))
}

/** The same location for each role. */
function placesFor(roles: readonly string[], pointer: string) {
  return roles.map((name) => ({ name, pointer }))
}

/** The owner of an account must not change what others set. */
function refuseOwn(changes: { readonly metadata?: unknown; readonly limits?: unknown }): void {
  for (const key of ['metadata', 'limits'] as const) {
    if (changes[key] === undefined) continue
    const detail = `An account cannot change its own ${key}: its rights depend on them.`
    throw new AppError('RIGHTS_NOT_HELD', { detail, mistakes: [{ pointer: `/${key}`, detail }] })
  }
}

async function refuseUnknownRoles(
  store: Store,
  connection: Connection,
  role: string | readonly string[],
): Promise<void> {
  const mistakes: Mistake[] = []
  for (const { name, pointer } of placesOf(role)) {
    if ((await store.roles.find(connection, name)) !== undefined) continue
    mistakes.push({ pointer, detail: `There is no role named "${name}". Create it first, at /manage/roles.` })
  }
  if (mistakes.length > 0) throw new AppError('DOCUMENT_INVALID', { mistakes })
}
