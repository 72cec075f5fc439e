import * as v from 'valibot'
import type { Connection } from '../../database/driver.ts'
import { listOf, refuse, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { PageRequest } from '../../store/page-request.ts'
import { tokenPlace } from '../../store/token-store.ts'
import type { AccessParts } from '../access-parts.ts'
import { accountId, lifetime } from '../authentication/account.ts'
import { hashOfAuthToken } from '../authentication/auth-token.ts'
import { findBrowserProof, newBrowserProof } from '../authentication/known-browser.ts'
import { type LogonResponse, startToken } from '../authentication/start-token.ts'
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
  /** Its SHA-256 in base64url, by which it can be ended. */
  readonly hash: string
  readonly created: string
  readonly expire: string
}

/** The response to a logon, and what a service keeps for the next time. */
type StartedToken = LogonResponse & { readonly browser?: string }

/** Getting, listing and ending authentication tokens. The query may name one `account`, and some of its tokens. */
export interface TokenManagement {
  /**
   * A token for the account that the document names, as from its own logon: for services that log its owner in by other
   * means. With the `browser` of an earlier logon check, only while the account has the password that was checked; with
   * an `id`, only for the account with that id in `/whoami`; with `tokens`, only if one of them is a valid token of the
   * account, whose answer then has a new `browser`. With `expire_days`, for programs that cannot log on again and again: it
   * lasts as many days as the account at most, and is in the audit. Throws RECORD_NOT_FOUND, and DOCUMENT_INVALID for an account
   * that has expired or is disabled.
   */
  start(document: unknown, actor: Actor): Promise<StartedToken>
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
  expire_days: v.optional(lifetime),
})
type TokenRequest = v.InferOutput<typeof newTokenSchema>

const secondsOfDay = 86_400
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

  /** The account of a request for a token, if the request may have one now; throws as `start` does. */
  async function findStartable(
    { account: username, browser, id, tokens: held }: TokenRequest,
    actor: Actor,
    connection: Connection,
  ): Promise<StoredAccount> {
    await accounts.lock(connection, username, 'shared')
    const account = await accounts.find(connection, username)
    if (account === undefined) throw missingRecord('account', username)
    await requireMayAct(parts, connection, actor, account)
    if (account.disabled) {
      throw refusal('account', `The account "${username}" is disabled. Enable it first, at /manage/accounts.`)
    }
    if (account.expiresAt !== undefined && new Date(account.expiresAt) <= now()) {
      throw refusal('account', `The account "${username}" has expired. Extend it first, at /manage/accounts.`)
    }
    if (id !== undefined && id !== accountId(account)) {
      throw refusal('id', `The account "${username}" does not have this id: it was created again.`)
    }
    if (browser !== undefined && findBrowserProof(account, [browser]) === undefined) {
      const detail = `The password of the account "${username}" has changed since, or the account was created again.`
      throw refusal('browser', detail)
    }
    if (held !== undefined && !(await hasValid(connection, held, username))) {
      throw refusal('tokens', `None of these is a valid token of the account "${username}".`)
    }
    return account
  }

  async function startFor(
    request: TokenRequest,
    actor: Actor,
    connection: Connection,
    canWrite: boolean,
    tokenTtlSeconds = parts.tokenTtlSeconds,
  ): Promise<StartedToken> {
    const account = await findStartable(request, actor, connection)
    const started = await startToken({ ...parts, tokenTtlSeconds }, connection, account, canWrite)
    if (request.tokens === undefined) return started
    return { ...started, browser: newBrowserProof(account, parts.randomBytes) }
  }

  /** Unlike other tokens, it must be stored, since it has to survive restarts; and it is in the audit. */
  function startLongLived(request: TokenRequest, days: number, actor: Actor): Promise<StartedToken> {
    const work = async (connection: Connection): Promise<AuditedChange<StartedToken>> => {
      const answer = await startFor(request, actor, connection, true, days * secondsOfDay)
      return { record: 'token', action: 'created', name: request.account, detail: `${days} days`, answer }
    }
    return changeWithAudit(parts, actor, work, 'tokens')
  }

  return {
    async start(document, actor) {
      const request = parseDocument(newTokenSchema, document)
      const { account, address, requestId } = actor
      await tidyStore(parts)
      const answer =
        request.expire_days === undefined
          ? await unlessFull(parts, (connection, canWrite) => startFor(request, actor, connection, canWrite))
          : await startLongLived(request, request.expire_days, actor)
      observe({ kind: 'LogonSucceeded', account: request.account, by: account, address, requestId })
      return answer
    },

    async list(query) {
      const { account, limit, after } = parseDocument(tokenListQuery, query, 'PARAMETER_INVALID')
      const alive = now().toISOString()
      const read = (page: PageRequest) =>
        store.read((connection) => tokens.list(connection, account, { ...page, alive }))
      const stored = await readPage({ limit, after }, read, tokenPlace)
      const items = stored.items.map(({ username, tokenHash, createdAt, expiresAt }) => ({
        username,
        hash: tokenHash,
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

function refusal(member: string, detail: string): AppError {
  return new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: `/${member}`, detail }] })
}
