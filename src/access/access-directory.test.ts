import { expect, test } from 'vitest'
import { actor, admin, temporaryAccess, tokenOf } from '../../test/support/temporary-access.ts'
import { openStore } from '../store/store.ts'
import { openAccessDirectory } from './access-directory.ts'

test('requests ask no database once their token is known', async () => {
  const { access, store } = await temporaryAccess()
  let reads = 0
  const directory = await openAccessDirectory({
    ...store,
    read: (work) => {
      reads += 1
      return store.read(work)
    },
  })
  await tokenOf(access, admin)
  const [token] = await store.read((connection) => store.tokens.list(connection, undefined))
  for (let request = 0; request < 5; request += 1) {
    await directory.current()
    await directory.findToken(token?.tokenHash ?? '')
  }
  expect(reads).toBe(2)
})

test('a reload shows what another node changed, tokens among it', async () => {
  const { access, database } = await temporaryAccess()
  const other = await openStore(database)
  const headers = { 'x-xaas-auth-token': await tokenOf(access, admin) }
  const request = { method: 'GET', path: '/manage/roles', headers, isOwn: true }
  await access.admit(request)

  await other.transaction((connection) => other.roles.update(connection, { name: 'admin', authorities: [] }))
  await access.admit(request)
  await access.reload()
  await expect(access.admit(request)).rejects.toMatchObject({ code: 'ROLE_NOT_ALLOWED' })

  await other.transaction((connection) => other.tokens.removeAll(connection))
  await access.reload()
  await expect(access.admit(request)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
})

test('D15 no one is let in while a change could not be read, and all is well once it can', async () => {
  const { store } = await temporaryAccess()
  let isBroken = false
  const directory = await openAccessDirectory({
    ...store,
    read: (work) => (isBroken ? Promise.reject(new Error('The database is away.')) : store.read(work)),
  })
  isBroken = true
  await expect(directory.reload()).rejects.toThrow('The database is away.')
  await expect(directory.current()).rejects.toThrow('The database is away.')
  isBroken = false
  expect([...(await directory.current()).accounts.keys()]).toEqual(['admin'])
})

test('a token that is ended while it is looked up is not remembered', async () => {
  const { access, store } = await temporaryAccess()
  await tokenOf(access, admin)
  const [token] = await store.read((connection) => store.tokens.list(connection, undefined))
  const hash = token?.tokenHash ?? ''
  const directory = await openAccessDirectory(store)
  const lookingUp = directory.findToken(hash)
  const ending = store.transaction((connection) => store.tokens.remove(connection, hash))
  directory.forgetToken(hash)
  await Promise.all([lookingUp, ending])
  expect(await directory.findToken(hash)).toBeUndefined()
})

test('a token that cannot be stored lasts until accounts, roles or tokens change', async () => {
  const { store } = await temporaryAccess()
  const directory = await openAccessDirectory(store)
  const end = '2026-11-21T07:00:00.000Z'
  const known = (tokenHash: string) => ({ tokenHash, username: 'admin', expiresAt: new Date(end) })
  const hold = (tokenHash: string) =>
    store.read((connection) =>
      directory.holdToken(connection, { ...known(tokenHash), createdAt: end, expiresAt: end }),
    )
  for (const kind of ['records', 'tokens'] as const) {
    await hold('first')
    await hold('second')
    await directory.reload()
    directory.forgetTokens()
    expect(await directory.findToken('first')).toEqual(known('first'))
    expect([directory.forgetToken('first'), directory.forgetToken('first')]).toEqual([true, false])
    expect(await directory.findToken('first')).toBeUndefined()
    expect(await directory.findToken('second')).toEqual(known('second'))
    await store.transaction((connection) => store.changes.note(connection, kind))
    await directory.reload()
    expect(await directory.findToken('second')).toBeUndefined()
  }
})

test('D15 a stored rule that cannot be read allows nothing', async () => {
  const { access, store } = await temporaryAccess()
  const headers = { 'x-xaas-auth-token': await tokenOf(access, admin) }
  const authorities = [{ regex: '(', methods: ['GET'] }]
  await store.transaction((connection) => store.roles.update(connection, { name: 'admin', authorities }))
  await access.reload()
  await expect(access.admit({ method: 'GET', path: '/', headers, isOwn: true })).rejects.toMatchObject({
    code: 'ROLE_NOT_ALLOWED',
  })
  expect((await access.roles.list({})).items).toEqual([{ name: 'admin', authorities }])
})

test('a caller has what conditions of its roles name, as soon as it is changed', async () => {
  const { access } = await temporaryAccess()
  const rows = [
    { key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } },
    [
      { key: 'owner', op: '==', val: { account: 'username' } },
      { key: 'region', op: 'in', val: ['north'] },
    ],
  ]
  const set = { creator: { account: 'metadata.constructor' } }
  const ports = { regex: '/apis/ports', methods: ['GET', 'POST'] }
  await access.roles.create({ name: 'tenant-user', authorities: [{ ...ports, rows, set }] }, actor)
  await access.roles.create({ name: 'reader', authorities: [ports] }, actor)
  const ada = { username: 'ada', password: 'sword and fish' }
  const metadata = { tenant: 't1', mail: 'ada@example.com' }
  const { api_key: apiKey } = await access.accounts.create(
    { ...ada, role: ['reader', 'tenant-user'], metadata },
    actor,
  )
  const headers = { 'x-xaas-auth-token': await tokenOf(access, { ...ada, apiKey }) }
  const attributes = async () => (await access.authenticate(headers)).attributes
  const roles = ['reader', 'tenant-user']
  expect(await attributes()).toEqual({ username: 'ada', roles, metadata: { tenant: 't1' } })

  const changed = { constructor: 'c', tenant: ['t1', 't2'], mail: 'ada@example.com' }
  await access.accounts.change('ada', { metadata: changed }, actor)
  expect(await attributes()).toEqual({
    username: 'ada',
    roles,
    metadata: { constructor: 'c', tenant: ['t1', 't2'] },
  })

  await access.accounts.change('ada', { role: 'reader' }, actor)
  expect(await attributes()).toEqual({ username: 'ada', roles: ['reader'], metadata: {} })
})
