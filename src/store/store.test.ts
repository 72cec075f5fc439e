import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryDatabase } from '../../test/support/temporary-access.ts'
import type { StoredAccount } from './account-store.ts'
import type { StoredApiKey } from './api-key-store.ts'
import type { AuditEntry } from './audit-store.ts'
import { openStore, type Store } from './store.ts'

const at = '2026-11-21T06:00:00.000Z'
const later = '2026-11-21T07:00:00.000Z'
const reader = { name: 'reader', authorities: [{ regex: '/apis/.*', methods: ['GET'] }] }
const writer = { name: 'writer', authorities: [] }
const ada: StoredAccount = {
  username: 'ada',
  passwordHash: '$argon2id$',
  roles: ['writer', 'reader'],
  metadata: { team: 'a', 'quote"': "it's" },
  createdAt: at,
  expireDays: 3,
  expiresAt: later,
  disabled: true,
}
const keyOfAda: StoredApiKey = {
  keyHash: 'k',
  username: 'ada',
  name: 'default',
  createdAt: at,
  expiresAt: undefined,
  lastUsedAt: undefined,
  prefix: 'ghk_abcd',
}

let store: Store
beforeEach(async () => {
  store = await openStore(await temporaryDatabase())
})

async function withAda() {
  await store.transaction(async (c) => {
    await store.roles.insert(c, reader)
    await store.roles.insert(c, writer)
    await store.accounts.insert(c, ada)
  })
}

describe('roles', () => {
  test('are listed by name, found, changed and removed', async () => {
    const { roles } = store
    const answers = await store.transaction(async (c) => {
      await roles.insert(c, writer)
      await roles.insert(c, reader)
      return {
        list: await roles.list(c),
        changed: await roles.update(c, { ...writer, authorities: reader.authorities }),
        found: await roles.find(c, 'writer'),
        removed: await roles.remove(c, 'writer'),
        removedAgain: await roles.remove(c, 'writer'),
        changedMissing: await roles.update(c, writer),
        missing: await roles.find(c, 'writer'),
      }
    })
    expect(answers).toEqual({
      list: [reader, writer],
      changed: true,
      found: { name: 'writer', authorities: reader.authorities },
      removed: true,
      removedAgain: false,
      changedMissing: false,
      missing: undefined,
    })
  })

  test('are told apart by case and by form', async () => {
    const names = ['Admin', 'admin', 'é', 'e\u0301', 'admin\u200b']
    await store.transaction(async (c) => {
      for (const name of names) await store.roles.insert(c, { name, authorities: [] })
    })
    const list = await store.read((c) => store.roles.list(c))
    expect(list.map(({ name }) => name).sort()).toEqual(names.toSorted())
  })

  test('cannot be inserted twice, nor removed while an account has them', async () => {
    await withAda()
    await expect(store.transaction((c) => store.roles.insert(c, reader))).rejects.toMatchObject({
      kind: 'uniqueViolation',
    })
    await expect(store.transaction((c) => store.roles.remove(c, 'reader'))).rejects.toMatchObject({
      kind: 'foreignKeyViolation',
    })
  })
})

describe('accounts', () => {
  test('keep the order of their roles, and count by role', async () => {
    await withAda()
    const answers = await store.transaction(async (c) => {
      const inserted = await store.accounts.find(c, 'ada')
      const changes = { ...ada, roles: ['reader'], expireDays: undefined, expiresAt: undefined }
      await store.accounts.update(c, changes)
      return {
        inserted,
        changed: await store.accounts.list(c),
        readers: await store.accounts.countWithRole(c, 'reader'),
        writers: await store.accounts.countWithRole(c, 'writer'),
      }
    })
    expect(answers).toEqual({
      inserted: ada,
      changed: [{ ...ada, roles: ['reader'], expireDays: undefined, expiresAt: undefined }],
      readers: 1,
      writers: 0,
    })
  })

  test('are removed after their keys and tokens', async () => {
    await withAda()
    await store.transaction(async (c) => {
      await store.apiKeys.insert(c, keyOfAda)
      await store.tokens.insert(c, { tokenHash: 't', username: 'ada', createdAt: at, expiresAt: later })
    })
    await expect(store.transaction((c) => store.accounts.remove(c, 'ada'))).rejects.toMatchObject({
      kind: 'foreignKeyViolation',
    })
    await store.transaction(async (c) => {
      await store.apiKeys.removeOf(c, 'ada')
      await store.tokens.removeOf(c, 'ada')
      expect(await store.accounts.remove(c, 'ada')).toBe(true)
      expect(await store.apiKeys.find(c, 'k')).toBeUndefined()
      expect(await store.accounts.list(c)).toEqual([])
    })
  })
})

test('tokens are found by hash and removed when they have ended', async () => {
  await withAda()
  const token = { tokenHash: 't1', username: 'ada', createdAt: at, expiresAt: at }
  const longer = { ...token, tokenHash: 't2', expiresAt: later }
  const answers = await store.transaction(async (c) => {
    await store.tokens.insert(c, token)
    await store.tokens.insert(c, longer)
    return {
      found: await store.tokens.find(c, 't1'),
      all: await store.tokens.list(c, undefined),
      ofAnother: await store.tokens.list(c, 'grace'),
      ended: await store.tokens.removeEnded(c, at),
      left: await store.tokens.list(c, 'ada'),
      removed: [await store.tokens.remove(c, 't2'), await store.tokens.remove(c, 't2')],
    }
  })
  expect(answers).toEqual({
    found: token,
    all: [token, longer],
    ofAnother: [],
    ended: 1,
    left: [longer],
    removed: [1, 0],
  })
})

test('API routes and entities come back as they were written', async () => {
  const route = { name: 'open', path: '/graphql', methods: ['GET'], scope: 'public' } as const
  const entity = {
    name: 'Port',
    definition: { name: 'Port', attributes: { nested: [1, null, 'x'] } },
    resource: 'ports',
    changedBy: 'ada',
    changedAt: at,
  }
  const removal = { name: 'Port', changedBy: 'ada', changedAt: at }
  const answers = await store.transaction(async (c) => {
    await store.apiRoutes.insert(c, route)
    await store.apiRoutes.update(c, { ...route, scope: 'protected' })
    await store.entities.save(c, entity)
    await store.entities.save(c, { ...entity, changedBy: 'grace' })
    return {
      routes: await store.apiRoutes.list(c),
      entities: await store.entities.list(c),
      removed: [await store.entities.remove(c, removal), await store.entities.remove(c, removal)],
      versions: await store.entityVersions.list(c, 'Port'),
      count: await store.entityVersions.count(c),
    }
  })
  expect(answers).toEqual({
    routes: [{ ...route, scope: 'protected' }],
    entities: [{ ...entity, changedBy: 'grace' }],
    removed: [true, false],
    versions: [
      { version: 1, definition: entity.definition, changedBy: 'ada', changedAt: at },
      { version: 2, definition: entity.definition, changedBy: 'grace', changedAt: at },
      { version: 3, definition: undefined, changedBy: 'ada', changedAt: at },
    ],
    count: 3,
  })
})

test('a public route without the conditions that it was written with is not public', async () => {
  const route = { name: 'open', path: '/apis/ports', methods: ['GET'], scope: 'public' } as const
  const found = await store.transaction(async (c) => {
    await store.apiRoutes.insert(c, { ...route, rows: [] })
    const written = await store.apiRoutes.find(c, 'open')
    // As another version of the program leaves it, which does not know conditions.
    await c.execute({ sql: 'delete from gatehouse_upstream', parameters: [] })
    return [written, await store.apiRoutes.find(c, 'open')]
  })
  expect(found).toEqual([
    { ...route, rows: [] },
    { ...route, scope: 'protected' },
  ])
})

test('the audit is read newest first, page by page, and undone with its change', async () => {
  const entry = (id: string): AuditEntry => ({
    id,
    happenedAt: at,
    account: undefined,
    address: '',
    requestId: '',
    action: 'created',
    record: 'role',
    name: 'reader',
    detail: '',
  })
  await store.transaction(async (c) => {
    for (const id of ['1', '2', '3']) await store.audit.append(c, entry(id))
  })
  const failing = store.transaction(async (c) => {
    await store.audit.append(c, entry('4'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  const pages = await store.read(async (c) => [
    await store.audit.list(c, { limit: 2, before: undefined }),
    await store.audit.list(c, { limit: 2, before: '2' }),
  ])
  expect(pages).toEqual([[entry('3'), entry('2')], [entry('1')]])
})
