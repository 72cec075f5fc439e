/** What two people have made of the same record. */

import { isSame } from './same.ts'
import type { RecordValues, WritableField } from './stored-record.ts'

/** Whose value a field is to have. */
export type Side = 'mine' | 'theirs'

/** A field in which both versions differ. */
export interface Difference {
  readonly field: WritableField
  readonly mine: unknown
  readonly theirs: unknown
  /** Who changed it; the value of both is to be chosen. */
  readonly changedBy: Side | 'both'
}

interface Versions {
  /** The record as it was read first. */
  readonly base: RecordValues
  /** What was changed since by me. */
  readonly changes: RecordValues
  /** The record as it is now. */
  readonly theirs: RecordValues
}

/** The fields in which the two versions differ. */
export function differencesOf(
  fields: readonly WritableField[],
  { base, changes, theirs }: Versions,
): readonly Difference[] {
  return fields.flatMap((field) => {
    const { api_name: name } = field
    const isMine = Object.hasOwn(changes, name)
    const mine = isMine ? changes[name] : base[name]
    if (isSame(mine, theirs[name])) return []
    const isTheirs = !isSame(base[name], theirs[name])
    const changedBy = isMine ? (isTheirs ? 'both' : 'mine') : 'theirs'
    return [{ field, mine, theirs: theirs[name], changedBy } as const]
  })
}

/** Whether there is something to choose: the others changed more than what the gateway writes by itself. */
export function isConflict(differences: readonly Difference[]): boolean {
  return differences.some(({ changedBy }) => changedBy !== 'mine')
}

/** What is to be written after a choice: the fields that are to have my value. */
export function chosenChanges(
  differences: readonly Difference[],
  sideOf: (difference: Difference) => Side,
): RecordValues {
  const mine = differences.filter((difference) => sideOf(difference) === 'mine')
  return Object.fromEntries(mine.map((difference) => [difference.field.api_name, difference.mine]))
}

/** What is chosen at first: what I changed stays mine. */
export function firstSide({ changedBy }: Difference): Side {
  return changedBy === 'theirs' ? 'theirs' : 'mine'
}
