/** Cursors that belong elsewhere, and keys of views that someone has named. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withViewKeys } from '../../src/database/view-keys.ts'
import { type SchemaSnapshot, snapshotOf } from '../../src/graphql/snapshot.ts'
import { products } from '../support/products.ts'
import { openSampleDatabase, runGraphql, type SampleDatabase } from '../support/sample-database.ts'

interface Answer {
  readonly data: Readonly<Record<string, { readonly edges: readonly Edge[] } | null>>
  readonly errors?: readonly { readonly message: string; readonly extensions: unknown }[]
}

interface Edge {
  readonly cursor: string
  readonly node: Readonly<Record<string, unknown>>
}

describe.each(products)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot
  const run = (document: string, at = snapshot) => runGraphql(sample, at, document) as Promise<Answer>

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    const text = sample.database.dialect.product === 'mysql' ? 'varchar(20)' : 'text'
    await sample.execute([
      `create table first_ (id integer primary key, name ${text}, size integer)`,
      `create table second_ (id integer primary key, name ${text}, size integer)`,
      "insert into first_ values (1, 'a', 3), (2, 'b', 2), (3, 'c', 1)",
      'create view listed as select id, name, size from first_',
    ])
    snapshot = await sample.snapshot('native')
  })
  afterAll(() => sample.close())

  async function cursorOf(list: string): Promise<string> {
    const { data } = await run(`{ ${list} { edges { cursor node { id } } } }`)
    return Object.values(data)[0]?.edges[0]?.cursor ?? ''
  }

  async function refusalOf(list: string, cursor: string): Promise<string | undefined> {
    const { errors } = await run(
      `{ ${list.replace('AFTER', `after: "${cursor}"`)} { edges { node { id } } } }`,
    )
    expect(errors?.[0]?.extensions).toEqual({ code: 'PARAMETER_INVALID' })
    return errors?.[0]?.message
  }

  test.each([
    ['another table', 'first_(first: 1)', 'second_(first: 1, AFTER)'],
    ['another order', 'first_(first: 1, asc: "name")', 'first_(first: 1, asc: "size", AFTER)'],
    ['another direction', 'first_(first: 1, asc: "name")', 'first_(first: 1, desc: "name", AFTER)'],
    ['another order of a view', 'listed(first: 1, asc: "name")', 'listed(first: 1, AFTER)'],
  ])('a cursor of %s is refused', async (_what, from, to) => {
    expect(await refusalOf(to, await cursorOf(from))).toMatch(/cursor of another list/)
  })

  test.each([
    ['[["x","y"]]', 'takes a cursor'],
    ['[{"b":1}]', 'takes a cursor'],
    ['{}', 'takes a cursor'],
    ['nothing', 'takes a cursor'],
  ])('the cursor %s is refused', async (content, message) => {
    const cursor = Buffer.from(content).toString('base64url')
    expect(await refusalOf('first_(first: 1, AFTER)', cursor)).toContain(message)
  })

  test('a cursor with a value that the column cannot hold is refused, or finds nothing', async () => {
    const cursor = await cursorOf('first_(first: 1)')
    const [tag] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string]
    for (const value of ['x', 'i1.5', 't\ud800', '99999999999999999999999', ['AA=='], 1.5, 1e300]) {
      const forged = Buffer.from(JSON.stringify([tag, value])).toString('base64url')
      const { data, errors } = await run(`{ first_(first: 1, after: "${forged}") { edges { node { id } } } }`)
      if (errors !== undefined) expect(errors[0]?.extensions).toEqual({ code: 'PARAMETER_INVALID' })
      else expect(data.first_?.edges.length).toBeLessThanOrEqual(1)
    }
  })

  test('a cursor is refused when its column has another type now', async () => {
    const { execute } = sample
    const cursor = await cursorOf('second_(first: 1, asc: "size")')
    expect(cursor).toBe('')
    await execute(["insert into second_ values (1, 'a', 3)"])
    const before = await cursorOf('second_(first: 1, asc: "size")')
    const type = sample.database.dialect.product === 'mysql' ? 'varchar(20)' : 'text'
    await execute([
      'drop table second_',
      `create table second_ (id integer primary key, name ${type}, size ${type})`,
    ])
    const later = await sample.snapshot('native')
    const { errors } = await run(
      `{ second_(first: 1, asc: "size", after: "${before}") { edges { node { id } } } }`,
      later,
    )
    expect(errors?.[0]?.message).toMatch(/cursor of another list/)
  })

  test('a view has the key that was named, and one that is not there is reported', async () => {
    const { dialect, driver } = sample.database
    const found = await driver.read((connection) => dialect.introspect(connection))
    const keyed = withViewKeys(found, [
      { view: 'listed', columns: ['id'] },
      { view: 'first_', columns: ['id'] },
      { view: 'nothing', columns: ['id'] },
    ])
    expect(keyed.leftOut.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
      'the key of "first_" in view_keys: the table has a primary key',
      'the key of "nothing" in view_keys: there is no such view',
    ])
    expect(withViewKeys(found, [{ view: 'listed', columns: ['ID_'] }]).leftOut[0]?.reason).toBe(
      'it has no column "ID_"',
    )
    const at = await snapshotOf(keyed, dialect)
    const { data } = await run(
      '{ listed(desc: "name", first: 2) { edges { cursor node { id GlobalId } } } }',
      at,
    )
    const [, second] = data.listed?.edges ?? []
    const rest = await run(
      `{ listed(desc: "name", after: "${second?.cursor}") { edges { node { id } } } node(GlobalId: "${second?.node.GlobalId}") { ... on listed_ { id name } } }`,
      at,
    )
    expect(rest).toEqual({
      data: { listed: { edges: [{ node: { id: 1 } }] }, node: { id: 2, name: 'b' } },
    })
  })
})
