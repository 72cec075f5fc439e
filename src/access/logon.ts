import * as v from 'valibot'
import type { Connection } from '../database/driver.ts'
import { AppError } from '../errors/app-error.ts'
import { strictObject } from '../http/document-schema.ts'
import { parseDocument } from '../http/parse-document.ts'
import type { StoredAccount } from '../store/account-store.ts'
import type { Store } from '../store/store.ts'
import type { AccessParts } from './access-parts.ts'
import { hashOfApiKey } from './api-key.ts'
import { hashOfAuthToken, newAuthToken } from './auth-token.ts'
import type { Caller } from './caller.ts'
import { noteAttempt } from './limit-logons.ts'
import { showMoment } from './moment.ts'
import { normalizeName } from './name.ts'
import { mergedRole, publishedRole, type Role } from './role.ts'

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

  const attemptId = await noteAttempt(parts, { username, address })
  const read = (connection: Connection) => readClaim(store, connection, { username, keyHash })
  const claim = await store.read(read)
  const isPasswordRight = await passwords.verify(claim.account?.passwordHash, password)
  // Everything that is wrong ends here, by the same steps. What is right is looked at once more, with
  // the token: the account may have been changed while its password was checked.
  const answer =
    isPasswordRight && isSound(parts, claim)
      ? await store.transaction(async (connection) => {
          const { account, keyOwner } = await read(connection)
          const isUnchanged = account?.passwordHash === claim.account?.passwordHash
          if (account === undefined || !isUnchanged || !isSound(parts, { account, keyOwner }))
            return undefined
          await store.logonAttempts.remove(connection, attemptId)
          return startToken(parts, connection, account)
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
  await store.transaction(async (connection) => {
    await store.tokens.remove(connection, tokenHash)
    await store.changes.note(connection)
  })
  directory.forgetToken(tokenHash)
}

/** Whose username and whose API key was shown. */
interface Claim {
  readonly account: StoredAccount | undefined
  readonly keyOwner: string | undefined
}

async function readClaim(
  store: Store,
  connection: Connection,
  { username, keyHash }: { readonly username: string; readonly keyHash: string },
): Promise<Claim> {
  const account = await store.accounts.find(connection, username)
  const key = await store.apiKeys.find(connection, keyHash)
  return { account, keyOwner: key?.username }
}

/** Whether key and username are of one account that has not ended. */
function isSound({ now }: Pick<AccessParts, 'now'>, { account, keyOwner }: Claim): boolean {
  if (account === undefined || keyOwner !== account.username) return false
  return account.expiresAt === undefined || new Date(account.expiresAt) > now()
}

/** A new token for an account that has not ended. */
export async function startToken(
  { store, now, randomBytes, tokenTtlSeconds }: AccessParts,
  connection: Connection,
  { username, roles: roleNames, expiresAt: accountEnd }: StoredAccount,
): Promise<LogonAnswer> {
  const token = newAuthToken(randomBytes)
  const moment = now()
  const ttlEnd = new Date(moment.getTime() + tokenTtlSeconds * 1000).toISOString()
  const expiresAt = accountEnd !== undefined && accountEnd < ttlEnd ? accountEnd : ttlEnd
  await store.tokens.removeEnded(connection, moment.toISOString())
  await store.tokens.insert(connection, {
    tokenHash: hashOfAuthToken(token) ?? '',
    username,
    createdAt: moment.toISOString(),
    expiresAt,
  })
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
