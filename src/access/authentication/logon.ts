import type * as v from 'valibot'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import { normalizeAddress } from '../../util/network-address.ts'
import type { AccessParts } from '../access-parts.ts'
import type { Actor } from '../caller.ts'
import { normalizeName } from '../name.ts'
import { hashOfApiKey } from './api-key.ts'
import { newBrowserProof } from './known-browser.ts'
import { logonSchema, passkeyAtPage, passkeyCheck, passwordAtPage, passwordCheck } from './logon-documents.ts'
import { requireRelyingParty } from './passkeys/logon-options.ts'
import { readPasskeyProof } from './passkeys/passkey-proof.ts'
import type { Proof } from './proof.ts'
import { prove } from './prove.ts'
import { type LogonResponse, startToken } from './start-token.ts'

/** The credentials of a logon. */
export interface LogonAttempt {
  /** The header `X-Xaas-Api-Key`. */
  readonly apiKey: string | readonly string[] | undefined
  readonly document: unknown
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
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
