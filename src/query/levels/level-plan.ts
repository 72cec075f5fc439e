/**
 * What is read of a table and of the tables that belong to its rows, before any SQL: a tree of levels, each one select.
 * Plain data.
 */
import type { SelectPlan } from '../select-plan.ts'

/** One select, and the selects below it. */
export interface LevelPlan {
  readonly select: SelectPlan
  /** How often each row is written each time its page is. */
  readonly timesShown: number
  readonly relations: readonly RelationPlan[]
}

/** The rows that belong to those of the level above. */
export interface RelationPlan {
  /** The positions in a row of the level above that hold its key for this level. */
  readonly keyPositions: readonly number[]
  /** Whether a row above has at most one row here. */
  readonly cardinality: 'one' | 'many'
  readonly level: LevelPlan
}
