/**
 * What an operation reads from the database and the shape of its response, before any SQL. Plain data: a tree of
 * levels, each one select, and a tree of shapes that say where in the rows each value is.
 */
import type { SourceLocation } from 'graphql'
import type { Column } from '../../database/database-schema.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { AggregateValue } from '../../query/aggregate-plan.ts'
import type { ColumnCodec } from '../../query/codec/column-codec.ts'
import type { Filter } from '../../query/filter.ts'
import type { LevelPlan } from '../../query/levels/level-plan.ts'
import type { WriteKind } from '../model/naming.ts'
import type { ReadArguments } from './argument-reader.ts'
import type { IntrospectionField } from './plan-introspection.ts'

export interface ObjectShape {
  readonly members: readonly { readonly key: string; readonly shape: FieldShape }[]
}

export type FieldShape =
  | { readonly kind: 'typeName'; readonly name: string }
  | { readonly kind: 'column'; readonly position: number; readonly codec: ColumnCodec }
  | {
      readonly kind: 'globalId'
      readonly typeName: string
      readonly positions: readonly number[]
      readonly columns: readonly Column[]
      /** The position of the row number, if the key may contain nulls. */
      readonly rowNumber?: number
    }
  /** The one row of a relation, or null. `relation` is its index among the level's relations. */
  | (RelationShape & { readonly kind: 'reference'; readonly object: ObjectShape })
  | (RelationShape & { readonly kind: 'collection'; readonly connection: ConnectionShape })
  /** A field that cannot be planned: null in every row, with an error. */
  | { readonly kind: 'failed'; readonly error: AppError; readonly locations: readonly SourceLocation[] }
  /** An object whose members are in the same row. */
  | { readonly kind: 'nested'; readonly object: ObjectShape }

interface RelationShape {
  readonly relation: number
  /** The locations in the document that select it. */
  readonly locations: readonly SourceLocation[]
}

export interface ConnectionShape {
  readonly members: readonly { readonly key: string; readonly shape: ConnectionMember }[]
}

export type ConnectionMember =
  | { readonly kind: 'typeName'; readonly name: string }
  | { readonly kind: 'totalCount' }
  /** The row of an aggregate of the select, which has these values. */
  | {
      readonly kind: 'aggregates'
      readonly index: number
      readonly object: ObjectShape
      readonly values: readonly AggregateValue[]
      readonly locations: readonly SourceLocation[]
    }
  /** All of its rows. */
  | {
      readonly kind: 'groups'
      readonly index: number
      readonly object: ObjectShape
      readonly locations: readonly SourceLocation[]
    }
  | { readonly kind: 'failed'; readonly error: AppError; readonly locations: readonly SourceLocation[] }
  | {
      readonly kind: 'pageInfo'
      readonly members: readonly { readonly key: string; readonly shape: PageInfoMember }[]
    }
  | {
      readonly kind: 'edges'
      readonly members: readonly { readonly key: string; readonly shape: EdgeMember }[]
    }

export type PageInfoMember =
  | { readonly kind: 'typeName'; readonly name: string }
  | { readonly kind: 'hasNextPage' | 'hasPreviousPage' }
  | { readonly kind: 'startCursor' | 'endCursor'; readonly cursor: CursorShape }

export type EdgeMember =
  | { readonly kind: 'typeName'; readonly name: string }
  | { readonly kind: 'cursor'; readonly cursor: CursorShape }
  | { readonly kind: 'node'; readonly object: ObjectShape }

export interface CursorShape {
  readonly order: string
  readonly positions: readonly number[]
}

/** One field of the response's `data`. */
export type RootPlan = {
  readonly key: string
  /** The locations in the document that select it. */
  readonly locations: readonly SourceLocation[]
} & RootContent

/** The content of a root field. */
export type RootContent =
  | { readonly kind: 'connection'; readonly level: LevelPlan; readonly connection: ConnectionShape }
  | { readonly kind: 'node'; readonly level: LevelPlan; readonly object: ObjectShape }
  | {
      readonly kind: 'write'
      readonly write: WritePlan
      /** Reads the written rows, one page for each. */
      readonly level: LevelPlan
      /** The columns of the record's address, of an update whose rows are read by others: its row may not be known yet. */
      readonly addressColumns?: readonly Column[]
      readonly result: ResultShape
    }
  | { readonly kind: 'typeName'; readonly name: string }
  | { readonly kind: 'null' }
  /** Resolved from the schema alone. */
  | { readonly kind: 'introspection'; readonly field: IntrospectionField }
  | { readonly kind: 'failed'; readonly error: AppError }

/** What a mutation writes. */
export interface WritePlan {
  readonly kind: WriteKind
  /** Its values are arguments, read for each request. */
  readonly readArguments: ReadArguments
  /** The name of the entity. */
  readonly entity: string
  /** Selects the records; present if the mutation has the argument. */
  readonly where?: Filter
}

/** How written records are shown. */
export type ResultShape =
  /** The one record, or null. */
  | { readonly kind: 'one'; readonly object: ObjectShape }
  | { readonly kind: 'list'; readonly object: ObjectShape }
  | {
      readonly kind: 'changes'
      readonly members: readonly { readonly key: string; readonly shape: ChangesMember }[]
    }

export type ChangesMember =
  | { readonly kind: 'typeName'; readonly name: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'records'; readonly object: ObjectShape }

export interface OperationPlan {
  readonly roots: readonly RootPlan[]
}
