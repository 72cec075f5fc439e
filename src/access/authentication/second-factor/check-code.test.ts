import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { cheapPasswords } from '../../../../test/support/cheap-passwords.ts'
import { oneTimeCode } from '../../../../test/support/one-time-code.ts'
import { actor, admin, temporaryAccess } from '../../../../test/support/temporary-access.ts'
import { DatabaseError } from '../../../database/database-error.ts'
import { openAccess } from '../../access.ts'

test('while the store is full, a code still logs on once, and a recovery code does not', async () => {
  const { access, store, clock } = await temporaryAccess()
  const { username, password } = admin
  const own = { ...actor, tokenHash: '' }
  const { secret } = await access.secondFactor.setUp({ password }, own)
  const activation = { code: oneTimeCode(secret, clock.now) }
  const { recovery_codes } = await access.secondFactor.activate(activation, own)
  const full = await openAccess({
    store: {
      ...store,
      transaction: async () => {
        throw new DatabaseError('full', 'The disk is full.')
      },
    },
    tokenTtlSeconds: 3600,
    passwordCost: cheapPasswords,
    targetGuard: { refuses: () => false },
    now: () => clock.now,
    randomBytes,
    observe: () => undefined,
    pause: async () => undefined,
  })
  const check = async (code = '') => {
    const document = { username, password, code, address: '192.0.2.1' }
    try {
      return (await full.checkLogon({ document, actor })).username
    } catch (error) {
      return (error as { readonly code: string }).code
    }
  }

  expect(await check()).toBe('SECOND_FACTOR_NEEDED')
  expect(await check(oneTimeCode(secret, clock.now))).toBe('LOGON_REFUSED')
  expect(await check(recovery_codes[0])).toBe('LOGON_REFUSED')
  clock.advance(30)
  expect(await check(oneTimeCode(secret, clock.now))).toBe('admin')
  expect(await check(oneTimeCode(secret, clock.now))).toBe('LOGON_REFUSED')
  clock.advance(30)
  expect(await check(oneTimeCode(secret, clock.now))).toBe('admin')
})
