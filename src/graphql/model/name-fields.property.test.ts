import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allCases } from '../../../test/support/part-of.ts'
import type { Column, DatabaseSchema, ForeignKey, Table } from '../../database/database-schema.ts'
import type { GivenNames } from '../../store/given-names.ts'
import { buildModel } from './build-model.ts'

/** Names that GraphQL cannot tell apart, or that relations would prefer. */
const columnNames = [
  'id',
  'a_b',
  'a-b',
  'a b',
  't',
  'u',
  'tRef',
  'uCollection',
  't_id',
  'tId',
  'tid',
  'a_b_2',
  'GlobalId',
]
const tableNames = ['t', 'u', 't-', 'node']

const tables = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...tableNames),
    columns: fc.shuffledSubarray(columnNames),
    keys: fc.array(fc.tuple(fc.constantFrom(...columnNames), fc.constantFrom(...tableNames)), {
      maxLength: 4,
    }),
  }),
  { selector: ({ name }) => name },
)
type TableDraft = (typeof tables extends fc.Arbitrary<infer Drafts> ? Drafts : never)[number]

function schemaOf(drafts: readonly TableDraft[]): DatabaseSchema {
  const found = drafts.map(({ name, columns, keys }): readonly [string, Table] => {
    const own = ['key', ...columns].map((column): readonly [string, Column] => [
      column,
      { name: column, type: 'integer', nativeType: 'integer', nullable: true } as Column,
    ])
    const foreignKeys = keys.map(
      ([column, referencedTable]): ForeignKey => ({
        columns: [column],
        referencedTable,
        referencedColumns: ['key'],
      }),
    )
    const unique = new Map(foreignKeys.map((key) => [JSON.stringify(key), key]))
    const rest = { kind: 'table', primaryKey: ['key'], uniqueKeys: [] } as const
    return [name, { id: name, name, ...rest, columns: new Map(own), foreignKeys: [...unique.values()] }]
  })
  return { tables: new Map(found), leftOut: [] }
}

/** The owner of each name: a table, or a field of a table. */
function ownersIn(drafts: readonly TableDraft[], given: GivenNames | undefined) {
  const building = buildModel(schemaOf(drafts), 'verbatim', given && { given })
  let step = building.next()
  while (!step.done) step = building.next()
  const model = step.value
  const owners = [...model.entities.values()].flatMap(({ name, table, fields }) => [
    [name, table.name] as const,
    ...[...fields.values()].map((field) => {
      const of = field.kind === 'scalar' ? field.column.name : field.relation
      return [`${table.name}.${field.name}`, `${field.kind} ${of}`] as const
    }),
  ])
  return { owners, names: JSON.parse(JSON.stringify(model.names)) as GivenNames }
}

test('a name belongs to one table, column or foreign key for good, and each keeps its name', () => {
  fc.assert(
    fc.property(fc.array(tables, { minLength: 1, maxLength: 6 }), (states) => {
      let given: GivenNames | undefined
      const ownerOf = new Map<string, string>()
      const nameOf = new Map<string, string>()
      for (const drafts of states) {
        const { owners, names } = ownersIn(drafts, given)
        expect(new Set(owners.map(([name]) => name)).size).toBe(owners.length)
        for (const [name, owner] of owners) {
          const place = name.includes('.') ? name.slice(0, name.indexOf('.')) : ''
          expect(ownerOf.get(name) ?? owner).toBe(owner)
          expect(nameOf.get(`${place} ${owner}`) ?? name).toBe(name)
          ownerOf.set(name, owner)
          nameOf.set(`${place} ${owner}`, name)
        }
        // Reading again gives the same result.
        expect(ownersIn(drafts, names)).toEqual({ owners, names })
        given = names
      }
    }),
    { numRuns: allCases ? 500 : 100 },
  )
})
