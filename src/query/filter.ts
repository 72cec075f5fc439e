import type { Column, Table } from '../database/database-schema.ts'
import type { CaselessTest } from '../database/syntax.ts'
import type { ValueSource } from './value-source.ts'

/** Tests of texts that take an upper and a lower case letter for the same, as `Syntax.caseless` says. */
export const caselessComparisons = [
  'iequals',
  'istarts',
  'iends',
  'icontains',
] as const satisfies readonly CaselessTest[]

/** The operators that compare a field with a value or, `in` and `not in`, with a list. */
const comparisons = [
  '==',
  '!=',
  '<=',
  '>=',
  '>',
  '<',
  'starts',
  'ends',
  'contains',
  ...caselessComparisons,
  'in',
  'not in',
] as const

export type Comparison = (typeof comparisons)[number]

/** The operators of a filter on a field, as clients write them. */
export const operators = [...comparisons, 'between', 'isnull'] as const

export type Operator = (typeof operators)[number]

/** The operators of a filter on related rows: how many of them must match. */
export const quantifiers = ['some', 'every', 'none'] as const

export type Quantifier = (typeof quantifiers)[number]

/** Which rows are selected. `or` of nothing selects none, `and` of nothing all. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  /** The rows that the other does not select: also those for which it is neither true nor false, as a comparison with null. */
  | { readonly kind: 'not'; readonly filter: Filter }
  | {
      readonly kind: 'compare'
      readonly column: Column
      /** Anything but `in` and `not in`, with a value that is not null. */
      readonly comparison: Exclude<Comparison, 'in' | 'not in'>
      readonly value: ValueSource
    }
  | {
      readonly kind: 'oneOf'
      readonly column: Column
      readonly negated: boolean
      /** A list with at least one value; nulls in it are nothing. */
      readonly values: ValueSource
      /** How many placeholders its values take if each has its own; 0 if the list is too long for that. */
      readonly placeholders: number
      /** Whether some of the values may not be of the column's type. */
      readonly odd?: true
    }
  /** A column of a key, from a GlobalId: as a text, or as a stored value. */
  | {
      readonly kind: 'isKey'
      readonly column: Column
      readonly value: ValueSource
      readonly isStored: boolean
    }
  | { readonly kind: 'isNull'; readonly column: Column; readonly negated: boolean }
  /** Whether related rows match: those of `table` with the same values in `other` as this one in `own`. */
  | {
      readonly kind: 'related'
      readonly quantifier: Quantifier
      readonly table: Table
      /** What may be read of them; undefined for everything. */
      readonly rights: TableRights | undefined
      readonly own: readonly Column[]
      readonly other: readonly Column[]
      readonly filter: Filter
    }

/** What a caller may read of a table: the same for every way to its rows. */
export interface TableRights {
  /** The rows that are reached; undefined for all. */
  readonly rows: Filter | undefined
  /** By the name of a column that is given on some of the reached rows only: on which. On the others it is null. */
  readonly masks: ReadonlyMap<string, Filter>
}
