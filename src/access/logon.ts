import * as v from 'valibot'
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { strictObject } from '../http/document-schema.ts'
import { parseDocument } from '../http/parse-document.ts'
import type { StoredAccount } from '../store/account-store.ts'
import type { StoredApiKey } from '../store/api-key-store.ts'
import type { Store } from '../store/store.ts'
import type { AccessParts } from './access-parts.ts'
import { hashOfApiKey } from './api-key.ts'
import { hashOfAuthToken, newAuthToken } from './auth-token.ts'
import type { Caller } from './caller.ts'
import { noteAttempt } from './limit-logons.ts'
import { showMoment } from './moment.ts'
import { isName, normalizeName } from './name.ts'
import { mergedRole, publishedRole, type Role } from './role.ts'
import { unlessFull } from './unless-full.ts'

/** What somebody shows to log on. */
export interface LogonAttempt {
  /** The header `X-Xaas-Api-Key`. */
  readonly apiKey: string | readonly string[] | undefined
  readonly document: unknown
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}

/** The answer to a logon, in the words of the interface. */
export interface LogonAnswer {
  readonly 'x-xaas-auth-token': string
  readonly expire: string
  /** Whether the account has an end. */
  readonly limited: boolean
  readonly role: Role
  readonly roles: readonly Role[]
}

/** Far beyond any name there can be; keeps what is looked up and logged short. */
const longestName = 1000

const logonSchema = strictObject({ username: v.string(), password: v.string() })

/**
 * Gives a token for the API key, username and password of one account. Throws LOGON_REFUSED for whatever
 * is wrong with them: every refusal is answered alike and costs the same check of a password; LOGON_THROTTLED
 * after too many of them.
 */
export async function logon(parts: AccessParts, attempt: LogonAttempt): Promise<LogonAnswer> {
  const { username: givenName, password } = parseDocument(logonSchema, attempt.document)
  const username = normalizeName(givenName.slice(0, longestName))
  const keyHash = hashOfApiKey(typeof attempt.apiKey === 'string' ? attempt.apiKey : '')
  const { store, passwords, observe } = parts
  const { address, requestId } = attempt

  const noted = await noteAttempt(parts, { username, address })
  const read = (connection: Connection) => readClaim(store, connection, { username, keyHash })
  const claim = await store.read(read)
  const isPasswordRight = await passwords.verify(claim.account?.passwordHash, password)
  // Everything that is wrong ends here, by the same steps. What is right is looked at once more, with
  // the token: the account may have been changed while its password was checked.
  const answer =
    isPasswordRight && isSound(parts, claim)
      ? await unlessFull(parts, async (connection, canWrite) => {
          // Whoever changes or removes the account ends its tokens: this one before it, or with it.
          await store.accounts.lock(connection, isName(username) ? username : '', 'shared')
          const { account, key } = await read(connection)
          const isUnchanged = account?.passwordHash === claim.account?.passwordHash
          if (account === undefined || !isUnchanged || !isSound(parts, { account, key })) return undefined
          await noted.takeBack(connection, canWrite)
          if (canWrite) await noteKeyUse(parts, connection, key)
          return startToken(parts, connection, account, canWrite)
        })
      : undefined
  if (answer === undefined) {
    observe({ kind: 'LogonRefused', account: username, address, requestId })
    throw new AppError('LOGON_REFUSED')
  }
  observe({ kind: 'LogonSucceeded', account: username, address, requestId })
  return answer
}

/** Ends the token of a caller. */
export async function logoff(
  { store, directory }: Pick<AccessParts, 'store' | 'directory'>,
  { tokenHash }: Pick<Caller, 'tokenHash'>,
): Promise<void> {
  // A token that is not in the store ends here.
  directory.forgetToken(tokenHash)
  await store.transaction(async (connection) => {
    await store.changes.note(connection, 'tokens')
    await store.tokens.remove(connection, tokenHash)
  })
  directory.forgetToken(tokenHash)
}

/** The account whose name was shown, and the API key that was. */
interface Claim {
  readonly account: StoredAccount | undefined
  readonly key: StoredApiKey | undefined
}

async function readClaim(
  store: Store,
  connection: Connection,
  { username, keyHash }: { readonly username: string; readonly keyHash: string },
): Promise<Claim> {
  // Not every product can look for every text; nobody is named ''.
  const account = await store.accounts.find(connection, isName(username) ? username : '')
  const key = await store.apiKeys.find(connection, keyHash)
  return { account, key }
}

/** Whether key and username are of one account, and neither has ended. */
function isSound({ now }: Pick<AccessParts, 'now'>, { account, key }: Claim): boolean {
  if (account === undefined || key?.username !== account.username) return false
  const moment = now()
  return [account.expiresAt, key.expiresAt].every((end) => end === undefined || new Date(end) > moment)
}

/** The use of a key is written down so seldom that many logons with one key do not wait for each other. */
const keyUseIntervalMs = 60_000

async function noteKeyUse(
  { store, now }: Pick<AccessParts, 'store' | 'now'>,
  connection: Connection,
  key: StoredApiKey | undefined,
): Promise<void> {
  if (key === undefined) return
  const moment = now()
  const notedMs = key.lastUsedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(key.lastUsedAt)
  if (moment.getTime() - notedMs < keyUseIntervalMs) return
  await store.apiKeys.noteUse(connection, key.keyHash, moment.toISOString())
}

/** A new token for an account that has not ended; where nothing can be written it is kept by this process alone. */
export async function startToken(
  { store, directory, now, randomBytes, tokenTtlSeconds }: AccessParts,
  connection: Connection,
  { username, roles: roleNames, expiresAt: accountEnd }: StoredAccount,
  canWrite: boolean,
): Promise<LogonAnswer> {
  const token = newAuthToken(randomBytes)
  const moment = now()
  const ttlEnd = new Date(moment.getTime() + tokenTtlSeconds * 1000).toISOString()
  const expiresAt = accountEnd !== undefined && accountEnd < ttlEnd ? accountEnd : ttlEnd
  const tokenHash = hashOfAuthToken(token) ?? ''
  if (canWrite) {
    await store.tokens.removeEnded(connection, moment.toISOString())
    await store.tokens.insert(connection, { tokenHash, username, createdAt: moment.toISOString(), expiresAt })
  } else {
    directory.holdToken({ tokenHash, username, expiresAt: new Date(expiresAt) })
  }
  const roles: Role[] = []
  for (const name of roleNames) {
    const role = await store.roles.find(connection, name)
    if (role !== undefined) roles.push(publishedRole(role))
  }
  return {
    'x-xaas-auth-token': token,
    expire: showMoment(new Date(expiresAt)),
    limited: accountEnd !== undefined,
    role: mergedRole(roles),
    roles,
  }
}
