import { columnsOf, keptChoice } from '../columns.ts'
import type { ListArguments } from '../row-documents.ts'
import type { Row } from '../rows.ts'
import type { Table } from '../tables.ts'
import { readAll } from '../transfer/read-all.ts'
import { wantedFor } from '../wanted.ts'

/** Reads all rows of a list with the columns that are shown; undefined if there are more than `most`. */
export async function allRows(
  table: Table,
  list: ListArguments,
  most: number,
  signal: AbortSignal,
): Promise<readonly Row[] | undefined> {
  const all: Row[] = []
  const shown = columnsOf(table, keptChoice(table.name)).flatMap(({ column, isShown }) =>
    isShown && column.kind === 'field' ? [column] : [],
  )
  const wanted = { ...wantedFor(shown, table), references: [] }
  for await (const page of readAll(table, wanted, list, signal)) {
    all.push(...page)
    if (all.length > most) return undefined
  }
  return all
}
