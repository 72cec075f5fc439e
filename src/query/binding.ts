import type { Column } from '../database/database-schema.ts'
import type { SqlValue } from '../database/sql-value.ts'
import type { Syntax } from '../database/syntax.ts'
import { AppError } from '../errors/app-error.ts'
import { invariant } from '../errors/invariant.ts'
import { shortValue } from '../util/short-name.ts'
import { toColumnValue, toColumnValues } from './column-value.ts'
import { keyValueOf } from './global-id.ts'
import type { Page } from './select-plan.ts'
import { boundValueOf, type StoredValue } from './stored-value.ts'
import { resolveValue, type ValueSource, type Variables } from './value-source.ts'

/** The value of one placeholder in a compiled statement. */
export type Binding =
  /** A value that a column is compared with. */
  | { readonly kind: 'value'; readonly column: Column; readonly source: ValueSource }
  /** A part of a key as a text. */
  | { readonly kind: 'keyText'; readonly column: Column; readonly source: ValueSource }
  /** A row's value that a client sends back. */
  | { readonly kind: 'stored'; readonly column: Column; readonly source: ValueSource }
  /** The non-null values of a list, as one parameter. */
  | { readonly kind: 'list'; readonly column: Column; readonly source: ValueSource }
  /** One of these values; for placeholders after the last value, the last one. */
  | {
      readonly kind: 'listItem'
      readonly column: Column
      readonly source: ValueSource
      readonly index: number
    }
  /** The smallest text that sorts after all texts with this prefix. */
  | { readonly kind: 'prefixEnd'; readonly column: Column; readonly source: ValueSource }
  /** A number of rows. */
  | { readonly kind: 'count'; readonly source: ValueSource }
  /** The page size, plus one row if the plan needs to know whether there are more. */
  | {
      readonly kind: 'fetchCount'
      readonly page: Page
      readonly andOneMore: boolean
      readonly atMost: number
    }
  /** How far into the list the page may extend, in rows. */
  | { readonly kind: 'reachCount'; readonly page: Page }
  /** Enough rows to tell whether the list is too long for memory. */
  | { readonly kind: 'probeCount'; readonly page: Page; readonly andOneMore: boolean }
  /** The keys of the level above. */
  | { readonly kind: 'keys' }
  /** A part of one of these keys. */
  | { readonly kind: 'keyPart'; readonly part: number }

/** What one execution of a statement knows. */
export interface BindingContext {
  readonly variables: Variables
  readonly syntax: Syntax
  readonly keys?: readonly (readonly SqlValue[])[]
}

/** The values of a statement's placeholders for one execution. Throws `PARAMETER_INVALID` for an invalid value. */
export function bind(bindings: readonly Binding[], context: BindingContext): readonly SqlValue[] {
  return bindings.map((binding) => bindOne(binding, context, undefined))
}

/** The same for a statement of several selects, one for each key and perhaps some without a key. */
export function bindByKey(
  bindings: readonly Binding[],
  context: BindingContext,
  selects: number,
): readonly SqlValue[] {
  const values: SqlValue[] = []
  for (let key = 0; key < selects; key += 1) {
    for (const binding of bindings) values.push(bindOne(binding, context, key))
  }
  return values
}

/** `key` is the index of the key that is bound. */
function bindOne(
  binding: Binding,
  { variables, syntax, keys }: BindingContext,
  key: number | undefined,
): SqlValue {
  switch (binding.kind) {
    case 'value':
      return toColumnValue(binding.column, resolveValue(binding.source, variables), binding.source.label)
    case 'keyText': {
      const { column, source } = binding
      const text = resolveValue(source, variables)
      const value = typeof text === 'string' ? keyValueOf(column, text) : undefined
      return value ?? toColumnValue(column, text, source.label)
    }
    case 'stored':
      return storedValue(binding.column, resolveValue(binding.source, variables), binding.source.label)
    case 'list': {
      const { column, source } = binding
      return syntax.listParameter(listedValues(column, source, variables))
    }
    case 'listItem': {
      const { column, source, index } = binding
      const values = listedValues(column, source, variables)
      return values[Math.min(index, values.length - 1)] ?? null
    }
    case 'prefixEnd': {
      const { column, source } = binding
      return prefixEnd(toColumnValue(column, resolveValue(source, variables), source.label) as string)
    }
    case 'count':
      return rowCount(binding.source, variables)
    case 'fetchCount':
      return Math.min(binding.atMost, fetchCount(binding, variables))
    case 'reachCount': {
      const offset = binding.page.offset === undefined ? 0 : rowCount(binding.page.offset, variables)
      const reach = offset + fetchCount({ page: binding.page, andOneMore: true }, variables)
      return Math.min(reach, Number.MAX_SAFE_INTEGER)
    }
    case 'probeCount':
      return Math.min(heldRows + 1, fetchCount(binding, variables))
    case 'keys':
      invariant(keys !== undefined, 'a keyed statement runs with keys')
      return syntax.keyListParameter(keys)
    case 'keyPart':
      invariant(key !== undefined, 'a statement for a key runs with one')
      // After the last key: null, which equals nothing.
      return keys?.[key]?.[binding.part] ?? null
  }
}

function storedValue(column: Column, carried: unknown, label: string): SqlValue {
  const value = boundValueOf(column, carried as StoredValue)
  if (value !== undefined) return value
  const detail = `${label} holds no value of "${column.name}": use what this API gave, as it was.`
  throw new AppError('PARAMETER_INVALID', { detail })
}

function listedValues(column: Column, source: ValueSource, variables: Variables): readonly SqlValue[] {
  const list: unknown = resolveValue(source, variables)
  if (!Array.isArray(list))
    throw new AppError('PARAMETER_INVALID', { detail: `${source.label} takes a list.` })
  return list.flatMap((value) => (value === null ? [] : toColumnValues(column, value, source.label)))
}

/** A number of rows from the request: an integer, not negative. */
export function rowCount(source: ValueSource, variables: Variables): number {
  const value = resolveValue(source, variables)
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new AppError('PARAMETER_INVALID', {
    detail: `${source.label} takes a whole number from 0 up, not ${shortValue(value)}.`,
  })
}

/** A list of more rows is never in memory as a whole, but passed on in pieces of this many rows. */
export const heldRows = 1000
/** The same limit in bytes. */
export const heldBytes = 8 * 1024 * 1024
/** After this many bytes, a piece gets no further row. */
export const pieceBytes = 2 * 1024 * 1024

/** How many rows are read for a page: its size, if it has one, and perhaps one more. */
export function fetchCount(
  { page: { first, last, limit }, andOneMore }: { readonly page: Page; readonly andOneMore: boolean },
  variables: Variables,
): number {
  const shown = first ?? last
  const wanted =
    shown === undefined
      ? Number.MAX_SAFE_INTEGER
      : Math.min(rowCount(shown, variables) + (andOneMore ? 1 : 0), Number.MAX_SAFE_INTEGER)
  return limit === undefined ? wanted : Math.min(wanted, rowCount(limit, variables))
}

const lastCodePoint = 0x10ffff

function prefixEnd(prefix: string): string {
  const codePoints = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  while (codePoints.at(-1) === lastCodePoint) codePoints.pop()
  const last = codePoints.pop()
  // Every text has the empty prefix: the end is then greater than any text in practice.
  if (last === undefined) return String.fromCodePoint(lastCodePoint).repeat(64)
  const next = last === 0xd7ff ? 0xe000 : last + 1
  return String.fromCodePoint(...codePoints, next)
}
