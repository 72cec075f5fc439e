import * as v from 'valibot'
import type { Connection } from '../../database/driver.ts'
import { listOf, refuse, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { PageRequest } from '../../store/page-request.ts'
import { tokenPlace } from '../../store/token-store.ts'
import type { AccessParts } from '../access-parts.ts'
import { accountId } from '../authentication/account.ts'
import { hashOfAuthToken } from '../authentication/auth-token.ts'
import { findBrowserProof, newBrowserProof } from '../authentication/known-browser.ts'
import { type LogonResponse, startToken } from '../authentication/logon.ts'
import { mayActOnAll, requireMayAct } from '../authorization/rights.ts'
import type { Actor } from '../caller.ts'
import { nameSchema } from '../name.ts'
import { showTimestamp } from '../show-timestamp.ts'
import { unlessFull } from '../unless-full.ts'
import { type AuditedChange, changeWithAudit, missingRecord } from './audited-change.ts'
import { type ListPage, pageParameters, readPage } from './list-page.ts'
import { tidyStore } from './tidy-store.ts'

/** A token as it is shown: its account, never the token itself. */
interface ShownToken {
  readonly username: string
  readonly created: string
  readonly expire: string
}

/** Getting, listing and ending authentication tokens. The query may name one `account`, and some of its tokens. */
export interface TokenManagement {
  /**
   * A token for the account that the document names, as from its own logon: for services that log its owner in by other
   * means. With the `browser` of an earlier logon check, only while the account has the password that was checked; with
   * an `id`, only for the account with that id in `/whoami`; with `tokens`, only if one of them is a valid token of the
   * account, whose answer then has a new `browser`. Throws RECORD_NOT_FOUND, and DOCUMENT_INVALID for an account
   * that has expired or is disabled.
   */
  start(document: unknown, actor: Actor): Promise<LogonResponse & { readonly browser?: string }>
  /** Those that have not ended, oldest first; the query selects the page. */
  list(query: unknown): Promise<ListPage<ShownToken>>
  /**
   * Returns how many it ended. `hash` names tokens of the account by their SHA-256 in base64url, with commas between them.
   * Throws RIGHTS_NOT_HELD for those of
   * accounts with more rights than the actor.
   */
  end(query: unknown, actor: Actor): Promise<{ readonly ended: number }>
}

export const newTokenSchema = strictObject({
  account: nameSchema,
  browser: v.optional(v.string()),
  id: v.optional(v.string()),
  tokens: v.optional(listOf(v.string(), 20)),
})
const hashes = v.pipe(
  v.string(),
  refuse((text) =>
    /^[\w-]{43}(,[\w-]{43}){0,19}$/.test(text)
      ? undefined
      : 'One to 20 SHA-256 hashes in base64url are expected here, with commas between them.',
  ),
)
export const tokenEndQuery = v.pipe(
  strictObject({ account: v.optional(nameSchema), hash: v.optional(hashes) }),
  refuse(({ account, hash }) =>
    hash !== undefined && account === undefined
      ? 'With "hash", name the "account" of the tokens.'
      : undefined,
  ),
)
export const tokenListQuery = strictObject({ account: v.optional(nameSchema), ...pageParameters })

/** The management of tokens. */
export function createTokenManagement(parts: AccessParts): TokenManagement {
  const { store, now, observe } = parts
  const { tokens, accounts } = store

  async function requireMayEndAll(connection: Connection, actor: Actor): Promise<void> {
    if (mayActOnAll(actor)) return
    const owners = await tokens.usernames(connection)
    const all = await accounts.list(connection)
    await requireMayAct(parts, connection, actor, ...all.filter(({ username }) => owners.has(username)))
  }

  async function hasValid(connection: Connection, held: readonly string[], username: string) {
    for (const token of held) {
      const stored = await tokens.find(connection, hashOfAuthToken(token) ?? '')
      if (stored?.username === username && new Date(stored.expiresAt) > now()) return true
    }
    return false
  }

  return {
    async start(document, actor) {
      const { account: by, address, requestId } = actor
      const { account: username, browser, id, tokens: held } = parseDocument(newTokenSchema, document)
      await tidyStore(parts)
      const answer = await unlessFull(parts, async (connection, canWrite) => {
        await accounts.lock(connection, username, 'shared')
        const account = await accounts.find(connection, username)
        if (account === undefined) throw missingRecord('account', username)
        await requireMayAct(parts, connection, actor, account)
        if (account.disabled) {
          const detail = `The account "${username}" is disabled. Enable it first, at /manage/accounts.`
          throw new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: '/account', detail }] })
        }
        if (account.expiresAt !== undefined && new Date(account.expiresAt) <= now()) {
          const detail = `The account "${username}" has expired. Extend it first, at /manage/accounts.`
          throw new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: '/account', detail }] })
        }
        if (id !== undefined && id !== accountId(account)) {
          const detail = `The account "${username}" does not have this id: it was created again.`
          throw new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: '/id', detail }] })
        }
        if (browser !== undefined && findBrowserProof(account, [browser]) === undefined) {
          const detail = `The password of the account "${username}" has changed since, or the account was created again.`
          throw new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: '/browser', detail }] })
        }
        if (held === undefined) return startToken(parts, connection, account, canWrite)
        if (!(await hasValid(connection, held, username))) {
          const detail = `None of these is a valid token of the account "${username}".`
          throw new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: '/tokens', detail }] })
        }
        const started = await startToken(parts, connection, account, canWrite)
        return { ...started, browser: newBrowserProof(account, parts.randomBytes) }
      })
      observe({ kind: 'LogonSucceeded', account: username, by, address, requestId })
      return answer
    },

    async list(query) {
      const { account, limit, after } = parseDocument(tokenListQuery, query, 'PARAMETER_INVALID')
      const alive = now().toISOString()
      const read = (page: PageRequest) =>
        store.read((connection) => tokens.list(connection, account, { ...page, alive }))
      const stored = await readPage({ limit, after }, read, tokenPlace)
      const items = stored.items.map(({ username, createdAt, expiresAt }) => ({
        username,
        created: showTimestamp(new Date(createdAt)),
        expire: showTimestamp(new Date(expiresAt)),
      }))
      return { ...stored, items }
    },

    async end(query, actor) {
      const { account, hash } = parseDocument(tokenEndQuery, query, 'PARAMETER_INVALID')
      const work = async (connection: Connection): Promise<AuditedChange<{ readonly ended: number }>> => {
        await tokens.removeEnded(connection, now().toISOString())
        if (account === undefined) {
          await requireMayEndAll(connection, actor)
          const ended = await tokens.removeAll(connection)
          return { record: 'token', action: 'deleted', name: '', detail: 'all', answer: { ended } }
        }
        const stored = await accounts.find(connection, account)
        if (stored === undefined) throw missingRecord('account', account)
        await requireMayAct(parts, connection, actor, stored)
        const ended =
          hash === undefined
            ? await tokens.removeOf(connection, account)
            : await tokens.removeSome(connection, account, hash.split(','))
        return { record: 'token', action: 'deleted', name: account, answer: { ended } }
      }
      return changeWithAudit(parts, actor, work, 'tokens')
    },
  }
}
