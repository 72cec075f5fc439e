import type { Dialect } from '../../database/dialect.ts'
import { type CompiledSelect, compileSelect } from '../../query/compile-select.ts'
import { ConnectionWriter, ObjectWriter } from '../response/write-response.ts'
import type { LevelPlan, OperationPlan, RootPlan } from './operation-plan.ts'

/** A level with its statements. */
export interface CompiledLevel {
  readonly select: CompiledSelect
  readonly relations: readonly CompiledRelation[]
}

export interface CompiledRelation {
  readonly keyPositions: readonly number[]
  readonly level: CompiledLevel
}

/** A root field, and its statements where it has some. Plain data, for any number of requests. */
export interface CompiledRoot {
  readonly plan: RootPlan
  readonly level?: CompiledLevel
  /** Writes what `level` loads. */
  readonly writer?: ConnectionWriter | ObjectWriter
}

export function compileOperation(plan: OperationPlan, dialect: Dialect): readonly CompiledRoot[] {
  return plan.roots.map((root) =>
    'level' in root
      ? { plan: root, level: compileLevel(root.level, dialect), writer: writerOf(root) }
      : { plan: root },
  )
}

function writerOf(root: Extract<RootPlan, { level: LevelPlan }>): ConnectionWriter | ObjectWriter {
  return root.kind === 'connection' ? new ConnectionWriter(root.connection) : new ObjectWriter(root.object)
}

function compileLevel({ select, relations }: LevelPlan, dialect: Dialect): CompiledLevel {
  return {
    select: compileSelect(select, dialect),
    relations: relations.map(({ keyPositions, level }) => ({
      keyPositions,
      level: compileLevel(level, dialect),
    })),
  }
}
