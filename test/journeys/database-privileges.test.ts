/** What published APIs do for a user of the database who may do only some of it. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { describeOn } from '../support/describe-on.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { onPostgresqlServer } from '../support/postgresql-databases.ts'
import { products, type TestProduct } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const tables = [
  'create table policed (id integer primary key, note varchar(20))',
  "insert into policed values (1, 'kept'), (2, 'gone')",
  'alter table policed enable row level security',
  'create policy seen on policed for select using (true)',
  'create policy changed on policed for update using (true)',
  "create policy deleted on policed for delete using (note = 'gone')",
  'create table removable (id integer primary key, note varchar(20))',
  'create table readable (id integer primary key, note varchar(20))',
  ...['removable', 'readable'].map(
    (name) =>
      `insert into ${name} values ${Array.from({ length: 60 }, (_, index) => `(${index}, 'x')`).join(', ')}`,
  ),
]

interface LimitedUser {
  readonly user: string
  readonly remove: () => Promise<unknown>
}

/** A user who may do anything with new tables, and with those of others delete, or read only. */
async function limitedUser(options: DatabaseOptions): Promise<LimitedUser> {
  const user = `limited_${randomBytes(4).toString('hex')}`
  await executeAll(options, [
    `create role ${user} login`,
    `grant create, usage on schema public to ${user}`,
    `grant select, delete on removable to ${user}`,
    `grant select on readable to ${user}`,
    `grant select, update, delete on policed to ${user}`,
  ])
  return { user, remove: () => onPostgresqlServer(`drop role ${user}`) }
}

/** The same product for a limited user, with the tables made by another one. */
function asLimited(product: TestProduct): TestProduct {
  return {
    ...product,
    async createDatabase() {
      const { options, remove } = await product.createDatabase()
      await executeAll(options, tables)
      const { user, remove: removeUser } = await limitedUser(options)
      return {
        options: { ...options, user } as DatabaseOptions,
        remove: async () => {
          await remove()
          await removeUser()
        },
      }
    },
  }
}

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL'),
  (product) => {
    let gateway: TestGateway

    beforeAll(async () => {
      gateway = await startTestGateway(asLimited(product))
      const adopted = await gateway.request('POST', '/manage/entities/adopt', {
        body: { tables: ['removable', 'readable', 'policed'] },
      })
      expect(adopted.status).toBe(201)
    })
    afterAll(() => gateway.close())

    const tagOf = async (path: string) => (await gateway.request('GET', path)).headers.get('etag') ?? ''
    const remove = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      (await gateway.request('DELETE', path, { headers })).status

    test('what a row policy does not delete is not told as deleted', async () => {
      const refused = await gateway.request('DELETE', '/apis/policeds/1')
      expect([refused.status, refused.body]).toMatchObject([422, { code: 'RECORD_INVALID' }])
      expect(await gateway.graphql('mutation { delete_policed(id: 1) { id } }')).toMatchObject({ data: null })
      expect((await gateway.request('GET', '/apis/policeds/1')).body).toEqual({ id: 1, note: 'kept' })
      expect(await remove('/apis/policeds/2')).toBe(204)
      expect((await gateway.request('GET', '/apis/policeds/2')).status).toBe(404)
    })

    test('who may delete, and not update, deletes', async () => {
      expect(await remove('/apis/removables/1')).toBe(204)
      expect(await remove('/apis/removables/1')).toBe(404)
      expect(await remove('/apis/removables/1', { 'if-match': '"old"' })).toBe(412)
      const tag = await tagOf('/apis/removables/2')
      expect(await remove('/apis/removables/2', { 'if-match': '"old"' })).toBe(412)
      expect((await gateway.request('GET', '/apis/removables/2')).status).toBe(200)
      expect(await remove('/apis/removables/2', { 'if-none-match': tag })).toBe(412)
      expect(await remove('/apis/removables/2', { 'if-match': tag })).toBe(204)
    })

    test('R6: of many at the same moment one succeeds', async () => {
      for (let id = 10; id < 30; id += 1) {
        const path = `/apis/removables/${id}`
        const headers = { 'if-match': await tagOf(path) }
        const found = await Promise.all(Array.from({ length: 8 }, () => remove(path, headers)))
        expect(found.toSorted()).toEqual([204, ...Array.from({ length: 7 }, () => 412)])
      }
    })

    test.each([
      ['DELETE', '/apis/readables/1', undefined],
      ['PATCH', '/apis/readables/1', { note: 'y' }],
      ['PATCH', '/apis/removables/3', { note: 'y' }],
      ['POST', '/apis/readables', { id: 100 }],
      ['POST', '/apis/readables', [{ id: 101 }, { id: 102 }]],
    ])('%s %s is told that the privilege is missing', async (method, path, body) => {
      const answer = await gateway.request(method, path, body === undefined ? {} : { body })
      expect([answer.status, answer.body]).toMatchObject([403, { code: 'DATABASE_DENIED' }])
    })
  },
)
