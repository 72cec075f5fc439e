import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { actor, temporaryDatabase } from '../../../test/support/temporary-access.ts'
import { openStore } from '../../store/store.ts'
import { openAccess } from '../access.ts'
import { type BootstrapOptions, bootstrap } from './bootstrap.ts'

async function options(given: { password?: string; apiKey?: string } = {}): Promise<BootstrapOptions> {
  const store = await openStore(await temporaryDatabase())
  return { store, now: () => new Date('2026-11-21T06:00:00Z'), randomBytes, ...given }
}

test('B15 an empty store gets an account that may do everything, with secrets that work', async () => {
  const parts = await options()
  const made = await bootstrap(parts)
  expect(made).toEqual({
    username: 'admin',
    password: expect.stringMatching(/^[\w-]{24}$/),
    apiKey: expect.stringMatching(/^ghk_[\w-]{43}$/),
  })
  const access = await openAccess({
    ...parts,
    tokenTtlSeconds: 60,
    targetGuard: { refuses: () => false },
    observe: () => {},
  })
  const answer = await access.logon({
    apiKey: made?.apiKey,
    document: { username: 'admin', password: made?.password },
    address: '',
    requestId: '',
  })
  const headers = { 'x-xaas-auth-token': answer['x-xaas-auth-token'] }
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    await expect(access.admit({ method, path: '/manage/roles', headers, isOwn: true })).resolves.toBeDefined()
  }
})

test('B11 passwords are kept at the cost that is safe where no other is asked for', async () => {
  const parts = await options()
  await bootstrap(parts)
  const access = await openAccess({
    ...parts,
    tokenTtlSeconds: 60,
    targetGuard: { refuses: () => false },
    observe: () => {},
  })
  await access.accounts.create({ username: 'ada', password: 'sword and fish', role: 'admin' }, actor)
  const accounts = await parts.store.read((connection) => parts.store.accounts.list(connection))
  expect(accounts.map(({ username, passwordHash }) => [username, passwordHash.slice(0, 31)])).toEqual([
    ['ada', '$argon2id$v=19$m=19456,t=2,p=1$'],
    ['admin', '$argon2id$v=19$m=19456,t=2,p=1$'],
  ])
})

test('given secrets are used and not given back', async () => {
  const parts = await options({ password: 'correct horse', apiKey: 'k'.repeat(32) })
  expect(await bootstrap(parts)).toEqual({ username: 'admin' })
})

test('B15 later starts make nothing, whatever they are given', async () => {
  const parts = await options()
  await bootstrap(parts)
  const before = await parts.store.read((connection) => parts.store.accounts.list(connection))
  expect(await bootstrap({ ...parts, password: 'short', apiKey: 'short' })).toBeUndefined()
  expect(await parts.store.read((connection) => parts.store.accounts.list(connection))).toEqual(before)
})

test('O8 of several first starts at once one makes the account', async () => {
  const parts = await options()
  const made = await Promise.all([1, 2, 3].map(() => bootstrap(parts)))
  expect(made.filter((account) => account !== undefined)).toHaveLength(1)
})

test.each([
  [{ password: 'short' }, /admin_password.*8 to 1,024 characters/],
  [{ apiKey: 'short' }, /admin_api_key.*32 to 200 characters/],
  [{ apiKey: `${'k'.repeat(40)} ` }, /admin_api_key/],
])('%j stops the start, and makes nothing', async (given, message) => {
  const parts = await options(given)
  await expect(bootstrap(parts)).rejects.toThrow(message)
  expect(await parts.store.read((connection) => parts.store.roles.list(connection))).toEqual([])
})
