import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON, read as a client reads it
type Json = any

const statements = [
  'create table author (id integer not null primary key, name varchar(50) not null unique)',
  'create table book (id integer not null primary key, title varchar(50) default null, author_id integer not null, foreign key (author_id) references author (id))',
  'create table note (text varchar(50))',
  "insert into author values (1, 'a'), (2, 'b'), (3, 'c')",
  'create view shelf as select id, title from book',
]
const port = {
  name: 'Port',
  attributes: { identifier: { field_name: 'id', field_type: 'string' }, local_fields: [], ref_fields: [] },
}

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      const analyze = product.name === 'MariaDB' ? 'analyze table author' : 'analyze'
      await runStatements(options, [...statements, analyze])
    })
    await gateway.request('POST', '/manage/entities', { body: port })
    await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['author'] } })
  })
  afterAll(() => gateway.close())

  const list = async (query = ''): Promise<Json> =>
    (await gateway.request('GET', `/manage/tables${query}`)).body
  const names = async (query: string) => (await list(query)).map(({ name }: Json) => name)

  test('a table shows its columns, keys and references, with their names in GraphQL', async () => {
    const { body } = await gateway.request('GET', '/manage/tables/book')
    const { columns, schema, estimated_rows, ...rest } = body as Json
    expect(rest).toEqual({
      name: 'book',
      table: 'book',
      kind: 'table',
      comment: null,
      primary_key: ['id'],
      unique_keys: [],
      foreign_keys: [
        {
          field: 'author',
          columns: ['author_id'],
          references: { table: 'author', columns: ['id'] },
          collection: 'bookCollection',
        },
      ],
      collections: [],
      entity: null,
      resource: null,
      adopted: false,
      adoption: { possible: true, name: 'book', reasons: [] },
    })
    expect(typeof schema === 'string' || schema === null).toBe(true)
    expect(estimated_rows === null || estimated_rows === 0).toBe(true)
    const common = { read_only: false, comment: null, type: expect.any(String), has_default: false }
    const integer = product.name === 'SQLite' ? 'BigInt' : 'Int'
    expect(columns).toEqual([
      {
        ...common,
        name: 'id',
        field: 'id',
        graphql_type: integer,
        nullable: false,
        has_default: expect.any(Boolean),
      },
      {
        ...common,
        name: 'title',
        field: 'title',
        graphql_type: 'String',
        nullable: true,
        has_default: expect.any(Boolean),
      },
      { ...common, name: 'author_id', field: 'author_id', graphql_type: integer, nullable: false },
    ])
  })

  test('it says what is an entity, and what cannot be one', async () => {
    const all: Json[] = await list()
    const shown = Object.fromEntries(
      all.map(({ name, kind, entity, resource, adopted, adoption }) => [
        name,
        { kind, entity, resource, adopted, reasons: adoption?.reasons },
      ]),
    )
    const none = { entity: null, resource: null, adopted: false }
    expect(shown).toEqual({
      Port: { kind: 'table', entity: 'Port', resource: '/apis/ports', adopted: false, reasons: undefined },
      author: {
        kind: 'table',
        entity: 'author',
        resource: '/apis/authors',
        adopted: true,
        reasons: undefined,
      },
      book: { kind: 'table', ...none, reasons: [] },
      note: {
        ...{ kind: 'table', ...none },
        reasons: [expect.stringContaining('The table has no primary key, and no unique key without nulls')],
      },
      shelf: { kind: 'view', ...none, reasons: [expect.stringContaining('"shelf" is a view')] },
    })
    // Of the only table with rows, the database's statistics say how many.
    expect(all.find(({ name }) => name === 'author')?.estimated_rows).toBe(3)
    expect(all.find(({ name }) => name === 'author')?.collections).toEqual([
      {
        field: 'bookCollection',
        columns: ['id'],
        referenced_by: { table: 'book', columns: ['author_id'] },
        reference: 'author',
      },
    ])
    const { body } = await gateway.request('POST', '/manage/entities/adopt?dry_run=true', {
      body: { tables: ['note'] },
    })
    expect((body as Json).errors.map(({ detail }: Json) => detail)).toEqual(shown.note?.reasons)
  })

  test('the list is paged, searched and filtered', async () => {
    expect(await names('?q=O')).toEqual(['Port', 'author', 'book', 'note'])
    expect(await names('?kind=view')).toEqual(['shelf'])
    expect(await names('?entity=true')).toEqual(['Port', 'author'])
    expect(await names('?entity=false&kind=table')).toEqual(['book', 'note'])
    const first = await gateway.request('GET', '/manage/tables?limit=2&entity=false')
    const [, next = ''] = /<(.*)>/.exec(first.headers.get('link') ?? '') ?? []
    const second = await gateway.request('GET', next.replace(gateway.url, ''))
    const both = [...(first.body as Json), ...(second.body as Json)]
    expect([both.map(({ name }) => name), second.headers.has('link')]).toEqual([
      ['book', 'note', 'shelf'],
      false,
    ])
  })

  test('what is not there or not known is refused', async () => {
    expect((await gateway.request('GET', '/manage/tables/none')).body).toMatchObject({
      code: 'RECORD_NOT_FOUND',
      detail: 'There is no table named "none".',
    })
    expect((await list('?kind=index')).code).toBe('PARAMETER_INVALID')
    expect((await list('?rows=true')).code).toBe('PARAMETER_INVALID')
  })
})
