import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { cheapPasswords } from '../../../../test/support/cheap-passwords.ts'
import { temporaryAccess } from '../../../../test/support/temporary-access.ts'
import { DatabaseError } from '../../../database/database-error.ts'
import type { Store } from '../../../store/store.ts'
import { openAccess } from '../../access.ts'
import { checkChallenge, logonPurpose, newChallenge } from './challenges.ts'

const open = (store: Store, now: () => Date) =>
  openAccess({
    store,
    now,
    randomBytes,
    tokenTtlSeconds: 3600,
    passwordCost: cheapPasswords,
    targetGuard: { refuses: () => false },
    observe: () => undefined,
    relyingParty: { id: 'localhost', origins: ['http://localhost:8080'] },
  })

test('the key is there from the start: to ask for a challenge writes nothing and reads nothing', async () => {
  const { store, clock } = await temporaryAccess()
  const uses: string[] = []
  const counted: Store = {
    ...store,
    transaction(work) {
      uses.push('transaction')
      return store.transaction(work)
    },
    read(work) {
      uses.push('read')
      return store.read(work)
    },
  }
  const access = await open(counted, () => clock.now)
  uses.length = 0
  const { options } = await access.passkeyLogonOptions()
  expect(uses).toEqual([])
  const other = { store, now: () => clock.now, randomBytes, signingKey: { known: undefined } }
  expect(await checkChallenge(other, options?.challenge ?? '', logonPurpose)).toBe('valid')
})

test('a gateway whose store is full starts, and makes the key when there is space', async () => {
  const { store, clock } = await temporaryAccess()
  let isFull = true
  const full: Store = {
    ...store,
    async transaction(work) {
      if (isFull) throw new DatabaseError('full', 'The disk is full.')
      return store.transaction(work)
    },
  }
  const access = await open(full, () => clock.now)
  await expect(access.passkeyLogonOptions()).rejects.toThrow('The disk is full.')
  isFull = false
  expect(await access.passkeyLogonOptions()).toHaveProperty('options.challenge')
})

test('challenges of other nodes are known after the store was restored with another key', async () => {
  const { store, clock } = await temporaryAccess()
  let key = randomBytes(32).toString('base64url')
  const passkeys = { ...store.passkeys, signingKey: async () => key }
  const node = () => ({
    store: { ...store, passkeys },
    now: () => clock.now,
    randomBytes,
    signingKey: { known: undefined },
  })
  const first = node()
  const before = await newChallenge(first, logonPurpose)
  key = randomBytes(32).toString('base64url')
  const second = node()
  const after = await newChallenge(second, logonPurpose)
  expect(await checkChallenge(first, after, logonPurpose)).toBe('valid')
  expect(await checkChallenge(first, before, logonPurpose)).toBe('foreign')
  expect(await checkChallenge(first, after, ['register', 'someone'])).toBe('foreign')
  expect(await checkChallenge(first, after.slice(0, -4), logonPurpose)).toBe('foreign')
  expect(await checkChallenge(first, '', logonPurpose)).toBe('foreign')
})
