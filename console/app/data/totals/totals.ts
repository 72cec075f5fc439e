/** Totals as they are read. */
import { runGraphql } from '../../api/graphql.ts'
import type { Field, Table } from '../tables.ts'
import type { GroupOrder } from './group-order.ts'
import { functionsOf, functionsOfGroups, type TotalFunction } from './total-functions.ts'
import type { TotalsChoice } from './totals-choice.ts'
import { countAlias, totalsDocument } from './totals-document.ts'

/** What is computed of the values of a column; only what was asked for. */
export interface ColumnTotals {
  readonly field: Field
  readonly values: Readonly<Partial<Record<TotalFunction, unknown>>>
}

/** What is computed of some rows. */
interface RowTotals {
  /** How many rows there are. */
  readonly count: number
  readonly columns: readonly ColumnTotals[]
}

/** Rows with equal keys. */
export interface GroupTotals extends RowTotals {
  /** By the names of the fields that rows are grouped by. */
  readonly keys: Readonly<Record<string, unknown>>
}

/** The totals of all rows, and of the first groups. */
export interface Totals extends RowTotals {
  readonly groups: readonly GroupTotals[]
  readonly hasMoreGroups: boolean
}

/** Which groups are wanted. */
export interface WantedGroups {
  readonly order: GroupOrder
  readonly most: number
}

/** Reads the totals of all rows that a composite filter finds. Throws a `Refusal`. */
export async function readTotals(
  table: Table,
  choice: TotalsChoice,
  filters: unknown,
  { order, most }: WantedGroups,
  signal?: AbortSignal,
): Promise<Totals> {
  const part = { order, limit: most + 1 }
  const { document, variables } = totalsDocument(table, choice, filters, part)
  const { rows } = await runGraphql<{ readonly rows: Answer }>(document, variables, signal)
  const fields = choice.columns.flatMap((name) => table.fields.find((field) => field.name === name) ?? [])
  const { groups = [] } = rows
  return {
    ...totalsIn(rows.aggregates, fields, functionsOf),
    hasMoreGroups: groups.length > most,
    groups: groups.slice(0, most).map((group) => ({
      ...totalsIn(group, fields, functionsOfGroups),
      keys: group.keys,
    })),
  }
}

type Aggregates = Readonly<Record<string, unknown>> & { readonly count: number }

interface Answer {
  readonly aggregates: Aggregates
  readonly groups?: readonly (Aggregates & { readonly keys: Readonly<Record<string, unknown>> })[]
}

function totalsIn(
  answer: Aggregates,
  fields: readonly Field[],
  functionsFor: (field: Field) => readonly TotalFunction[],
): RowTotals {
  const columns = fields.map((field, place) => {
    const values = functionsFor(field).map((fn) => [
      fn,
      fn === 'count'
        ? answer[countAlias(place)]
        : (answer[fn] as Readonly<Record<string, unknown>>)[field.name],
    ])
    return { field, values: Object.fromEntries(values) }
  })
  return { count: answer.count, columns }
}
