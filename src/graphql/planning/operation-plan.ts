/**
 * What an operation asks of the database and how its answer looks, before any SQL. Plain data: a tree
 * of levels, each one select, and beside it a tree of shapes that say where in the rows a value stands.
 */
import type { SourceLocation } from 'graphql'
import type { Column } from '../../database/database-schema.ts'
import type { AppError } from '../../errors/app-error.ts'
import type { ColumnCodec } from '../../query/codec/column-codec.ts'
import type { SelectPlan } from '../../query/select-plan.ts'
import type { IntrospectionField } from './plan-introspection.ts'

/** One select and the ones that hang on its rows. */
export interface LevelPlan {
  readonly select: SelectPlan
  /** How often each row stands in the answer, every time that its page does: as often as `edges` is selected. */
  readonly timesShown: number
  readonly relations: readonly RelationPlan[]
}

export interface RelationPlan {
  /** Where in a row of the level above its key for this level stands. */
  readonly keyPositions: readonly number[]
  /** Whether a row above has at most one row here. */
  readonly cardinality: 'one' | 'many'
  readonly level: LevelPlan
}

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
      /** Of the row's own number, where the key may hold nulls. */
      readonly rowNumber?: number
    }
  /** The one row of a relation, or null. `relation` is its place among the level's relations. */
  | { readonly kind: 'reference'; readonly relation: number; readonly object: ObjectShape }
  | { readonly kind: 'collection'; readonly relation: number; readonly connection: ConnectionShape }

export interface ConnectionShape {
  readonly members: readonly { readonly key: string; readonly shape: ConnectionMember }[]
}

export type ConnectionMember =
  | { readonly kind: 'typeName'; readonly name: string }
  | { readonly kind: 'totalCount' }
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

/** One field of the answer's `data`. */
export type RootPlan = {
  readonly key: string
  /** Where the document asks for it. */
  readonly locations: readonly SourceLocation[]
} & RootContent

/** What a root field is answered with. */
export type RootContent =
  | { readonly kind: 'connection'; readonly level: LevelPlan; readonly connection: ConnectionShape }
  | { readonly kind: 'node'; readonly level: LevelPlan; readonly object: ObjectShape }
  | { readonly kind: 'typeName'; readonly name: string }
  | { readonly kind: 'null' }
  /** Answered from the schema alone. */
  | { readonly kind: 'introspection'; readonly field: IntrospectionField }
  | { readonly kind: 'failed'; readonly error: AppError }

export interface OperationPlan {
  readonly roots: readonly RootPlan[]
}
