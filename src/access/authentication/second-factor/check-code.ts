import type { Connection } from '../../../database/driver.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { StoredSecondFactor } from '../../../store/second-factor-store.ts'
import { spokenWait } from '../../../util/spoken-duration.ts'
import type { AccessParts } from '../../access-parts.ts'
import { timeStepOf } from './one-time-password.ts'
import { hashOfRecoveryCode, isRecoveryCode } from './recovery-codes.ts'

type CodeParts = Pick<AccessParts, 'store' | 'now' | 'usedSteps'>

/** After this many wrong codes in a row there is a pause before the next one: a minute, and each time twice as long. */
const freeFailures = 10
const longestPauseMinutes = 60

/**
 * Whether a code is right: one of the authenticator app that no one has used, or a recovery code. A right code is used
 * up on all nodes, and a wrong one is counted, with the transaction of the connection. Throws LOGON_THROTTLED after too many
 * wrong codes, from wherever they came: who sends them knows the password.
 */
export async function checkCode(
  parts: CodeParts,
  connection: Connection,
  {
    username,
    code,
    canWrite,
  }: { readonly username: string; readonly code: string; readonly canWrite: boolean },
): Promise<boolean> {
  const { secondFactors } = parts.store
  // The lock lets one code of an account through at a time.
  const factor = await (canWrite ? secondFactors.findLocked : secondFactors.find)(connection, username)
  if (factor === undefined || !factor.active) return false
  const timestamp = parts.now()
  refusePaused(factor, timestamp)
  const lastStep = await lastStepAfter(code.replaceAll(/[\s-]/g, ''), factor, parts, { connection, canWrite })
  const isRight = lastStep !== undefined
  if (!canWrite) {
    if (isRight) parts.usedSteps.set(factor.secret, lastStep)
    return isRight
  }
  const counted = isRight
    ? { lastStep, failures: 0, failedAt: '' }
    : { failures: factor.failures + 1, failedAt: timestamp.toISOString() }
  await secondFactors.update(connection, { ...factor, ...counted })
  return isRight
}

/** The last time step in use after a right code; undefined for a wrong one. */
async function lastStepAfter(
  digits: string,
  { username, secret, lastStep }: StoredSecondFactor,
  { store, now, usedSteps }: CodeParts,
  { connection, canWrite }: { readonly connection: Connection; readonly canWrite: boolean },
): Promise<number | undefined> {
  if (isRecoveryCode(digits)) {
    const hash = hashOfRecoveryCode(digits)
    // Without space for the removal it could be used again.
    return canWrite && (await store.secondFactors.takeRecoveryCode(connection, username, hash))
      ? lastStep
      : undefined
  }
  const step = timeStepOf(digits, secret, now())
  const used = Math.max(lastStep, usedSteps.get(secret) ?? 0)
  return step !== undefined && step > used ? step : undefined
}

function refusePaused({ failures, failedAt }: StoredSecondFactor, timestamp: Date): void {
  if (failures < freeFailures) return
  const minutes = Math.min(longestPauseMinutes, 2 ** (failures - freeFailures))
  const wait = Math.ceil((Date.parse(failedAt) + minutes * 60_000 - timestamp.getTime()) / 1000)
  if (wait <= 0) return
  throw new AppError('LOGON_THROTTLED', {
    detail: `Too many codes of the second factor were wrong. Try again in ${spokenWait(wait)}.`,
    headers: { 'retry-after': String(wait) },
  })
}
