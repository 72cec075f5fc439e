/** Tables of several schemas of PostgreSQL become entities, also where they have equal names. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { describeOn } from '../support/describe-on.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { products, type TestProduct } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

const tables = [
  'create schema sales',
  'create schema "old stock"',
  'create table customer (id integer primary key, name text)',
  'create table sales.customer (id integer primary key, name text, boss integer references sales.customer)',
  'create table sales.invoice (number integer primary key, customer_id integer not null references sales.customer (id), home_id integer references public.customer (id))',
  'create table sales.line (invoice_number integer references sales.invoice, place integer, what text[], primary key (invoice_number, place))',
  'create table "old stock"."item" (id uuid primary key default gen_random_uuid(), name text)',
  'create table sales.note (id integer primary key)',
  "insert into customer values (1, 'home')",
  "insert into sales.customer values (1, 'sold'), (2, 'sold, too')",
]

function withSchemas(product: TestProduct): TestProduct {
  return {
    ...product,
    async createDatabase() {
      const { options, remove } = await product.createDatabase()
      return { options: { ...options, schemas: ['public', 'sales', 'old stock'] } as DatabaseOptions, remove }
    },
  }
}

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL'),
  (product) => {
    let gateway: TestGateway

    beforeAll(async () => {
      gateway = await startTestGateway(withSchemas(product), (options) => executeAll(options, tables))
    })
    afterAll(() => gateway.close())

    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await gateway.request(method, path, body === undefined ? {} : { body })
      return { status: answer.status, body: answer.body as Json, headers: answer.headers }
    }

    test.each([
      ['invoice', /is in the schema "sales": name it "sales\.invoice"\.$/],
      ['sales.nothing', /^There is no table "sales\.nothing"/],
      ['nowhere.invoice', /^There is no table "nowhere\.invoice"/],
    ])('%s is no table to adopt', async (table, detail) => {
      const { status, body } = await call('POST', '/manage/entities/adopt', { tables: [table] })
      expect([status, body.errors]).toEqual([
        409,
        [{ pointer: '/tables/0', detail: expect.stringMatching(detail) }],
      ])
    })

    test('a table gets the name that was chosen for it', async () => {
      const chosen = await call('PUT', '/manage/names', { kind: 'table', of: 'sales.note', name: 'Memo' })
      expect(chosen.status).toBe(200)
      const { status, body } = await call('POST', '/manage/entities/adopt', { tables: ['sales.note'] })
      expect([status, body[0]?.definition.name, body[0]?.resource]).toEqual([201, 'Memo', '/apis/memos'])
      expect((await call('POST', '/apis/memos', { id: 1 })).status).toBe(201)
      expect(await gateway.graphql('{ Memo { edges { node { id } } } }')).toEqual({
        data: { Memo: { edges: [{ node: { id: 1 } }] } },
      })
    })

    describe('adopted', () => {
      let definitions: Json[]

      beforeAll(async () => {
        const { status, body } = await call('POST', '/manage/entities/adopt', {
          tables: ['customer', 'sales.customer', 'sales.invoice', 'sales.line', 'old stock.item'],
        })
        expect(body).toHaveLength(5)
        expect(status).toBe(201)
        definitions = body.map(({ definition }: Json) => definition)
      })

      test('under the names that they have in GraphQL', async () => {
        expect(definitions.map(({ name, adopted: { schema, table } }) => [name, schema, table])).toEqual([
          ['customer', undefined, undefined],
          ['sales_customer', 'sales', 'customer'],
          ['invoice', 'sales', undefined],
          ['line', 'sales', undefined],
          ['item', 'old stock', undefined],
        ])
        expect(definitions[2].attributes.ref_fields).toMatchObject([
          { field_name: 'customer_id', ref_class: 'sales_customer', ref_class_field: 'id' },
          { field_name: 'home_id', ref_class: 'customer', ref_class_field: 'id' },
        ])
        expect((await call('GET', '/manage/drift')).body).toEqual([])
        expect((await call('POST', '/manage/entities', definitions)).status).toBe(201)
        expect((await call('GET', '/manage/drift')).body).toEqual([])
      })

      test('records of equal tables are not mixed up', async () => {
        expect((await call('GET', '/apis/customers/1')).body).toEqual({ id: 1, name: 'home' })
        expect((await call('GET', '/apis/sales_customers/1')).body).toEqual({
          id: 1,
          name: 'sold',
          boss: null,
        })
        expect((await call('POST', '/apis/sales_customers', { id: 3, name: 'x', boss: 3 })).status).toBe(201)
        expect((await call('GET', '/apis/customers/3')).status).toBe(404)
        expect((await call('PATCH', '/apis/sales_customers/3', { name: 'y' })).body.name).toBe('y')
        expect((await call('DELETE', '/apis/sales_customers/3')).status).toBe(204)
      })

      test('references are checked where they lead', async () => {
        const made = await call('POST', '/apis/invoices', { number: 1, customer_id: 2, home_id: 1 })
        expect([made.status, made.headers.get('location')]).toEqual([201, '/apis/invoices/1'])
        const refused = await call('POST', '/apis/invoices', { number: 2, customer_id: 2, home_id: 2 })
        expect(refused.body.errors).toEqual([
          { pointer: '/home_id', detail: 'There is no customer whose id is 2.' },
        ])
        const line = await call('POST', '/apis/lines', { invoice_number: 1, place: 1, what: ['a', null] })
        expect([line.status, line.headers.get('location')]).toEqual([201, '/apis/lines/1,1'])
        expect((await call('DELETE', '/apis/invoices/1')).body).toMatchObject({ status: 409 })
        expect((await call('GET', '/apis/lines?invoice_number=1&first=1')).body).toEqual([line.body])
        const item = await call('POST', '/apis/items', { name: 'old' })
        expect((await call('GET', item.headers.get('location') ?? '')).body).toEqual(item.body)
      })

      test('rights are for one of them', async () => {
        const account = await createAccount(gateway, 'seller', [
          { regex: '/apis/sales_customers(/.*)?', methods: ['GET'] },
        ])
        const token = await logonAs(gateway, account)
        const statusOf = async (path: string) => (await gateway.request('GET', path, { token })).status
        expect(await statusOf('/apis/sales_customers')).toBe(200)
        expect(await statusOf('/apis/customers')).toBe(401)
      })

      test('nothing is added to them, and their definitions follow them', async () => {
        const { attributes, ...invoice } = definitions[2]
        const added = { field_name: 'note', field_type: 'string', field_nullable: true, field_unique: false }
        const local = [...attributes.local_fields, added]
        const refused = await call('POST', '/manage/entities', {
          ...invoice,
          attributes: { ...attributes, local_fields: local },
        })
        expect(refused.status).toBe(409)
        expect(JSON.stringify(refused.body)).toContain('is in the schema \\"sales\\"')
        expect((await call('DELETE', '/manage/entities/line')).status).toBe(204)
        expect((await call('GET', '/apis/lines')).status).toBe(404)
        expect((await call('POST', '/manage/entities', definitions[3])).status).toBe(201)
        expect((await call('GET', '/apis/lines')).body).toHaveLength(1)
      })

      test('a name that belongs to another table cannot be had', async () => {
        const wrong = { ...definitions[4], name: 'customer' }
        expect((await call('POST', '/manage/entities', wrong)).status).toBe(409)
        const taken = {
          ...definitions[4],
          name: 'sales_line',
          adopted: { ...definitions[4].adopted, schema: 'nowhere', table: 'item' },
        }
        expect((await call('POST', '/manage/entities', taken)).status).toBe(409)
      })
    })
  },
)
