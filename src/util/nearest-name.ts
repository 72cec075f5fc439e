/** The known name that was probably meant; undefined when none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const near = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(name.length, candidate.length) / 3)
    .sort((one, other) => one.distance - other.distance)
  if (near[0] !== undefined) return near[0].candidate
  const ending = known.find((candidate) => candidate.endsWith(`_${name}`))
  if (ending !== undefined) return ending
  const holding = known.filter((candidate) => candidate.split('_').includes(name))
  return holding.length === 1 ? holding[0] : undefined
}

/** How many letters must be put in, taken out, replaced or swapped with their neighbour (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[other.length] ?? 0
}
