import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withLongLists } from '../../../../test/support/long-lists.ts'
import { products } from '../../../../test/support/products.ts'
import {
  openSampleDatabase,
  runGraphql,
  type SampleDatabase,
} from '../../../../test/support/sample-database.ts'
import type { SchemaSnapshot } from '../../../graphql/snapshot.ts'

const setUp = [
  'create table Picture (bytes blob primary key, title text)',
  "insert into Picture values (x'00ff27', 'a'), (x'', 'b'), (x'00', 'c')",
  'create table Copy (id integer primary key, picture blob references Picture (bytes))',
  "insert into Copy values (1, x'00ff27'), (2, x''), (3, null), (4, x'00ff27')",
  'create table Loose (id integer primary key, anything, parent references Loose (id))',
  "insert into Loose values (1, 9, null), (2, 10.5, 1), (3, 'text', 1), (4, null, null), (5, '7', null), (6, 100, null)",
  'create table Great (id integer primary key, number real unique, other real references Great (number))',
  'insert into Great values (1, -4233833870326019600.0, null), (2, 1e300, -4233833870326019600.0), (3, 0.1, 1e300)',
  'create table Visit (id integer primary key, at timestamp unique, after datetime references Visit (at))',
  "insert into Visit values (1, '1996-07-04 00:00:00.000', null), (2, '1996-07-03', '1996-07-04 00:00:00.000'), (3, '1996-07-04T02:00:00.500+02:00', null), (4, 'soon', '1996-07-03'), (5, null, null)",
  'create table Folded (id integer primary key, word text collate nocase unique)',
  "insert into Folded values (1, 'b'), (2, 'A'), (3, 'c'), (4, 'a ')",
  "insert into Folded values (5, 'B ')",
  'create table Folding (id integer primary key, word text collate nocase references Folded (word))',
  "insert into Folding values (1, 'a'), (2, 'A')",
  'create table Owner (id integer primary key)',
  'insert into Owner values (1), (2)',
  'create table Owned (guid varchar primary key, n integer, owner integer references Owner (id))',
  "insert into Owned values (null, 1, 1), ('b', 2, 1), (null, 3, 1), ('a', 4, 2), (null, 5, 2)",
]

describe.each(products.filter(({ name }) => name === 'SQLite'))('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot
  const run = (document: string, variables = {}) => runGraphql(sample, snapshot, document, variables)

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.database.driver.transaction(async (connection) => {
      for (const sql of setUp) await connection.execute({ sql, parameters: [] })
    })
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  test('rows whose key is null are in collections, limited ones too', async () => {
    const rowsOf = async (list: string) => {
      const query = `{ Owner { edges { node { ownedCollection${list} { totalCount edges { node { n } } } } } } }`
      const { data } = (await run(query)) as {
        data: {
          Owner: { edges: { node: { ownedCollection: { edges: { node: { n: number } }[] } } }[] }
        }
      }
      return data.Owner.edges.map(({ node }) => node.ownedCollection.edges.map((edge) => edge.node.n))
    }
    expect(await rowsOf('')).toEqual([
      [1, 3, 2],
      [5, 4],
    ])
    expect(await rowsOf('(first: 2)')).toEqual([
      [1, 3],
      [5, 4],
    ])
    expect(await rowsOf('(last: 1, desc: "guid")')).toEqual([[3], [5]])
  })

  describe('bytes', () => {
    test.each([
      ['bytes: ["AP8n", ""]', ['b', 'a']],
      ['filters: [{key: "bytes", op: "not in", val: ["AP8n"]}]', ['b', 'c']],
      ['bytes: "AA=="', ['c']],
    ])('%s', async (list, titles) => {
      for (const argument of [list, withLongLists(list)])
        expect(await run(`{ Picture(${argument}) { edges { node { title } } } }`)).toEqual({
          data: { Picture: { edges: titles.map((title) => ({ node: { title } })) } },
        })
    })

    test('are keys that references and collections follow', async () => {
      const ids = (...numbers: number[]) => ({ edges: numbers.map((id) => ({ node: { id } })) })
      const query =
        '{ Copy { edges { node { pictureRef { title copyCollection { totalCount edges { node { id } } } } } } } Picture { edges { node { copyCollection(first: 1) { edges { node { id } } } } } } }'
      const a = { title: 'a', copyCollection: { totalCount: 2, ...ids(1, 4) } }
      const b = { title: 'b', copyCollection: { totalCount: 1, ...ids(2) } }
      expect(await run(query)).toEqual({
        data: {
          Copy: { edges: [a, b, null, a].map((pictureRef) => ({ node: { pictureRef } })) },
          Picture: { edges: [ids(2), ids(), ids(1)].map((copyCollection) => ({ node: { copyCollection } })) },
        },
      })
    })
  })

  test.each([
    ['anything: "9"', [1]],
    ['anything: ["10.5", "text"]', [2, 3]],
    ['filters: [{key: "anything", op: "!=", val: "9"}]', [2, 3, 5, 6]],
    ['filters: [{key: "anything", op: "not in", val: ["9", "7"]}]', [2, 3, 6]],
    ['filters: [{key: "anything", op: "starts", val: "10"}]', [2, 6]],
    ['filters: [{key: "anything", op: "ends", val: "5"}]', [2]],
    ['filters: [{key: "anything", op: "contains", val: "0"}]', [2, 6]],
    ['filters: [{key: "anything", op: ">", val: "9"}]', [2, 3, 6]],
    ['filters: [{key: "anything", op: "<", val: "100"}]', [1, 2, 5]],
    ['asc: "anything"', [4, 5, 1, 2, 6, 3]],
  ])('a column without a type: %s', async (list, ids) => {
    for (const argument of [list, withLongLists(list)])
      expect(await run(`{ Loose(${argument}) { edges { node { id } } } }`)).toEqual({
        data: { Loose: { edges: ids.map((id) => ({ node: { id } })) } },
      })
  })

  test.each([
    ['word: "a"', []],
    ['word: ["A", "B"]', [2]],
    ['filters: [{key: "word", op: "!=", val: "B"}]', [1, 2, 3, 4, 5]],
    ['filters: [{key: "word", op: "<", val: "a"}]', [2, 5]],
    ['filters: [{key: "word", op: "starts", val: "a"}]', [4]],
    ['asc: "word"', [2, 5, 4, 1, 3]],
    ['desc: "word"', [3, 1, 4, 5, 2]],
  ])('texts of a column that ignores case: %s', async (list, ids) => {
    for (const argument of [list, withLongLists(list)])
      expect(await run(`{ Folded(${argument}) { edges { node { id } } } }`)).toEqual({
        data: { Folded: { edges: ids.map((id) => ({ node: { id } })) } },
      })
  })

  test('references go by what the database takes for equal', async () => {
    const query = '{ Folding { edges { node { folded { id foldingCollection { totalCount } } } } } }'
    const folded = { id: 2, foldingCollection: { totalCount: 2 } }
    expect(await run(query)).toEqual({
      data: { Folding: { edges: [{ node: { folded } }, { node: { folded } }] } },
    })
  })

  describe('dates and times in any form', () => {
    test('are shown in one form, and what is not one as it is', async () => {
      expect(await run('{ Visit(asc: "at") { edges { node { id at visit { id } } } } }')).toEqual({
        data: {
          Visit: {
            edges: [
              { node: { id: 5, at: null, visit: null } },
              { node: { id: 2, at: '1996-07-03T00:00:00', visit: { id: 1 } } },
              { node: { id: 1, at: '1996-07-04T00:00:00', visit: null } },
              { node: { id: 3, at: '1996-07-04T00:00:00.5', visit: null } },
              { node: { id: 4, at: 'soon', visit: { id: 2 } } },
            ],
          },
        },
      })
    })

    test.each([
      ['at: "1996-07-04T00:00:00"', [1]],
      ['at: ["1996-07-04T00:00:00.5", "1996-07-03"]', [2, 3]],
      ['filters: [{key: "at", op: "<=", val: "1996-07-04T00:00:00"}]', [1, 2]],
    ])('%s', async (list, ids) => {
      expect(await run(`{ Visit(${list}) { edges { node { id } } } }`)).toEqual({
        data: { Visit: { edges: ids.map((id) => ({ node: { id } })) } },
      })
    })
  })

  test('numbers whose digits a double does not keep are found in lists and by reference', async () => {
    const query = '{ Great(number: [-4233833870326019600, 1e300]) { edges { node { id great { id } } } } }'
    const node = (id: number, other: number | null) => ({
      node: { id, great: other === null ? null : { id: other } },
    })
    expect(await run(query)).toEqual({ data: { Great: { edges: [node(1, null), node(2, 1)] } } })
  })

  test('a reference by a column without a type', async () => {
    const query = '{ Loose { edges { node { looseCollection { edges { node { id } } } } } } }'
    const below = (...ids: number[]) => ({
      node: { looseCollection: { edges: ids.map((id) => ({ node: { id } })) } },
    })
    expect(await run(query)).toEqual({
      data: { Loose: { edges: [below(2, 3), below(), below(), below(), below(), below()] } },
    })
  })

  test('a walk by a column without a type', async () => {
    const ids: unknown[] = []
    for (let after: string | null = null; ids.length < 7; ) {
      const answer = (await run(
        'query ($after: String) { Loose(desc: "anything", first: 1, after: $after) { edges { cursor node { id } } } }',
        { after },
      )) as { data: { Loose: { edges: { cursor: string; node: { id: number } }[] } } }
      const [edge] = answer.data.Loose.edges
      if (edge === undefined) break
      ids.push(edge.node.id)
      after = edge.cursor
    }
    expect(ids).toEqual([3, 6, 2, 1, 5, 4])
  })

  test('a view that is broken is left out with a reason, and stops nothing', async () => {
    const { driver, dialect } = sample.database
    const run = (sql: string) =>
      driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
    await run('create table Gone (x)')
    await run('create view Broken as select x from Gone')
    await run('create virtual table Search using fts5(words)')
    await run('create table "Without" (a text, b text, primary key (b, a)) without rowid')
    await run('drop table Gone')
    const { tables, leftOut } = await driver.read((connection) => dialect.introspect(connection))
    expect([...tables.keys()]).toEqual([
      'Copy',
      'Folded',
      'Folding',
      'Great',
      'Loose',
      'Owned',
      'Owner',
      'Picture',
      'Search',
      'Visit',
      'Without',
    ])
    expect(tables.get('Without')?.primaryKey).toEqual(['b', 'a'])
    const shadows = ['config', 'content', 'data', 'docsize', 'idx'].map((name) => `"Search_${name}"`)
    expect(leftOut).toEqual([
      { what: 'view "Broken"', reason: 'no such table: main.Gone' },
      { what: `tables ${shadows.join(', ')}`, reason: 'virtual tables keep their data in them' },
    ])
  })
})
