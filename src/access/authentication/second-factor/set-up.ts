/** Sets up and activates second factors: by their owners, and during a logon where one is required. */
import type { Connection } from '../../../database/driver.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { StoredAccount } from '../../../store/account-store.ts'
import type { StoredSecondFactor } from '../../../store/second-factor-store.ts'
import type { AccessParts } from '../../access-parts.ts'
import { newChallenge } from './challenge.ts'
import { newOneTimeSecret, oneTimeSecretUri, timeStepOf } from './one-time-password.ts'
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

type SetUpParts = Pick<AccessParts, 'store' | 'now' | 'randomBytes' | 'nextId'>

/**
 * A new second factor that is not active. Each has a secret of its own: one that someone else with the password has seen is
 * never activated by its owner.
 */
export function newSecondFactor(
  { now, randomBytes }: Pick<AccessParts, 'now' | 'randomBytes'>,
  username: string,
): StoredSecondFactor {
  return {
    username,
    secret: newOneTimeSecret(randomBytes),
    active: false,
    createdAt: now().toISOString(),
    lastStep: 0,
    failures: 0,
    failedAt: '',
  }
}

/** Activates a second factor by a code of the current time; the recovery codes. Undefined if the code is wrong. */
export async function activateSecondFactor(
  { store, now, randomBytes }: Pick<AccessParts, 'store' | 'now' | 'randomBytes'>,
  connection: Connection,
  factor: StoredSecondFactor,
  code: string,
): Promise<readonly string[] | undefined> {
  const lastStep = timeStepOf(code.replaceAll(/\s/g, ''), factor.secret, now())
  if (lastStep === undefined) return undefined
  await store.secondFactors.update(connection, { ...factor, active: true, lastStep })
  return putRecoveryCodes({ store, randomBytes }, connection, factor.username)
}

/** Replaces the recovery codes of an account by new ones. */
export async function putRecoveryCodes(
  { store, randomBytes }: Pick<AccessParts, 'store' | 'randomBytes'>,
  connection: Connection,
  username: string,
): Promise<readonly string[]> {
  const codes = newRecoveryCodes(randomBytes)
  await store.secondFactors.putRecoveryCodes(connection, username, codes.map(hashOfRecoveryCode))
  return codes
}

/** Sets up a second factor; the error that tells its owner the secret, to be thrown after the transaction. */
export async function setUpAtLogon(
  parts: SetUpParts,
  connection: Connection,
  account: StoredAccount,
): Promise<AppError> {
  const factor = newSecondFactor(parts, account.username)
  await parts.store.secondFactors.put(connection, factor)
  const { secret } = factor
  return new AppError('SECOND_FACTOR_REQUIRED', {
    members: {
      challenge: newChallenge(account, parts.now()),
      secret,
      uri: oneTimeSecretUri(secret, account.username),
    },
  })
}

/** Activates what was set up at the same logon; the recovery codes. Undefined if the code is wrong. */
export async function activateAtLogon(
  parts: SetUpParts,
  connection: Connection,
  { username, code, ...caller }: ActivationAtLogon,
): Promise<readonly string[] | undefined> {
  const { store, now, nextId } = parts
  const factor = await store.secondFactors.findLocked(connection, username)
  if (factor === undefined || factor.active) return undefined
  const codes = await activateSecondFactor(parts, connection, factor, code)
  if (codes === undefined) return undefined
  await store.audit.append(connection, {
    ...caller,
    id: nextId(),
    happenedAt: now().toISOString(),
    account: username,
    record: 'account',
    action: 'changed',
    name: username,
    detail: 'second factor: activated',
  })
  return codes
}

/** A code that activates a second factor, and where it comes from. */
interface ActivationAtLogon {
  readonly username: string
  readonly code: string
  readonly address: string
  readonly requestId: string
}
