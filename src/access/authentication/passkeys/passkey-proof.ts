/** A passkey in place of a password: it proves two factors, what its owner has and what unlocks it. */
import { createHash } from 'node:crypto'
import { DatabaseError } from '../../../database/database-error.ts'
import type { Connection } from '../../../database/driver.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { StoredAccount } from '../../../store/account-store.ts'
import type { StoredPasskey } from '../../../store/passkey-store.ts'
import type { AccessParts } from '../../access-parts.ts'
import { accountId } from '../account.ts'
import { answerChallenge, checkChallenge, logonPurpose } from './challenges.ts'
import { readClientData, wrongOriginIn } from './client-data.ts'
import type { RelyingParty } from './relying-party.ts'
import { type Assertion, verifyAssertion } from './verify.ts'

/** The answer of an authenticator to the challenge of a logon. */
export interface PasskeyProof {
  /** Of the account that the passkey belongs to; '' if it is unknown. */
  readonly username: string
  /** Whether the answer is right, for the account with its username. */
  isRight(account: StoredAccount | undefined): Promise<boolean>
  /**
   * Uses up the challenge of a right answer and stores the use; whether the passkey still is what it was. A counter that went
   * back is audited. Throws `uniqueViolation` if the challenge was answered before.
   */
  use(connection: Connection, caller: ProofCaller): Promise<boolean>
  /** Says why it was refused: nothing that depends on accounts. */
  readonly refusal: () => AppError
}

/** Where a proof comes from. */
interface ProofCaller {
  readonly address: string
  readonly requestId: string
}

type ProofParts = Pick<AccessParts, 'store' | 'now' | 'randomBytes' | 'nextId' | 'signingKey'>

/** The stored id of a credential. */
export function passkeyIdOf(credentialId: string): string {
  return createHash('sha256').update(credentialId).digest('base64url')
}

/** Reads the answer of an authenticator. */
export async function readPasskeyProof(
  parts: ProofParts,
  assertion: Assertion,
  relyingParty: RelyingParty,
): Promise<PasskeyProof> {
  const { store } = parts
  const id = passkeyIdOf(assertion.id)
  const passkey = await store.read((connection) => store.passkeys.find(connection, id))
  const client = readClientData(assertion.response.clientDataJSON, 'webauthn.get')
  const challenge = client?.challenge ?? ''
  const wrongOrigin = client === undefined ? undefined : wrongOriginIn(client, relyingParty)
  const state = await checkChallenge(parts, challenge, logonPurpose)
  let verified: Pick<StoredPasskey, 'counter' | 'backedUp'> | undefined

  return {
    username: passkey?.username ?? '',
    async isRight(account) {
      if (passkey === undefined || account === undefined || state !== 'valid') return false
      if (client === undefined || !isHandleOf(account, assertion)) return false
      verified = await verifyAssertion(assertion, { challenge, passkey }, relyingParty)
      return verified !== undefined
    },
    async use(connection, caller) {
      const current = await store.passkeys.findLocked(connection, id)
      if (verified === undefined || current === undefined || current.username !== passkey?.username)
        return false
      await answerChallenge(parts, connection, challenge)
      if (hasGoneBack(current, verified)) {
        await tellOfCounter(parts, connection, { ...current, answered: verified.counter }, caller)
        return false
      }
      const lastUsedAt = parts.now().toISOString()
      await store.passkeys.noteUse(connection, { ...current, ...verified, lastUsedAt })
      return true
    },
    refusal: () => new AppError('PASSKEY_REFUSED', { detail: wrongOrigin ?? sentenceOf(state) }),
  }
}

/** Runs work that uses a proof; undefined if its challenge was answered before. */
export async function unlessAnswered<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'uniqueViolation') return undefined
    throw error
  }
}

function sentenceOf(state: Awaited<ReturnType<typeof checkChallenge>>): string {
  if (state === 'ended') return 'The passkey was asked for too long ago. Try again.'
  return 'The passkey is not registered here, was removed, or cannot be used now. Try again, or log on with the password.'
}

/** The handle that the authenticator keeps says which account the passkey was made for. */
function isHandleOf(account: StoredAccount, { response: { userHandle } }: Assertion): boolean {
  return Buffer.from(userHandle ?? '', 'base64url').toString() === accountId(account)
}

/** Two copies of an authenticator count separately: https://www.w3.org/TR/webauthn-3/#sctn-sign-counter */
function hasGoneBack(before: Pick<StoredPasskey, 'counter'>, now: Pick<StoredPasskey, 'counter'>): boolean {
  return (before.counter > 0 || now.counter > 0) && now.counter <= before.counter
}

async function tellOfCounter(
  { store, now, nextId }: ProofParts,
  connection: Connection,
  { username, name, counter, answered }: StoredPasskey & { readonly answered: number },
  caller: ProofCaller,
): Promise<void> {
  await store.audit.append(connection, {
    ...caller,
    id: nextId(),
    happenedAt: now().toISOString(),
    account: username,
    record: 'account',
    action: 'changed',
    name: username,
    detail: 'passkey refused, its counter went back',
    changes: { passkey: { before: name, after: name }, counter: { before: counter, after: answered } },
  })
}
