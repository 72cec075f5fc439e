import { conditionsKey } from '../../access/authorization/record-conditions.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { Table } from '../../database/database-schema.ts'
import type { Database } from '../../database/dialect.ts'
import { bind } from '../../query/binding.ts'
import { compileRowCounts, type RowCount } from '../../query/compile-row-counts.ts'
import type { Filter } from '../../query/filter.ts'
import { ruleVariables } from '../../query/rule-filter.ts'
import { anyOf, type ReadGrant } from '../../record/record-rights.ts'
import type { TimeLimit } from '../../util/time-limit.ts'
import { type GrantContext, type Granting, grantsOf } from './grants.ts'

/** What is given of the records of a table, before and after a change. */
export interface ChangedGrants {
  readonly table: Table
  readonly before: readonly Granting[]
  readonly after: readonly Granting[]
  readonly method: string
}

/** How many rows a change opens and closes. */
export interface ChangedRows {
  readonly opens: number
  readonly closes: number
  /** Those that change on rows that are reached before and after. */
  readonly fields: readonly { readonly name: string; readonly opens: number; readonly closes: number }[]
}

/** The numbers, by one statement; undefined if that takes too long. */
export async function countChangedRows(
  { table, before, after, method }: ChangedGrants,
  context: GrantContext,
  { driver, dialect }: Database,
  time: TimeLimit,
): Promise<ChangedRows | undefined> {
  const [old, current] = [compiled(before, table, method, context), compiled(after, table, method, context)]
  const groups = method === 'DELETE' ? [] : [...changedFields(table, old, current)]
  const tests = [
    rowsOf(old),
    rowsOf(current),
    ...groups.flatMap(([, { given, wanted }]) => [rowsOf(given), rowsOf(wanted)]),
  ]
  const counts: readonly RowCount[] = [
    { by: [1], notBy: [0] },
    { by: [0], notBy: [1] },
    ...groups.flatMap((_, index): readonly RowCount[] => [
      { by: [0, 1, 3 + 2 * index], notBy: [2 + 2 * index] },
      { by: [0, 1, 2 + 2 * index], notBy: [3 + 2 * index] },
    ]),
  ]
  const durations = [...old, ...current].flatMap((known) => known.durations)
  const template = compileRowCounts({ table, tests, counts }, dialect)
  const variables = ruleVariables(context.caller, durations)
  const statement = {
    sql: template.sql,
    parameters: bind(template.bindings, { variables, syntax: dialect.syntax }),
  }
  try {
    const [row = []] = await driver.read((connection) => connection.query(statement), {
      cancellation: time,
      readsViews: table.kind === 'view',
    })
    const numbers = row.map(Number)
    const [opens = 0, closes = 0] = numbers
    const fields = groups.flatMap(([, { names }], index) => {
      const [shown = 0, hidden = 0] = numbers.slice(2 + 2 * index)
      return shown + hidden === 0 ? [] : names.map((name) => ({ name, opens: shown, closes: hidden }))
    })
    return { opens, closes, fields }
  } catch (error) {
    if (error instanceof DatabaseError && (error.kind === 'timedOut' || time.isOver)) return undefined
    throw error
  }
}

/** What one authority gives, with a text that is the same for equal ones. */
interface KeyedGrant extends ReadGrant {
  readonly key: string
  readonly durations: readonly string[]
}

function compiled(
  given: readonly Granting[],
  table: Table,
  method: string,
  context: GrantContext,
): readonly KeyedGrant[] {
  return given.flatMap((one) =>
    grantsOf([one], table, context).map(({ read, write, durations }) => {
      const { rows, fields } = method === 'GET' ? read : write
      return { key: conditionsKey(one.conditions), rows, fields, durations }
    }),
  )
}

function rowsOf(grants: readonly KeyedGrant[]): Filter | undefined {
  return anyOf(grants.map(({ rows }) => rows))
}

interface FieldGroup {
  readonly names: string[]
  readonly given: readonly KeyedGrant[]
  readonly wanted: readonly KeyedGrant[]
}

/** The fields that others give than before; together those that the same give. */
function changedFields(
  { columns }: Table,
  old: readonly KeyedGrant[],
  current: readonly KeyedGrant[],
): ReadonlyMap<string, FieldGroup> {
  const groups = new Map<string, FieldGroup>()
  const givingIn = (grants: readonly KeyedGrant[], name: string) =>
    grants.filter(({ fields }) => fields === undefined || fields.has(name))
  for (const name of columns.keys()) {
    const [given, wanted] = [givingIn(old, name), givingIn(current, name)]
    const [keys, wantedKeys] = [given, wanted].map((some) =>
      some
        .map(({ key }) => key)
        .sort()
        .join(),
    )
    if (keys === wantedKeys) continue
    const known = groups.get(`${keys} | ${wantedKeys}`)
    if (known === undefined) groups.set(`${keys} | ${wantedKeys}`, { names: [name], given, wanted })
    else known.names.push(name)
  }
  return groups
}
