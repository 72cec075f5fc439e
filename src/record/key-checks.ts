/**
 * Who refuses values that break a key of the table. The table does it anyway, so that in most calls the checks before would only cost
 * statements; but they tell all mistakes of a call at once, in the words of its entity.
 */
import type { ForeignKey, Table } from '../database/database-schema.ts'
import type { Reference } from './record-rules.ts'
import { isRefusal } from './refusal-of.ts'

/** See the head of this file. */
export type KeyChecks = 'byTable' | 'before'

/**
 * Does work that leaves the keys to the table, and if the table refuses it, does it again with the checks before: the caller is told
 * their error. Part of an enclosing transaction, it is done once: the whole transaction is done again.
 */
export async function withKeyChecks<Result>(
  { table }: { readonly table: Table },
  { enclosing }: { readonly enclosing?: { readonly keyChecks: KeyChecks } },
  work: (keyChecks: KeyChecks) => Promise<Result>,
): Promise<Result> {
  if (table.isPermanent) return work('before')
  if (enclosing !== undefined) return work(enclosing.keyChecks)
  try {
    return await work('byTable')
  } catch (error) {
    if (!isRefusal(error)) throw error
    return work('before')
  }
}

/** Whether the table itself refuses a value of a column that another row has. */
export function refusesTaken({ primaryKey, uniqueKeys }: Table, column: string): boolean {
  return [primaryKey, ...uniqueKeys].some((key) => key.length === 1 && key[0] === column)
}

/** Whether the table itself refuses values for which there is no row. */
export function refusesMissing({ foreignKeys }: Table, reference: Reference): boolean {
  return foreignKeys.some((key) => isKeyOf(key, reference))
}

/** Whether a foreign key leads from the columns of a reference to where it leads. */
export function isKeyOf(
  { columns, referencedTable, referencedColumns }: ForeignKey,
  reference: Reference,
): boolean {
  return (
    referencedTable === reference.table.id &&
    columns.length === reference.names.length &&
    columns.every(
      (name, index) => reference.columns[reference.names.indexOf(name)]?.name === referencedColumns[index],
    )
  )
}
