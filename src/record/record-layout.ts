/** The positions of a record's values in its row, and how a row becomes JSON text. */
import type { Column } from '../database/database-schema.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { invariant } from '../errors/invariant.ts'
import { codecOf } from '../query/codec/codec-of.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { isReadable } from './record-rights.ts'
import { type PublishedEntity, rowKeyOf, type WriteRules } from './record-rules.ts'

export interface RecordLayout {
  /** The system columns, then the fields in the order of the definition. */
  readonly columns: readonly Column[]
  /** The index of a column in a row. */
  positionOf(column: Column): number
  /** The record as JSON text. */
  write(row: Row): string
}

/** By the rules of an entity, which are made once for a schema. */
const layouts = new WeakMap<WriteRules, RecordLayout>()

/** The layout of an entity's rows, with all fields. */
export function layoutOf(entity: PublishedEntity): RecordLayout {
  const known = layouts.get(entity.rules)
  if (known !== undefined) return known
  const layout = layoutWith(entity, () => true)
  layouts.set(entity.rules, layout)
  return layout
}

/** The same with the fields that the caller may read. */
export function readableLayoutOf(entity: PublishedEntity): RecordLayout {
  if (entity.rights?.read?.fields === undefined) return layoutOf(entity)
  return layoutWith(entity, (name) => isReadable(entity.rights, name))
}

/** A value of a record. */
export interface RecordMember {
  readonly column: Column
  /** The JSON text of a value that the column held. */
  writeJson(value: Exclude<SqlValue, null>): string
}

/** The values of an entity's records that the caller may read. */
export function readableMembersOf(entity: PublishedEntity): readonly RecordMember[] {
  return membersOf(entity, (name) => isReadable(entity.rights, name))
}

function membersOf(
  { table, rules }: PublishedEntity,
  isShown: (name: string) => boolean,
): readonly RecordMember[] {
  return [
    ...rules.systemColumns.map((name) => {
      const column = columnOf(table.columns, name)
      return { column, writeJson: codecOf(column).show }
    }),
    ...[...rules.fields.values()].flatMap(({ column, codec }) =>
      column === undefined ? [] : [{ column, writeJson: codec.writeJson }],
    ),
  ].filter(({ column }) => isShown(column.name))
}

function layoutWith(entity: PublishedEntity, isShown: (name: string) => boolean): RecordLayout {
  const members = membersOf(entity, isShown)
  const columns = members.map(({ column }) => column)
  const writers = members.map(({ column, writeJson }, index) => ({
    opening: `${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`,
    writeJson,
  }))
  const positions = new Map(columns.map(({ name }, index) => [name, index]))
  return {
    columns,
    positionOf: ({ name }) => positions.get(name) ?? -1,
    write(row) {
      let text = writers.length === 0 ? '{' : ''
      for (const [index, { opening, writeJson }] of writers.entries()) {
        const value = row[index] ?? null
        text += opening + (value === null ? 'null' : writeJson(value))
      }
      return `${text}}`
    },
  }
}

/** A system column of an entity's table. */
function columnOf(columns: ReadonlyMap<string, Column>, name: string): Column {
  const column = columns.get(name)
  invariant(column !== undefined, `the table of an entity that we made has the column ${name}`)
  return column
}

/** The key by which a change finds this row. */
export function rowKeyIn(row: Row, entity: PublishedEntity): RowKey {
  const layout = layoutOf(entity)
  return rowKeyOf(entity).map((column) => ({ column, value: row[layout.positionOf(column)] ?? null }))
}
