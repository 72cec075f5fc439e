import type { Filter } from './filter.ts'
import { invalid } from './invalid-argument.ts'

/** Databases limit the number of conditions in a statement, each to another number. */
export const conditionLimit = 500

/** Counts the conditions of a filter while they are read, so that one with far too many is not read to its end. */
export class ConditionTally {
  readonly #label: string
  #count = 0

  /** The label is that of the whole filter. */
  constructor(label: string) {
    this.#label = label
  }

  /** Notes conditions, or a group without any. Throws PARAMETER_INVALID if they become too many. */
  add(count = 1): void {
    this.#count += count
    if (this.#count > conditionLimit) throw tooMany(this.#label)
  }

  /** Throws PARAMETER_INVALID if what was read became too many conditions, since some take several. */
  whole(filter: Filter): Filter {
    if (countConditions(filter) > conditionLimit) throw tooMany(this.#label)
    return filter
  }
}

function tooMany(label: string): Error {
  return invalid(
    label,
    `has more than ${conditionLimit} conditions, which is the limit; for one of many values use the operator "in"`,
  )
}

/** A group without conditions is part of the statement, too. */
function countConditions(filter: Filter): number {
  if (filter.kind === 'not') return countConditions(filter.filter)
  if (filter.kind === 'related') return 1 + countConditions(filter.filter)
  if (filter.kind !== 'and' && filter.kind !== 'or') return 1
  return Math.max(
    1,
    filter.filters.reduce((sum, inner) => sum + countConditions(inner), 0),
  )
}
