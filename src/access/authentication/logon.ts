import * as v from 'valibot'
import type { Connection } from '../../database/driver.ts'
import { refuse, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { StoredApiKey } from '../../store/api-key-store.ts'
import type { Store } from '../../store/store.ts'
import { normalizeAddress } from '../../util/network-address.ts'
import type { AccessParts } from '../access-parts.ts'
import { tidyStore } from '../administration/tidy-store.ts'
import { mergedRole, publishedRole, type Role } from '../authorization/role.ts'
import type { Actor, Caller } from '../caller.ts'
import { isName, normalizeName } from '../name.ts'
import { showTimestamp } from '../show-timestamp.ts'
import { unlessFull } from '../unless-full.ts'
import { hashOfApiKey } from './api-key.ts'
import { hashOfAuthToken, newAuthToken } from './auth-token.ts'
import { browserProofsSchema, findBrowserProof, newBrowserProof } from './known-browser.ts'
import { requireRelyingParty } from './passkeys/logon-options.ts'
import { type PasskeyProof, readPasskeyProof, unlessAnswered } from './passkeys/passkey-proof.ts'
import { assertionSchema } from './passkeys/verify.ts'
import { isChallengeOf, newChallenge } from './second-factor/challenge.ts'
import { checkCode } from './second-factor/check-code.ts'
import { activateAtLogon, setUpAtLogon } from './second-factor/set-up.ts'

/** The credentials of a logon. */
export interface LogonAttempt {
  /** The header `X-Xaas-Api-Key`. */
  readonly apiKey: string | readonly string[] | undefined
  readonly document: unknown
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}

/** The response to a logon, with the member names of the API. */
export interface LogonResponse {
  readonly 'x-xaas-auth-token': string
  readonly expire: string
  /** Whether the account expires. */
  readonly limited: boolean
  readonly role: Role
  readonly roles: readonly Role[]
}

/** The credentials of another person's logon that a service checks. */
export interface LogonCheck {
  readonly document: unknown
  /** The service. */
  readonly actor: Actor
}

/** The credentials that a person has entered on a page of the gateway. */
export interface PageLogonAttempt {
  readonly document: unknown
  /** Network address of the browser. */
  readonly address: string
  /** What proves that this browser has logged in before: see `known-browser.ts`. */
  readonly browsers: readonly string[]
  readonly requestId: string
}

/** The response to a check: that of the logon, and what the service or the browser keeps for the next time. */
export interface LogonCheckResponse extends LogonResponse {
  readonly username: string
  /** Proves that this browser has logged in with the account: see `known-browser.ts`. */
  readonly browser: string
  /** If a second factor was set up with this logon: to be shown once. */
  readonly recovery_codes?: readonly string[]
}

/** Longer than any name; keeps look-ups and logs short. */
const longestName = 1000

export const logonSchema = strictObject({ username: v.string(), password: v.string() })
/** What a person enters; with the second factor in two steps. */
const personEntries = {
  username: v.string(),
  password: v.optional(v.string()),
  challenge: v.optional(v.string()),
  code: v.optional(v.pipe(v.string(), v.maxLength(100))),
}
/** A passkey says who its owner is, and replaces the second factor, too. */
const passkeyEntries = { passkey: assertionSchema }
/** What a service adds: it names the client. */
const clientEntries = {
  address: v.pipe(
    v.string(),
    refuse((text) =>
      normalizeAddress(text) === undefined
        ? 'This must be the network address of the client, such as "192.0.2.1".'
        : undefined,
    ),
  ),
  browsers: browserProofsSchema,
}
const passwordAtPage = strictObject(personEntries)
const passkeyAtPage = strictObject(passkeyEntries)
const passwordCheck = strictObject({ ...personEntries, ...clientEntries, api_key: v.optional(v.string()) })
const passkeyCheck = strictObject({ ...passkeyEntries, ...clientEntries })

/** Either with a password or with a passkey. */
export const pageLogonSchema = v.union([passwordAtPage, passkeyAtPage])
export const logonCheckSchema = v.union([passwordCheck, passkeyCheck])

/**
 * Gives a token for the API key, username and password of one account. Throws LOGON_REFUSED if anything is wrong with
 * them: every refusal looks the same and costs the same password check, except that of a logon without a key; LOGON_THROTTLED after too many of them.
 */
export async function logon(parts: AccessParts, attempt: LogonAttempt): Promise<LogonResponse> {
  const { username, password } = parseDocument(logonSchema, attempt.document)
  const { apiKey, address, requestId } = attempt
  if (apiKey === undefined || apiKey === '') throw keyMissing()
  const keyHash = hashOfApiKey(typeof apiKey === 'string' ? apiKey : '')
  const proof = { username: nameIn(username), password, address, keyHash, browsers: [] }
  // The API key is a second secret: programs log on like this, and have no authenticator app.
  const answer = await prove(parts, proof, { requestId }, (connection, { account, canWrite }) =>
    startToken(parts, connection, account, canWrite),
  )
  parts.observe({ kind: 'LogonSucceeded', account: proof.username, address, requestId })
  return answer
}

/**
 * Gives a token for a username and password that a person has entered at a service, such as the web front: people have no
 * API key; one that is sent all the same must be right. The service names their address. Throws like `logon`, under the
 * same limits. Without an API key, an account with a second factor needs a code as well: SECOND_FACTOR_NEEDED has a
 * `challenge`, which replaces the password of the call with the code. A wrong code counts like a wrong password. A passkey
 * replaces all of it; PASSKEY_REFUSED if it is not accepted, PASSKEYS_OFF. Where a second factor is required, an account whose only
 * one is a passkey gets PASSKEY_NEEDED.
 */
export async function checkLogon(
  parts: AccessParts,
  { document, actor }: LogonCheck,
): Promise<LogonCheckResponse> {
  const by = { by: actor.account, requestId: actor.requestId }
  if (hasPasskey(document)) {
    const { address, ...entered } = parseDocument(passkeyCheck, document)
    return logOnByPasskey(parts, { ...entered, address: normalizeAddress(address) ?? '' }, by)
  }
  const { address, api_key: apiKey, ...entered } = parseDocument(passwordCheck, document)
  return logOnPerson(parts, { ...entered, address: normalizeAddress(address) ?? '', apiKey }, by)
}

/**
 * Gives a token for a username and password that a person has entered on a page of the gateway. Throws like `checkLogon`
 * without an API key, under the same limits.
 */
export async function logOnAtPage(
  parts: AccessParts,
  { document, address, browsers, requestId }: PageLogonAttempt,
): Promise<LogonCheckResponse> {
  if (hasPasskey(document)) {
    const { passkey } = parseDocument(passkeyAtPage, document)
    return logOnByPasskey(parts, { passkey, address, browsers }, { requestId })
  }
  const entered = parseDocument(passwordAtPage, document)
  return logOnPerson(parts, { ...entered, address, browsers, apiKey: undefined }, { requestId })
}

function hasPasskey(document: unknown): boolean {
  return typeof document === 'object' && document !== null && 'passkey' in document
}

/** What a person has entered, and the client. */
type Person = v.InferOutput<typeof passwordAtPage> &
  Pick<Proof, 'address' | 'browsers'> & { readonly apiKey: string | undefined }

/** Gives a token for what a person has entered: the second factor is only left out with an API key. */
async function logOnPerson(
  parts: AccessParts,
  { username, password, challenge, code, address, browsers, apiKey }: Person,
  by: { readonly by?: string; readonly requestId: string },
): Promise<LogonCheckResponse> {
  if (password === undefined && challenge === undefined) throw passwordMissing()
  const proof: Proof = {
    username: nameIn(username),
    password: password ?? '',
    challenge,
    secondFactor: apiKey === undefined ? { code } : undefined,
    address,
    keyHash: apiKey === undefined ? undefined : hashOfApiKey(apiKey),
    browsers,
  }
  return proveAndStart(parts, proof, by)
}

/** Gives a token for the answer of an authenticator, whoever it belongs to. */
async function logOnByPasskey(
  parts: AccessParts,
  { passkey, address, browsers }: v.InferOutput<typeof passkeyAtPage> & Pick<Proof, 'address' | 'browsers'>,
  by: { readonly by?: string; readonly requestId: string },
): Promise<LogonCheckResponse> {
  const proved = await readPasskeyProof(parts, passkey, requireRelyingParty(parts))
  const { username } = proved
  const proof: Proof = { username, password: '', passkey: proved, address, keyHash: undefined, browsers }
  try {
    return await proveAndStart(parts, proof, by)
  } catch (error) {
    if (error instanceof AppError && error.code === 'LOGON_REFUSED') throw proved.refusal()
    throw error
  }
}

async function proveAndStart(
  parts: AccessParts,
  proof: Proof,
  by: { readonly by?: string; readonly requestId: string },
): Promise<LogonCheckResponse> {
  const answer = await prove(
    parts,
    proof,
    by,
    async (connection, { account, browser, canWrite, recoveryCodes }) => ({
      username: account.username,
      browser: browser ?? newBrowserProof(account, parts.randomBytes),
      ...(recoveryCodes === undefined ? {} : { recovery_codes: recoveryCodes }),
      ...(await startToken(parts, connection, account, canWrite)),
    }),
  )
  parts.observe({ kind: 'LogonSucceeded', account: proof.username, address: proof.address, ...by })
  return answer
}

/**
 * The account of a person who is logged on and enters the password again. Throws PASSWORD_WRONG, and LOGON_THROTTLED
 * under the same limits as a logon.
 */
export async function confirmPassword(
  parts: AccessParts,
  { account: username, address, requestId }: Actor,
  password: string,
): Promise<StoredAccount> {
  const proof = { username, password, address, keyHash: undefined, browsers: [] }
  try {
    return await prove(parts, proof, { requestId }, async (_connection, { account }) => account)
  } catch (error) {
    if (error instanceof AppError && error.code === 'LOGON_REFUSED') throw wrongPassword()
    throw error
  }
}

/** The error for a person who is logged on and enters a wrong password. */
export function wrongPassword(): AppError {
  const detail = 'This is not the password of your account.'
  return new AppError('PASSWORD_WRONG', { detail, mistakes: [{ pointer: '/password', detail }] })
}

function passwordMissing(): AppError {
  const detail = 'This is missing. Send the password, or the challenge of an earlier answer with a code.'
  return new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: '/password', detail }] })
}

/** Says nothing about the account: it was not looked up. */
function keyMissing(): AppError {
  return new AppError('LOGON_REFUSED', {
    detail: 'The header X-Xaas-Api-Key is missing. Send the API key of the account in it.',
  })
}

function nameIn(text: string): string {
  return normalizeName(text.slice(0, longestName))
}

/** The credentials to check. */
interface Proof {
  readonly username: string
  readonly password: string
  /** In place of the password: that it was right. */
  readonly challenge?: string | undefined
  /** In place of password and second factor. */
  readonly passkey?: PasskeyProof
  /** Absent if none is asked for. */
  readonly secondFactor?: { readonly code: string | undefined } | undefined
  readonly address: string
  /** Undefined if no API key is required. */
  readonly keyHash: string | undefined
  readonly browsers: readonly string[]
}

/** An authenticated account, and the known browser, if any. */
interface Proved {
  readonly account: StoredAccount
  readonly browser: string | undefined
  /** Whether the store has space for new records. */
  readonly canWrite: boolean
  /** If a second factor was activated. */
  readonly recoveryCodes?: readonly string[] | undefined
}

/** Checks credentials under the limits on guessing; `succeed` makes the result, in the transaction of the token. */
async function prove<Answer extends object>(
  parts: AccessParts,
  proof: Proof,
  { by, requestId }: { readonly by?: string; readonly requestId: string },
  succeed: (connection: Connection, proved: Proved) => Promise<Answer>,
): Promise<Answer> {
  const { store, logonLimits, observe } = parts
  const { username, address, keyHash } = proof
  const told = { account: username, address, requestId, ...(by === undefined ? {} : { by }) }
  const look = async (connection: Connection) => {
    const claim = await readClaim(store, connection, proof)
    const browser = findBrowserProof(claim.account, proof.browsers)
    const guess = { username, address, browser, needsKey: keyHash !== undefined }
    return { claim, failures: await logonLimits.count(connection, guess) }
  }

  await tidyStore(parts)
  const first = () => store.read(look)
  return logonLimits.inTurn(proof, first, async ({ claim, failures }) => {
    await logonLimits.slowDown(failures)
    const isRight = await isProved(parts, proof, claim)
    // All failures end here, by the same steps. A success is checked once more, with the token: the account may have
    // changed while its password was checked, and others may have guessed.
    const answer =
      isRight && isSound(parts, proof, claim)
        ? await inTransaction(parts, proof, async (connection, canWrite) => {
            // A change or removal of the account ends its tokens, including this one. One logon at a time sets up a second
            // factor.
            const lock = setsUpSecondFactor(parts, proof, claim) ? 'exclusive' : 'shared'
            await store.accounts.lock(connection, isName(username) ? username : '', lock)
            const { claim: current, failures } = await look(connection)
            const { account, key } = current
            const isUnchanged = account?.passwordHash === claim.account?.passwordHash
            if (account === undefined || !isUnchanged || !isSound(parts, proof, current)) return undefined
            logonLimits.refuseLocked(failures)
            if (proof.passkey !== undefined && !(await proof.passkey.use(connection, { address, requestId })))
              return undefined
            const passed = await passSecondFactor(
              parts,
              connection,
              { account, canWrite },
              { ...proof, requestId },
            )
            if (passed === undefined || passed instanceof AppError) return passed
            if (canWrite) await noteKeyUse(parts, connection, key)
            return succeed(connection, { account, browser: failures.guess.browser, canWrite, ...passed })
          })
        : undefined
    if (answer instanceof AppError) throw answer
    if (answer !== undefined) return answer
    const refusal = await logonLimits.noteFailure(failures)
    observe({ kind: 'LogonRefused', ...told })
    throw refusal
  })
}

/** Whether the first secret is right: the password, that it was right, or the passkey. */
async function isProved(
  { passwords, now }: AccessParts,
  { password, challenge, passkey }: Proof,
  { account }: Claim,
): Promise<boolean> {
  if (passkey !== undefined) return passkey.isRight(account)
  if (challenge !== undefined) return isChallengeOf(account, challenge, now())
  return passwords.verify(account?.passwordHash, password)
}

/** The transaction of a token. A passkey needs one that writes: its challenge would be good again. */
function inTransaction<Result>(
  parts: AccessParts,
  { passkey }: Pick<Proof, 'passkey'>,
  work: (connection: Connection, canWrite: boolean) => Promise<Result>,
): Promise<Result | undefined> {
  if (passkey === undefined) return unlessFull(parts, work)
  return unlessAnswered(() => parts.store.transaction((connection) => work(connection, true)))
}

function setsUpSecondFactor(
  { requiresSecondFactor }: Pick<AccessParts, 'requiresSecondFactor'>,
  { secondFactor }: Pick<Proof, 'secondFactor'>,
  { account }: Pick<Claim, 'account'>,
): boolean {
  return requiresSecondFactor && secondFactor !== undefined && !account?.hasSecondFactor
}

/**
 * What follows from a second factor, if one is asked for; undefined if its code is wrong. Returns SECOND_FACTOR_NEEDED or
 * SECOND_FACTOR_REQUIRED if the code is missing, and PASSKEY_NEEDED if passkeys are the only one: who has the password alone must
 * not put codes in their place.
 */
async function passSecondFactor(
  parts: AccessParts,
  connection: Connection,
  { account, canWrite }: Pick<Proved, 'account' | 'canWrite'>,
  {
    secondFactor,
    address,
    requestId,
  }: Pick<Proof, 'secondFactor' | 'address'> & { readonly requestId: string },
): Promise<Pick<Proved, 'recoveryCodes'> | AppError | undefined> {
  const { username, hasSecondFactor = false } = account
  if (secondFactor === undefined || !(hasSecondFactor || parts.requiresSecondFactor)) return {}
  const { code = '' } = secondFactor
  if (hasSecondFactor) {
    if (code !== '')
      return (await checkCode(parts, connection, { username, code, canWrite })) ? {} : undefined
    const challenge = newChallenge(account, parts.now())
    return new AppError('SECOND_FACTOR_NEEDED', { members: { challenge } })
  }
  if (account.passkeyCount !== undefined && parts.relyingParty !== undefined)
    return new AppError('PASSKEY_NEEDED')
  if (!canWrite) throw new AppError('DATABASE_FULL')
  if (code === '') return setUpAtLogon(parts, connection, account)
  const recoveryCodes = await activateAtLogon(parts, connection, { username, code, address, requestId })
  return recoveryCodes === undefined ? undefined : { recoveryCodes }
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

/** The account and the API key of the credentials. */
interface Claim {
  readonly account: StoredAccount | undefined
  readonly key: StoredApiKey | undefined
}

async function readClaim(
  store: Store,
  connection: Connection,
  { username, keyHash }: Pick<Proof, 'username' | 'keyHash'>,
): Promise<Claim> {
  // Not every database can search for every text; no account is named ''.
  const account = await store.accounts.find(connection, isName(username) ? username : '')
  const key = keyHash === undefined ? undefined : await store.apiKeys.find(connection, keyHash)
  return { account, key }
}

/** Whether key and username belong to one account that is not disabled, and neither has expired. */
function isSound(
  { now }: Pick<AccessParts, 'now'>,
  { keyHash }: Pick<Proof, 'keyHash'>,
  { account, key }: Claim,
): boolean {
  if (account === undefined || account.disabled) return false
  if (keyHash !== undefined && key?.username !== account.username) return false
  const timestamp = now()
  return [account.expiresAt, key?.expiresAt].every((end) => end === undefined || new Date(end) > timestamp)
}

/** The use of a key is stored rarely, so that many logons with one key do not wait for each other. */
const keyUseIntervalMs = 60_000

async function noteKeyUse(
  { store, now }: Pick<AccessParts, 'store' | 'now'>,
  connection: Connection,
  key: StoredApiKey | undefined,
): Promise<void> {
  if (key === undefined) return
  const timestamp = now()
  const notedMs = key.lastUsedAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(key.lastUsedAt)
  if (timestamp.getTime() - notedMs < keyUseIntervalMs) return
  await store.apiKeys.noteUse(connection, key.keyHash, timestamp.toISOString())
}

/** A new token for an account that has not expired; if nothing can be written, only this process keeps it. */
export async function startToken(
  { store, directory, now, randomBytes, tokenTtlSeconds }: AccessParts,
  connection: Connection,
  { username, roles: roleNames, expiresAt: accountEnd }: StoredAccount,
  canWrite: boolean,
): Promise<LogonResponse> {
  const token = newAuthToken(randomBytes)
  const timestamp = now()
  const ttlEnd = new Date(timestamp.getTime() + tokenTtlSeconds * 1000).toISOString()
  const expiresAt = accountEnd !== undefined && accountEnd < ttlEnd ? accountEnd : ttlEnd
  const tokenHash = hashOfAuthToken(token) ?? ''
  if (canWrite) {
    await store.tokens.insert(connection, {
      tokenHash,
      username,
      createdAt: timestamp.toISOString(),
      expiresAt,
    })
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
    expire: showTimestamp(new Date(expiresAt)),
    limited: accountEnd !== undefined,
    role: mergedRole(roles),
    roles,
  }
}
