import type { RecordConditions } from '../../access/authorization/record-conditions.ts'
import type { Table } from '../../database/database-schema.ts'
import type { Dialect } from '../../database/dialect.ts'
import { AppError } from '../../errors/app-error.ts'
import { conditionsIn, type PlacedCondition, readLiteral } from '../../query/rule-filter.ts'
import { assertBindable } from './grants.ts'
import type { RuleTables } from './rule-tables.ts'

/** A value in conditions that the column cannot have, or an operator that does not work on it. */
export interface UnfitValue {
  /** Inside the conditions. */
  readonly pointer: readonly (string | number)[]
  /** What is wrong, in a sentence. */
  readonly detail: string
}

/** The values in conditions on rows that do not fit a table. Those that come with the request are not known here. */
export function unfitValues(
  { rows }: RecordConditions,
  table: Table,
  tables: RuleTables,
  dialect: Dialect,
): readonly UnfitValue[] {
  return conditionsIn(rows ?? [], tables.filterableOf(table)).flatMap((placed) => {
    const detail = mistakeIn(placed, dialect)
    return detail === undefined ? [] : [{ pointer: ['rows', ...placed.path, 'val'], detail }]
  })
}

function mistakeIn(placed: PlacedCondition, dialect: Dialect): string | undefined {
  try {
    const filter = readLiteral(placed)
    if (filter !== undefined) assertBindable(filter, {}, dialect)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message
  }
}
