/** What differs between two texts, line by line. */

/** A line of both texts, of the first only (`-`), or of the second only (`+`). */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** Lines, or so many equal ones that were left out. */
export type DiffPart = DiffLine | { readonly skipped: number }

/** The most comparisons; beyond it, all differing lines are removed and added. */
const mostComparisons = 4_000_000

/** All lines of both texts in order, with as many in common as possible. */
export function diffLines(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  let start = 0
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start += 1
  let end = 0
  const most = Math.min(from.length, to.length) - start
  while (end < most && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1
  return [
    ...signed(' ', from.slice(0, start)),
    ...diffMiddle(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...signed(' ', from.slice(from.length - end)),
  ]
}

function diffMiddle(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  if (from.length * to.length > mostComparisons) return [...signed('-', from), ...signed('+', to)]
  const common = countCommon(from, to)
  const width = to.length + 1
  const lines: DiffLine[] = []
  let left = 0
  let right = 0
  while (left < from.length || right < to.length) {
    const isEqual = left < from.length && right < to.length && from[left] === to[right]
    const below = common[(left + 1) * width + right] ?? -1
    const beside = common[left * width + right + 1] ?? -1
    if (isEqual) lines.push({ sign: ' ', text: from[left] ?? '' })
    else if (left < from.length && (right === to.length || below >= beside)) {
      lines.push({ sign: '-', text: from[left] ?? '' })
    } else lines.push({ sign: '+', text: to[right] ?? '' })
    const sign = lines.at(-1)?.sign
    if (sign !== '+') left += 1
    if (sign !== '-') right += 1
  }
  return lines
}

/** For each pair of places, how many lines both texts have in common from there on. */
function countCommon(from: readonly string[], to: readonly string[]): Uint32Array {
  const width = to.length + 1
  const common = new Uint32Array((from.length + 1) * width)
  for (let left = from.length - 1; left >= 0; left -= 1) {
    for (let right = to.length - 1; right >= 0; right -= 1) {
      const both = 1 + (common[(left + 1) * width + right + 1] ?? 0)
      const one = Math.max(common[(left + 1) * width + right] ?? 0, common[left * width + right + 1] ?? 0)
      common[left * width + right] = from[left] === to[right] ? both : one
    }
  }
  return common
}

function signed(sign: DiffLine['sign'], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ sign, text }))
}

/** Leaves out equal lines that are further than `around` from each difference. */
export function shortened(lines: readonly DiffLine[], around = 3): readonly DiffPart[] {
  const isNear = new Uint8Array(lines.length)
  for (const [index, { sign }] of lines.entries()) {
    if (sign !== ' ') isNear.fill(1, Math.max(0, index - around), index + around + 1)
  }
  const parts: DiffPart[] = []
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1)
    if (isNear[index] === 1) parts.push(line)
    else if (last !== undefined && 'skipped' in last) parts[parts.length - 1] = { skipped: last.skipped + 1 }
    else parts.push({ skipped: 1 })
  }
  return parts
}
