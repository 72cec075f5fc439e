import { expect, test } from 'vitest'
import { ownTables } from '../../../test/support/own-tables.ts'
import { recordedDatabase } from '../../../test/support/recorded-database.ts'
import { portTable, tenantTable } from '../../../test/support/sample-database.ts'
import { sqliteSyntax } from '../../database/dialects/sqlite/syntax.ts'
import { inSlices } from '../../util/time-slices.ts'
import { snapshotOf } from '../snapshot.ts'

test('long documents do not take the place of others', async () => {
  const { database } = recordedDatabase(sqliteSyntax, [])
  const snapshot = await snapshotOf(ownTables('SQLite', [tenantTable, portTable], []), database.dialect)
  const prepare = async (query: string) =>
    (await inSlices(snapshot.operations.prepare({ query, variables: {} }))).roots
  const short = '{ Port(name: "a") { edges { node { id } } } }'
  const first = await prepare(short)
  for (let number = 0; number < 10_000; number += 1)
    await prepare(`{ Port(name: "${number} ${'x'.repeat(16_384)}") { totalCount } }`)
  expect(await prepare(short)).toBe(first)
})

test('a variable with very many conditions makes a document neither slower nor larger for others', async () => {
  const { database } = recordedDatabase(sqliteSyntax, [])
  const snapshot = await snapshotOf(ownTables('SQLite', [tenantTable, portTable], []), database.dialect)
  const query = 'query ($f: GenericScalar) { Port(filters: $f) { totalCount } }'
  const prepare = async (count: number) => {
    const condition = { key: 'name', op: '==', val: 'a' }
    const variables = { f: Array.from({ length: count }, () => condition) }
    return (await inSlices(snapshot.operations.prepare({ query, variables }))).roots
  }
  const few = await prepare(3)
  const many = await prepare(400)
  expect(await prepare(400)).not.toBe(many)
  expect(await prepare(3)).toBe(few)
})
