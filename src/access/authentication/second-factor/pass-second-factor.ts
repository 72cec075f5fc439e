import type { Connection } from '../../../database/driver.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { AccessParts } from '../../access-parts.ts'
import type { Proof, Proved } from '../proof.ts'
import { newChallenge } from './challenge.ts'
import { checkCode } from './check-code.ts'
import { activateAtLogon, setUpAtLogon } from './set-up.ts'

/**
 * What follows from a second factor, if one is asked for; undefined if its code is wrong. Returns SECOND_FACTOR_NEEDED or
 * SECOND_FACTOR_REQUIRED if the code is missing, and PASSKEY_NEEDED if passkeys are the only one: who has the password alone must
 * not put codes in their place.
 */
export async function passSecondFactor(
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
