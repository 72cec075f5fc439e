/**
 * Longer names are not compared: a comparison takes as many steps as the product of both lengths.
 */
const longestName = 64

/** The known name that was probably meant; undefined if none is similar. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  let nearest: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const limit = Math.min(Math.max(name.length, candidate.length) / 3, least - 1)
    if (candidate.length > longestName || Math.abs(candidate.length - name.length) > limit) continue
    const distance = editDistance(name, candidate, limit)
    if (distance > limit) continue
    nearest = candidate
    least = distance
  }
  if (nearest !== undefined) return nearest
  const ending = known.find((candidate) => candidate.endsWith(`_${name}`))
  if (ending !== undefined) return ending
  const holding = known.filter((candidate) => candidate.split('_').includes(name))
  return holding.length === 1 ? holding[0] : undefined
}

/**
 * How many letters must be inserted, removed, replaced or swapped with their neighbour (optimal
 * string alignment distance). Beyond `limit` the result is any greater number.
 */
function editDistance(one: string, other: string, limit: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
      current[column] = distance
      if (distance < least) least = distance
    }
    // A swap reaches back over one row, which is at most one letter nearer than this one.
    if (least > limit + 1) return least
    beforeLast = last
    last = current
  }
  return last[other.length] ?? 0
}
