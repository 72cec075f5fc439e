import { expect, test } from 'vitest'
import type { DatabaseSchema, Table } from '../../database/database-schema.ts'
import { inSlices } from '../../util/time-slices.ts'
import { buildModel } from '../model/build-model.ts'
import { buildSchema } from './build-schema.ts'
import { schemaText } from './print-schema.ts'

/** Tables in a chain, each of which references the one before. */
function chainOf(count: number): DatabaseSchema {
  const column = { type: 'integer', nativeType: 'integer', nullable: false, hasDefault: false } as const
  const tables = Array.from(
    { length: count },
    (_, index): Table => ({
      id: `t${index}`,
      name: `t${index}`,
      kind: 'table',
      columns: new Map(['id', 'before'].map((name) => [name, { name, ...column }])),
      primaryKey: ['id'],
      uniqueKeys: [],
      foreignKeys:
        index === 0
          ? []
          : [{ columns: ['before'], referencedTable: `t${index - 1}`, referencedColumns: ['id'] }],
    }),
  )
  return { tables: new Map(tables.map((table) => [table.id, table])), leftOut: [] }
}

test('thousands of tables may refer to each other in a row', async () => {
  const count = 2500
  const schema = await inSlices(buildSchema(await inSlices(buildModel(chainOf(count)))))
  const text = await inSlices(schemaText(schema))
  expect(text.match(/^type t\d+_ implements CustomNode \{/gm)).toHaveLength(count)
  expect(schema.getPossibleTypes(schema.getType('CustomNode') as never)).toHaveLength(count)
})
