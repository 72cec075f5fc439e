/** Whether the segments of a path match a pattern: `:name` stands for any one, a last `*` for any rest. */
export function matchesSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpenEnded = pattern.at(-1) === '*'
  const count = isOpenEnded ? pattern.length - 1 : pattern.length
  if (isOpenEnded ? segments.length < count : segments.length !== count) return false
  for (let index = 0; index < count; index += 1) {
    const part = pattern[index]
    if (part !== segments[index] && part?.startsWith(':') !== true) return false
  }
  return true
}
