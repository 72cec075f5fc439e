import type { LevelPlan } from '../../query/levels/level-plan.ts'
import { resolveValue, type ValueSource, type Variables } from '../../query/value-source.ts'
import type { CompiledRoot } from './compile-operation.ts'
import type { ResultShape } from './operation-plan.ts'

/** The assumed length of a list whose page has no size. */
const assumedListLength = 100

/** How many rows an operation may read: each level counts once for every row above it, and groups as rows. */
export function estimateCost(roots: readonly CompiledRoot[], variables: Variables): number {
  let cost = 0
  for (const { plan } of roots) {
    if (plan.kind === 'connection')
      cost += costOfLevel(plan.level, listLength(plan.level, variables), variables)
    else if (plan.kind === 'node') cost += costOfLevel(plan.level, 1, variables)
    else if (plan.kind === 'write') cost += costOfLevel(plan.level, recordsOf(plan.result), variables)
  }
  return cost
}

/** The assumed number of records that a mutation writes. */
function recordsOf({ kind }: ResultShape): number {
  return kind === 'one' ? 1 : assumedListLength
}

function costOfLevel(level: LevelPlan, length: number, variables: Variables): number {
  let below = 0
  for (const { level: child, cardinality } of level.relations) {
    below += costOfLevel(child, cardinality === 'one' ? 1 : listLength(child, variables), variables)
  }
  return length * (1 + below) + groupsOf(level, variables)
}

/** How many groups a list may show; all rows together are one. */
function groupsOf({ select: { aggregates = [] } }: LevelPlan, variables: Variables): number {
  return aggregates.reduce(
    (sum, { by, part }) =>
      sum + (by === undefined ? 1 : (leastOf([part?.limit], variables) ?? assumedListLength)),
    0,
  )
}

function listLength({ select }: LevelPlan, variables: Variables): number {
  const { first, last, limit } = select.page
  return select.wanted.rows ? (leastOf([first, last, limit], variables) ?? assumedListLength) : 1
}

/** The least of the sizes that are given. */
function leastOf(sizes: readonly (ValueSource | undefined)[], variables: Variables): number | undefined {
  let least: number | undefined
  for (const source of sizes) {
    const value = source && resolveValue(source, variables)
    // Anything else is refused when it is bound.
    if (typeof value === 'number' && value >= 0) least = Math.min(least ?? value, value)
  }
  return least
}
