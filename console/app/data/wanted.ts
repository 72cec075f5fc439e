/** What must be read of rows to show columns. */
import type { GridColumn } from './columns.ts'
import type { Condition } from './filters.ts'
import type { Row, Wanted } from './rows.ts'
import type { Field, Relation, Table } from './tables.ts'

/** The fields and references that some columns need, and those of a record's address. */
export function wantedFor(columns: readonly GridColumn[], table: Table): Wanted {
  const names = new Set<string>()
  const references = new Map<string, Relation>()
  for (const column of columns) {
    const relation = column.kind === 'field' ? column.reference : column.relation
    if (column.kind === 'field') names.add(column.name)
    for (const { own } of relation?.fields ?? []) names.add(own)
    if (column.kind === 'field' && relation?.has_global_id) references.set(relation.name, relation)
  }
  for (const key of table.api?.key ?? []) {
    const field = table.fields.find(({ api_name: name }) => name === key)
    if (field !== undefined) names.add(field.name)
  }
  const fields = table.fields.flatMap(({ name }) => (names.has(name) ? [name] : []))
  return { fields, references: table.graphql ? [...references.values()] : [] }
}

/** Everything of a row. */
export function wantedWhole({ fields, references, graphql }: Table): Wanted {
  return {
    fields: fields.map(({ name }) => name),
    references: graphql ? references.filter((reference) => reference.has_global_id) : [],
  }
}

/** The conditions that find the rows at the other end of a relation; undefined if a value is null: there are none. */
export function conditionsOf(
  { fields }: Pick<Relation, 'fields'>,
  { values }: Pick<Row, 'values'>,
): readonly Condition[] | undefined {
  const conditions = fields.map(({ own, other }) => ({ key: other, op: '==', val: values[own] }) as const)
  return conditions.some(({ val }) => val === null || val === undefined) ? undefined : conditions
}

/** The values that a field may have, if there are only a few. */
export function choicesOf({ enum: allowed, kind, entity_type: type }: Field): readonly unknown[] | undefined {
  if (allowed !== undefined) return allowed
  if (kind === 'boolean') return [true, false]
  return type === 'boolean' ? [1, 0] : undefined
}
