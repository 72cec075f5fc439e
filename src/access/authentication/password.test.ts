import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { cheapPasswords } from '../../../test/support/cheap-passwords.ts'
import { createPasswords, passwordSchema } from './password.ts'

test('B11 a hash says how it was made and holds no password', async () => {
  const passwords = createPasswords(randomBytes)
  expect(await passwords.hash('correct horse')).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
  )
})

test('a password is checked at the cost of its hash', async () => {
  const cheap = createPasswords(randomBytes, cheapPasswords)
  const kept = await cheap.hash('correct horse')
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  expect(await createPasswords(randomBytes).verify(kept, 'correct horse')).toBe(true)
})

test.each([
  ['the same', 'correct horse', 'correct horse', true],
  ['blanks around', ' correct horse ', 'correct horse', false],
  ['another case', 'correct horse', 'Correct horse', false],
  ['composed and decomposed', 'caf\u00e9 au lait', 'cafe\u0301 au lait', true],
  ['a difference after 72 bytes', `${'a'.repeat(80)}x`, `${'a'.repeat(80)}y`, false],
  ['the longest', 'a'.repeat(1024), 'a'.repeat(1024), true],
  ['the longest and more', 'a'.repeat(1024), 'a'.repeat(100_000), false],
  ['empty', 'correct horse', '', false],
])('B9 %s', async (_name, kept, given, isRight) => {
  const passwords = createPasswords(randomBytes)
  expect(await passwords.verify(await passwords.hash(kept), given)).toBe(isRight)
})

test('nothing is right where there is no hash', async () => {
  const passwords = createPasswords((size) => new Uint8Array(size))
  expect(await passwords.verify(undefined, Buffer.alloc(32).toString('base64url'))).toBe(false)
})

test('B8 too many at once are turned away with when to come back', async () => {
  const passwords = createPasswords(randomBytes, cheapPasswords)
  const results = await Promise.allSettled(
    Array.from({ length: 300 }, () => passwords.verify(undefined, 'x')),
  )
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(300 - 3 - 256)
  expect(refused[0]).toMatchObject({ reason: { code: 'TOO_BUSY', headers: { 'retry-after': '5' } } })
})

test.each([
  ['        ', true],
  ['12345678', false],
  ['password123', false],
  ['Password1', false],
  ['password123 and more', true],
  ['😀'.repeat(8), true],
  ['a'.repeat(1024), true],
  ['1234567', false],
  ['a'.repeat(1025), false],
  ['\ud800'.repeat(8), false],
])('B9 %j may be set: %s', (password, acceptable) => {
  expect(v.safeParse(passwordSchema, password).success).toBe(acceptable)
})
