/** Tables of MariaDB whose engine has no transactions: what a statement has changed stays, whatever comes of it. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

describe.each(products.filter(({ name }) => name === 'MariaDB'))('$name', (product) => {
  let options: DatabaseOptions
  let gateway: TestGateway

  beforeAll(async () => {
    const prepare = async (prepared: DatabaseOptions) => {
      options = prepared
      await runStatements(prepared, [
        'create table note (id integer auto_increment primary key, name varchar(50)) engine = MyISAM',
        'create table seen (id integer)',
        'create trigger see after insert on note for each row insert into seen values (new.id)',
        'create table moved (id integer primary key, name varchar(50))',
      ])
    }
    gateway = await startTestGateway(product, prepare, { schemaPollMs: 50 })
    const tables = ['note', 'moved']
    expect((await gateway.request('POST', '/manage/entities/adopt', { body: { tables } })).status).toBe(201)
  })
  afterAll(() => gateway.close())

  test('a record whose trigger fails is written once, and may have been kept', async () => {
    await runStatements(options, ['drop table seen'])
    const { status, body } = await gateway.request('POST', '/apis/notes', { body: { name: 'only' } })
    expect({ status, ...(body as Json) }).toMatchObject({
      ...{ status: 422, code: 'RECORD_INVALID' },
      detail: expect.stringContaining('may have been kept'),
    })
    expect(await runStatements(options, ['select name from note'])).toEqual([['only']])
  })

  test('a table that gets such an engine loses its mutations', async () => {
    const mutations = async () => {
      const { data } = (await gateway.graphql('{ __type(name: "Mutation") { fields { name } } }')) as Json
      return data.__type?.fields.map(({ name }: Json) => name) ?? []
    }
    expect(await mutations()).toContain('createAll_moved')
    const looks = () =>
      gateway.events.filter((event) => event.kind === 'StatementRun' && /global status/.test(event.sql))
        .length
    const before = looks()
    // Nothing is left to read of earlier changes.
    await vi.waitUntil(() => looks() >= before + 10, { timeout: 60_000 })
    await runStatements(options, ['alter table moved engine = MyISAM'])
    await vi.waitUntil(async () => !(await mutations()).includes('createAll_moved'), { timeout: 60_000 })
  })
})
