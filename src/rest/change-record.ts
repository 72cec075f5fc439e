import type { Column } from '../database/database-schema.ts'
import type { Row, SqlValue } from '../database/driver.ts'
import type { FieldRule, PublishedEntity } from '../query/write-rules.ts'
import { type Absence, type CurrentRecord, checkRecord, defaultOrNull } from './check-record.ts'
import { checkValues } from './check-values.ts'
import { assertChange, etagOf } from './etag.ts'
import { rowOf } from './find-record.ts'
import { patchedMembers } from './merge-patch.ts'
import { columnOf, layoutOf, type RecordLayout } from './record-layout.ts'
import { RecordMistakes } from './record-mistakes.ts'
import type { Conditions, Origin, RestAnswer, RestParts } from './rest-parts.ts'
import { runMutate } from './run-mutate.ts'
import { selectRows } from './select-rows.ts'

/** A `PUT`, whose document is the whole record, or a `PATCH`, whose document is a merge patch of it. */
export interface RecordChange {
  readonly kind: 'replace' | 'merge'
  readonly identifier: string
  readonly document: unknown
  readonly conditions: Conditions
  readonly origin: Origin
}

/** Changes one record and answers it as it is then. */
export async function changeRecord(
  entity: PublishedEntity,
  { kind, identifier, document, conditions, origin }: RecordChange,
  parts: RestParts,
): Promise<RestAnswer> {
  const { dialect, driver } = parts.database
  const { table, rules } = entity
  const layout = layoutOf(entity)
  const column = columnOf(table.columns, 'instance')
  const body = await driver.transaction(async (connection) => {
    const row = await rowOf(entity, identifier, connection, dialect)
    const text = layout.write(row)
    assertChange(conditions, text)
    const current = currentRecord(row, text, layout)
    const mistakes = new RecordMistakes()
    const sent = kind === 'merge' ? patchedMembers(current.json, document) : document
    const values = checkRecord(sent, [], { rules, current, absent: absenceIn(kind, entity, parts), mistakes })
    await checkValues([{ path: [], values, current }], { entity, connection, dialect, mistakes })
    mistakes.throwIfAny()

    const instance = row[layout.positionOf(column)] ?? null
    const changed = changedColumns(values, origin, layout)
    await runMutate(
      { kind: 'update', table, values: changed, key: { column, value: instance } },
      connection,
      dialect,
    )
    const selection = { table, columns: layout.columns, column, values: [instance] }
    const [changedRow = row] = await selectRows(selection, connection, dialect)
    return layout.write(changedRow)
  })
  return { status: 200, headers: { etag: etagOf(body) }, body }
}

/** A replacement keeps what cannot be sent anew, and gives the rest what a new record would get. */
function absenceIn(
  kind: RecordChange['kind'],
  { rules }: PublishedEntity,
  { now, uuid }: RestParts,
): (rule: FieldRule) => Absence {
  if (kind === 'merge') return () => 'kept'
  const context = { now: now(), uuid }
  return (rule) => (rule.name === rules.identifier || rule.immutable ? 'kept' : defaultOrNull(rule, context))
}

function currentRecord(row: Row, text: string, { columns }: RecordLayout): CurrentRecord {
  return {
    json: JSON.parse(text),
    values: new Map(columns.map(({ name }, index) => [name, row[index] ?? null])),
  }
}

function changedColumns(
  values: ReadonlyMap<string, SqlValue>,
  { xid, xname }: Origin,
  { columns }: RecordLayout,
): ReadonlyMap<Column, SqlValue> {
  const changed = new Map<Column, SqlValue>()
  const written = new Map<string, SqlValue>([...values, ['xid', xid], ['xname', xname]])
  for (const column of columns) {
    const value = written.get(column.name)
    if (value !== undefined) changed.set(column, value)
  }
  return changed
}
