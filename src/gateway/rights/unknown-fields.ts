import type { RecordConditions } from '../../access/authorization/record-conditions.ts'
import type { Table } from '../../database/database-schema.ts'
import { unknownKeys } from '../../query/rule-filter.ts'
import type { RuleTables } from './rule-tables.ts'

/** A field that conditions name. */
export interface UnknownField {
  readonly name: string
  /** Inside the conditions. */
  readonly pointer: readonly (string | number)[]
}

/** The fields that conditions name and a table does not have. */
export function unknownFields(
  { rows, fields, set }: RecordConditions,
  table: Table,
  tables: RuleTables,
): readonly UnknownField[] {
  const isUnknown = (name: string) => !table.columns.has(name)
  return [
    ...unknownKeys(rows ?? [], tables.filterableOf(table)).map(({ key, path }) => ({
      name: String(key),
      pointer: ['rows', ...path, 'key'],
    })),
    ...(['read', 'write'] as const).flatMap((kind) =>
      (fields?.[kind] ?? []).flatMap((name, index) =>
        isUnknown(name) ? [{ name, pointer: ['fields', kind, index] }] : [],
      ),
    ),
    ...Object.keys(set ?? {})
      .filter(isUnknown)
      .map((name) => ({ name, pointer: ['set', name] })),
  ]
}
