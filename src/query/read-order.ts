import { createHash } from 'node:crypto'
import type { Column, Table } from '../database/database-schema.ts'
import { AppError } from '../errors/app-error.ts'
import { shortName } from '../util/short-name.ts'
import { type Argument, itemsOf } from './argument.ts'
import { type Filterable, type RelatedRows, relatedPath } from './filterable.ts'
import { invalid } from './invalid-argument.ts'
import { jsonNameOf } from './json-path.ts'
import { joinedStepsOf, type OrderTerm } from './order-term.ts'
import { columnNamed, refuseLongPath } from './read-filters.ts'

/** A page after a cursor compares each field that clients sort by with all before it. */
const termLimit = 100

/** Databases join about sixty tables in a select, with those that the rest of it needs. */
const stepLimit = 50

/**
 * `first`, then `asc` fields, then `desc` fields, then the table's key, so that the order is total. Rows of a table without a
 * key are distinguished by all their columns: these are added if only a part of the list is requested (`isPart`), so
 * that the parts fit together. Throws PARAMETER_INVALID, also for too many fields or references.
 */
export function readOrder(
  asc: Argument,
  desc: Argument,
  filterable: Filterable,
  table: Table,
  isPart = false,
  first: readonly OrderTerm[] = [],
): readonly OrderTerm[] {
  const terms = [...first, ...readTerms(asc, 'asc', filterable), ...readTerms(desc, 'desc', filterable)]
  refuseLargeOrder(terms)
  return withKey(terms, table, isPart)
}

/** The items of one of the arguments that clients sort by. Throws PARAMETER_INVALID for too many. */
export function orderItemsOf(argument: Argument): readonly Argument[] {
  const items = itemsOf(argument)
  if (items.length > termLimit) throw invalid(argument.label, `takes at most ${termLimit} fields`)
  return items
}

function refuseLargeOrder(terms: readonly OrderTerm[]): void {
  if (terms.length > termLimit)
    throw new AppError('PARAMETER_INVALID', {
      detail: `A list is sorted by at most ${termLimit} fields, and these are ${terms.length}.`,
    })
  const steps = joinedStepsOf(terms).size
  if (steps > stepLimit)
    throw new AppError('PARAMETER_INVALID', {
      detail: `A list is sorted by what at most ${stepLimit} references lead to, and these paths have ${steps}. Sort by fewer paths.`,
    })
}

function readTerms(
  argument: Argument,
  direction: OrderTerm['direction'],
  filterable: Filterable,
): readonly OrderTerm[] {
  return orderItemsOf(argument).map((item) => {
    const name = item.ask('value')
    if (typeof name !== 'string') {
      throw new AppError('PARAMETER_INVALID', { detail: `${item.label} takes the name of a field.` })
    }
    return termNamed(name, item.label, direction, filterable)
  })
}

/** A field of the row, or one that a path through references leads to: null where there is no such row. */
export function termNamed(
  name: string,
  label: string,
  direction: OrderTerm['direction'],
  filterable: Filterable,
): OrderTerm {
  if (!filterable.columns.has(name) && jsonNameOf(name) !== undefined)
    throw invalid(
      label,
      `: ${JSON.stringify(shortName(name))} leads into JSON, and lists cannot be sorted by what is in it`,
    )
  const dot = filterable.columns.has(name) ? -1 : name.lastIndexOf('.')
  if (dot === -1) return { column: columnNamed(name, label, filterable), direction }
  refuseLongPath(name, label)
  const steps = relatedPath(name.slice(0, dot), filterable)
  if (steps === undefined) return { column: columnNamed(name, label, filterable), direction }
  for (const step of steps) {
    if (!isOneRow(step))
      throw new AppError('PARAMETER_INVALID', {
        detail: `${label}: ${JSON.stringify(name)} leads to several rows of ${step.table.name}. Sort by a path through references.`,
      })
  }
  const column = columnNamed(name.slice(dot + 1), label, steps.at(-1)?.filterable ?? filterable)
  // Not the path itself: databases cut long names.
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16)
  return {
    column: { ...column, name: `gatehouse ${hash}`, nullable: true },
    direction,
    via: { path: name.slice(0, dot).split('.'), steps, column },
  }
}

/** Whether a key makes sure that there is one row at most. */
function isOneRow({ isList, table, other }: RelatedRows): boolean {
  const names = other.map(({ name }) => name)
  const keys = [table.primaryKey, ...table.uniqueKeys].filter((key) => key.length > 0)
  return !isList && keys.some((key) => key.every((name) => names.includes(name)))
}

function withKey(terms: readonly OrderTerm[], table: Table, isPart: boolean): readonly OrderTerm[] {
  const result: OrderTerm[] = []
  const seen = new Set<string>()
  const add = (term: OrderTerm) => {
    if (!seen.has(term.column.name)) result.push(term)
    seen.add(term.column.name)
  }
  terms.forEach(add)
  const key = tellingColumnsOf(table)
  const telling = key.length > 0 || !isPart ? key : table.columns.values()
  for (const column of telling) add({ column, direction: 'asc' })
  return result
}

/** The position of a row in a list without a unique key, counted from 1. */
export const positionColumn: Column = {
  name: 'gatehouse position',
  type: 'bigint',
  nativeType: 'bigint',
  nullable: false,
  hasDefault: true,
}

/** Columns that are unique together; with the row number if the key may contain nulls or there is none. */
export function tellingColumnsOf(table: Table): readonly Column[] {
  const key = keyColumnsOf(table)
  if (table.rowNumber === undefined) return key
  return key.some(({ nullable }) => nullable) || key.length === 0 ? [...key, table.rowNumber] : key
}

/** The primary key; otherwise a unique key without nulls; otherwise nothing. */
export function keyColumnsOf(table: Table): readonly Column[] {
  const columnsOf = (names: readonly string[]) => names.flatMap((name) => table.columns.get(name) ?? [])
  if (table.primaryKey.length > 0) return columnsOf(table.primaryKey)
  const unique = table.uniqueKeys
    .map(columnsOf)
    .find((columns) => columns.every((column) => !column.nullable))
  return unique ?? []
}
