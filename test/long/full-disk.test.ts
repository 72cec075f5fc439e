import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { createAccount, tryLogon } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { testLimits } from '../support/test-limits.ts'

const note = {
  name: 'Note',
  persistence: true,
  api_generation: true,
  attributes: {
    identifier: { field_name: 'id', field_type: 'string' },
    local_fields: [{ field_name: 'body', field_type: 'text', field_nullable: true }],
    ref_fields: [],
  },
}

const full = {
  type: '/docs/guide/problems/database-full',
  title: 'The database is full.',
  status: 507,
  detail:
    'The database or its disk has no space left, so nothing was changed. What is there can be read. Make space, and try again.',
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const probe = await mountSmallDisk('64k')
await probe?.remove()
if (probe === undefined) console.warn('Full disks are left out: this user may mount none.')

describe.skipIf(probe === undefined)('N7: a SQLite whose disk is full', () => {
  test('says so, can be read and logged on to, and works again when there is space', async () => {
    const disk = (await mountSmallDisk('6m')) as SmallDisk
    closing.push(disk.remove)
    const options: DatabaseOptions = {
      product: 'sqlite',
      file: join(disk.path, 'data.sqlite'),
      readConnections: 4,
      ...testLimits,
    }
    const gateway = await startTestGateway({
      createDatabase: async () => ({ options, remove: async () => undefined }),
    })
    closing.push(gateway.close)
    await gateway.request('POST', '/manage/entities', { body: note })
    const reader = await createAccount(gateway, 'reader', [{ regex: '/apis/notes', methods: ['GET'] }])
    const other = await createAccount(gateway, 'other', [])
    const body = 'x'.repeat(200_000)
    let written = 0
    const write = () => gateway.request('POST', '/apis/notes', { body: { id: `n${written}`, body } })
    await disk.fill()
    let answer = await write()
    for (; answer.status === 201; answer = await write()) written += 1
    expect([answer.status, answer.body]).toMatchObject([507, full])
    expect(
      (await gateway.request('POST', '/manage/roles', { body: { name: 'r', authorities: [] } })).body,
    ).toMatchObject(full)

    const logon = await tryLogon(gateway, reader)
    expect(logon.status).toBe(200)
    const token = (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
    const list = await gateway.request('GET', '/apis/notes?count=true&limit=1', { token })
    expect([list.status, list.headers.get('x-total-count')]).toEqual([200, String(written)])
    expect(await gateway.graphql('{ Note { totalCount } }')).toEqual({
      data: { Note: { totalCount: written } },
    })
    const wrong = { ...reader, password: 'wrong' }
    const guesses: number[] = []
    for (let guess = 0; guess < 11; guess += 1) guesses.push((await tryLogon(gateway, wrong)).status)
    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    expect((await gateway.request('POST', '/logoff', { token })).status).toBe(204)
    expect((await gateway.request('GET', '/apis/notes', { token })).status).toBe(401)

    await disk.clear()
    expect((await write()).status).toBe(201)
    // What was guessed is not forgotten by that.
    expect((await tryLogon(gateway, reader)).status).toBe(429)
    expect((await tryLogon(gateway, other)).status).toBe(200)
    expect((await gateway.request('GET', '/readyz', { token: null })).status).toBe(200)
  })
})

/** A table whose server says that there is no space. */
const refusals: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: [
    `create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
    'create trigger refuse before insert on "Note" for each row execute function refuse()',
  ],
  MariaDB: [
    "create trigger refuse before insert on `Note` for each row signal sqlstate 'HY000' set mysql_errno = 1114, message_text = 'The table is full'",
  ],
}

describe.each(products.filter(({ name }) => name in refusals))('a $name that is full', (product) => {
  let gateway: TestGateway
  test('N7: is said to be full, and can be read', async () => {
    let options: DatabaseOptions | undefined
    gateway = await startTestGateway(product, async (made) => {
      options = made
    })
    closing.push(gateway.close)
    await gateway.request('POST', '/manage/entities', { body: note })
    if (options === undefined) throw new Error('there is no database')
    const { driver } = await openDatabase(options)
    await driver.transaction(async (connection) => {
      for (const sql of refusals[product.name] ?? []) await connection.execute({ sql, parameters: [] })
    })
    await driver.close()
    const { status, body } = await gateway.request('POST', '/apis/notes', { body: { id: 'a' } })
    expect([status, body]).toMatchObject([507, full])
    expect((await gateway.request('GET', '/apis/notes')).body).toEqual([])
  })
})
