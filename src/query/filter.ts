import type { Column } from '../database/database-schema.ts'
import type { ValueSource } from './value-source.ts'

/** The operators of a filter, as clients write them. */
export const comparisons = [
  '==',
  '!=',
  '<=',
  '>=',
  '>',
  '<',
  'starts',
  'ends',
  'contains',
  'in',
  'not in',
] as const

export type Comparison = (typeof comparisons)[number]

/** Which rows are wanted. No rows is `or` of nothing, all rows `and` of nothing. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
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
      /** A list in which at least one value is not null. */
      readonly values: ValueSource
      /** Whether the list holds a null: part of the plan, because the statement differs. */
      readonly withNull: boolean
      /** How many places its values take in a statement that has one for each; 0 where the list is too long for that. */
      readonly places: number
      /** Whether some of the values may be none of the column's type. */
      readonly odd?: true
    }
  /** A part of a key, from a GlobalId: a text, or a value as it is stored. */
  | {
      readonly kind: 'isKey'
      readonly column: Column
      readonly value: ValueSource
      readonly isStored: boolean
    }
  | { readonly kind: 'isNull'; readonly column: Column; readonly negated: boolean }
