/** From the conditions of authorities to what they grant on the records of one table. */
import type { RecordConditions } from '../../access/authorization/record-conditions.ts'
import type { Column, Table } from '../../database/database-schema.ts'
import type { Dialect } from '../../database/dialect.ts'
import { render } from '../../database/sql.ts'
import { AppError } from '../../errors/app-error.ts'
import { bind } from '../../query/binding.ts'
import { compileFilter } from '../../query/compile-filter.ts'
import type { Filter } from '../../query/filter.ts'
import type { Filterable } from '../../query/filterable.ts'
import {
  MissingRuleValue,
  type RuleContext,
  type RuleFilter,
  readRule,
  ruleValue,
  ruleVariables,
  unknownKeys,
} from '../../query/rule-filter.ts'
import type { Variables } from '../../query/value-source.ts'
import { noRows, type ReadGrant, type WriteGrant } from '../../record/record-rights.ts'
import type { RuleTables } from './rule-tables.ts'

/** What one authority grants on the records of a table. */
export interface Grant {
  readonly read: ReadGrant
  readonly write: WriteGrant
  /** What of the caller's values the filter depends on besides the values themselves. */
  readonly shape: string
  readonly durations: readonly string[]
}

/** An authority of a role, or a public route. */
export interface Granting {
  /** Undefined if it grants everything. */
  readonly conditions: RecordConditions | undefined
}

/** The most grants that are kept for one account. */
const keptGrants = 1000

/** What was granted to one account before, with the same values and tables. */
export class KnownGrants {
  readonly #grants = new Map<RecordConditions, Map<string, Grant | undefined>>()
  #count = 0

  /** What conditions grant on a table; found only once, unless it depends on the time. */
  of(conditions: RecordConditions, table: Table, find: () => Grant | undefined): Grant | undefined {
    const ofConditions = this.#grants.get(conditions) ?? new Map<string, Grant | undefined>()
    if (ofConditions.has(table.id)) return ofConditions.get(table.id)
    const grant = find()
    if (dependsOnTime(conditions)) return grant
    this.#count += 1
    if (this.#count > keptGrants) {
      this.#grants.clear()
      this.#count = 0
    }
    this.#grants.set(conditions, ofConditions.set(table.id, grant))
    return grant
  }
}

/** Times in `rows` are variables of the statements; a value that is set is part of the grant. */
function dependsOnTime({ set = {} }: RecordConditions): boolean {
  return Object.values(set).some((value) => typeof value === 'object' && value !== null && 'now' in value)
}

/** What conditions are compiled with, for one caller. */
export interface GrantContext {
  /** What was compiled for the caller before. */
  readonly known?: KnownGrants
  readonly tables: RuleTables
  readonly dialect: Dialect
  readonly caller: RuleContext
}

const everything: Grant = {
  read: { rows: undefined, fields: undefined },
  write: { rows: undefined, fields: undefined, set: new Map() },
  shape: '',
  durations: [],
}

/**
 * What authorities grant on a table, in their order. One that names a field which the table does not have grants nothing;
 * one that names a value which the account does not have, or not in the type of the column, admits no row.
 */
export function grantsOf(
  authorities: readonly Granting[],
  table: Table,
  context: GrantContext,
): readonly Grant[] {
  return authorities.flatMap(({ conditions }) =>
    conditions === undefined ? [everything] : (knownGrantOf(conditions, table, context) ?? []),
  )
}

function knownGrantOf(conditions: RecordConditions, table: Table, context: GrantContext): Grant | undefined {
  const find = () => grantOf(conditions, table, context)
  return context.known === undefined ? find() : context.known.of(conditions, table, find)
}

function grantOf(
  { rows, fields, set }: RecordConditions,
  table: Table,
  context: GrantContext,
): Grant | undefined {
  const named = [...(fields?.read ?? []), ...(fields?.write ?? []), ...Object.keys(set ?? {})]
  if (!named.every((name) => table.columns.has(name))) return undefined
  const filterable = context.tables.filterableOf(table)
  if (rows !== undefined && unknownKeys(rows, filterable).length > 0) return undefined
  const rule = rows && readRows(rows, filterable, context)
  const values = setValues(set, table, context)
  const read = fields?.read && new Set(fields.read)
  const admitted = values === undefined ? noRows : rule?.filter
  return {
    read: { rows: admitted, fields: read },
    write: {
      rows: admitted,
      fields: fields?.write ? new Set(fields.write) : read,
      set: admitted === noRows || values === undefined ? new Map() : values,
    },
    shape: JSON.stringify([rows, fields, values === undefined ? 'none' : rule?.shape]),
    durations: rule?.durations ?? [],
  }
}

/** A rule that the table cannot have, or whose values the account lacks or has in another type, admits no row. */
export function readRows(
  rows: readonly unknown[],
  filterable: Filterable,
  context: GrantContext,
): RuleFilter {
  const { caller, dialect } = context
  try {
    const rule = readRule(rows, filterable, caller)
    assertBindable(rule.filter, ruleVariables(caller, rule.durations), dialect)
    return rule
  } catch (error) {
    if (!(error instanceof MissingRuleValue || error instanceof AppError)) throw error
    return { filter: noRows, shape: 'none', durations: [] }
  }
}

/** Throws PARAMETER_INVALID for a filter with values that its columns cannot have. */
export function assertBindable(filter: Filter, variables: Variables, dialect: Dialect): void {
  const { syntax } = dialect
  const { parameters } = render(compileFilter(filter, 't', dialect), syntax.placeholder)
  bind(parameters, { variables, syntax })
}

/** The values that are set; undefined if the account lacks one, or has it in another type than the column. */
export function setValues(
  set: RecordConditions['set'],
  table: Table,
  context: GrantContext,
): ReadonlyMap<string, unknown> | undefined {
  const { caller, tables } = context
  const { columns } = table
  const equal = Object.entries(set ?? {}).flatMap(([key, val]) =>
    typeof val === 'object' && val !== null ? [{ key, op: '==', val }] : [],
  )
  if (equal.length > 0 && readRows(equal, tables.filterableOf(table), context).filter === noRows)
    return undefined
  try {
    return new Map(
      Object.entries(set ?? {}).map(([name, rule]) => [
        name,
        ruleValue(rule, columns.get(name) as Column, caller),
      ]),
    )
  } catch (error) {
    if (error instanceof MissingRuleValue) return undefined
    throw error
  }
}
