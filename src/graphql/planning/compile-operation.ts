import type { Dialect } from '../../database/dialect.ts'
import {
  type CompiledLevel,
  compileLevel,
  isSingleStatement,
  levelReadsView,
} from '../../query/levels/compile-level.ts'
import type { LevelPlan } from '../../query/levels/level-plan.ts'
import type { ShownList } from '../../query/mutate-plan.ts'
import { listOfOneKey } from '../../query/select-parts.ts'
import type { SelectPlan } from '../../query/select-plan.ts'
import { ConnectionWriter, ObjectWriter } from '../response/write-response.ts'
import { ResultWriter } from '../response/write-result.ts'
import type { OperationPlan, RootPlan } from './operation-plan.ts'

/** A root field, and its statements where it has some. Plain data, for any number of requests. */
export interface CompiledRoot {
  readonly plan: RootPlan
  readonly level?: CompiledLevel
  /** The same level by the address of the record, where an update may read it so. */
  readonly levelByAddress?: CompiledLevel
  /** What `level` reads of a row, for an insert that returns it. */
  readonly shown?: ShownList | undefined
  /** Writes the rows of `level`. */
  readonly writer?: ConnectionWriter | ObjectWriter
  /** In place of `writer`, for a mutation. */
  readonly result?: ResultWriter
}

/** What the last response was like, so that the next one can start in the right mode. */
export interface SeenResponse {
  /** Whether it was too long to be buffered. */
  isLong: boolean
}

/** All root fields, and what is known of them together. */
export interface CompiledOperation {
  readonly roots: readonly CompiledRoot[]
  /** Whether it reads from the database. */
  readonly readsRows: boolean
  readonly readsViews: boolean
  /** Whether a single statement reads everything, so that no consistency between statements is needed. */
  readonly isSingle: boolean
  readonly seen: SeenResponse
}

/** Nested lists read at most `mostHeldRows` rows and one more. */
export function* compileOperation(
  plan: OperationPlan,
  dialect: Dialect,
  mostHeldRows: number,
): Generator<void, CompiledOperation, void> {
  const roots: CompiledRoot[] = []
  for (const root of plan.roots) {
    yield
    roots.push(compileRoot(root, dialect, mostHeldRows))
  }
  const [level, ...others] = roots.flatMap((root) => root.level ?? [])
  return {
    roots,
    readsRows: level !== undefined,
    readsViews: plan.roots.some((root) => 'level' in root && levelReadsView(root.level)),
    isSingle: level !== undefined && others.length === 0 && isSingleStatement(level),
    seen: { isLong: false },
  }
}

function compileRoot(root: RootPlan, dialect: Dialect, mostHeldRows: number): CompiledRoot {
  if (!('level' in root)) return { plan: root }
  if (root.kind !== 'write')
    return { plan: root, level: compileLevel(root.level, dialect, mostHeldRows), writer: writerOf(root) }
  const compile = (level: LevelPlan) => compileLevel(level, dialect, mostHeldRows, 'one')
  const { level, addressColumns: keyColumns } = root
  return {
    plan: root,
    level: compile(level),
    ...(keyColumns && { levelByAddress: compile({ ...level, select: { ...level.select, keyColumns } }) }),
    ...(root.write.kind === 'create' && { shown: shortListOf(level.select, dialect) }),
    result: new ResultWriter(root.result, root.key),
  }
}

/** A longer list, with the columns that are written, would make a statement that is not kept prepared. */
const longestShown = 1000

function shortListOf(select: SelectPlan, dialect: Dialect): ShownList | undefined {
  const list = listOfOneKey(select, dialect)
  return list.length <= longestShown ? list : undefined
}

function writerOf(root: Extract<RootPlan, { kind: 'connection' | 'node' }>): ConnectionWriter | ObjectWriter {
  return root.kind === 'connection'
    ? new ConnectionWriter(root.connection, [root.key])
    : new ObjectWriter(root.object, [root.key])
}
