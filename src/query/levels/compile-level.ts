import type { Dialect } from '../../database/dialect.ts'
import { type CompiledSelect, compileSelect } from '../compile-select.ts'
import { hasOneStatement } from '../run-select.ts'
import type { LevelPlan, RelationPlan } from './level-plan.ts'

/** A level with its statements. Plain data, for any number of requests. */
export interface CompiledLevel {
  readonly select: CompiledSelect
  readonly timesShown: number
  readonly relations: readonly CompiledRelation[]
}

/** A level below another. */
export interface CompiledRelation {
  readonly keyPositions: readonly number[]
  readonly level: CompiledLevel
}

/** Makes the statements of a level and of those below. Nested lists read at most `mostHeldRows` rows and one more. */
export function compileLevel(
  { select, timesShown, relations }: LevelPlan,
  dialect: Dialect,
  mostHeldRows: number,
  // If each key has at most one row, there are at most as many rows as keys.
  cardinality: RelationPlan['cardinality'] = 'many',
): CompiledLevel {
  return {
    select: compileSelect(select, dialect, cardinality === 'one' ? undefined : mostHeldRows),
    timesShown,
    relations: compileRelations(relations, dialect, mostHeldRows),
  }
}

/** The same for the levels below one. */
export function compileRelations(
  relations: readonly RelationPlan[],
  dialect: Dialect,
  mostHeldRows: number,
): readonly CompiledRelation[] {
  return relations.map(({ keyPositions, cardinality, level }) => ({
    keyPositions,
    level: compileLevel(level, dialect, mostHeldRows, cardinality),
  }))
}

/** Whether a single statement reads everything, so that no consistency between statements is needed. */
export function isSingleStatement({ select, relations }: CompiledLevel): boolean {
  return relations.length === 0 && hasOneStatement(select)
}

/** Whether a view is read, on this level or below. */
export function levelReadsView({ select, relations }: LevelPlan): boolean {
  return select.table.kind === 'view' || relations.some(({ level }) => levelReadsView(level))
}
