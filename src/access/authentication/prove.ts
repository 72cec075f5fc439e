/** The check of credentials, whatever they are, under the limits on guessing. */
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { StoredApiKey } from '../../store/api-key-store.ts'
import type { Store } from '../../store/store.ts'
import type { AccessParts } from '../access-parts.ts'
import { tidyStore } from '../administration/tidy-store.ts'
import { isName } from '../name.ts'
import { unlessFull } from '../unless-full.ts'
import { findBrowserProof } from './known-browser.ts'
import { unlessAnswered } from './passkeys/passkey-proof.ts'
import type { Proof, Proved } from './proof.ts'
import { isChallengeOf } from './second-factor/challenge.ts'
import { passSecondFactor } from './second-factor/pass-second-factor.ts'

/** Checks credentials under the limits on guessing; `succeed` makes the result, in the transaction of the token. */
export async function prove<Answer extends object>(
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
