/** Something with a name that needs others to be there first. */
export interface Dependent {
  readonly name: string
  readonly needs: readonly string[]
}

/**
 * Groups in the order in which they can be made: whatever a group needs is in it or in one before it.
 * What needs each other in a circle comes in one group at the end, with what needs it.
 */
export function orderByNeed<Item extends Dependent>(items: readonly Item[]): readonly (readonly Item[])[] {
  const groups: (readonly Item[])[] = []
  let waiting = items
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name))
    const isReady = ({ name, needs }: Item) => needs.every((need) => need === name || !names.has(need))
    const ready = waiting.filter(isReady)
    if (ready.length === 0) return [...groups, waiting]
    groups.push(...ready.map((item) => [item]))
    waiting = waiting.filter((item) => !isReady(item))
  }
  return groups
}
