/**
 * The form in which clients are shown the regular expression of an authority: with the end-of-string anchor that applies
 * anyway. Top-level alternatives are grouped first, so that the anchor applies to each of them; an existing anchor is not
 * repeated.
 */
export function publishedRegex(regex: string): string {
  const { hasAlternatives, endsAnchored } = readTopLevel(regex)
  if (hasAlternatives) return `(?:${regex})$`
  return endsAnchored ? regex : `${regex}$`
}

/** One piece of syntax: a quoted run, an escape, a named class such as `[:alpha:]`, or one character. */
const pieces = /\\Q.*?(?:\\E|$)|\\.|\[:\^?\w+:\]|./gsu

function readTopLevel(regex: string): { hasAlternatives: boolean; endsAnchored: boolean } {
  let groupDepth = 0
  let classStart = -1
  let hasAlternatives = false
  let endsAnchored = false
  for (const { 0: piece, index } of regex.matchAll(pieces)) {
    endsAnchored = false
    if (classStart !== -1) {
      // A bracket that comes first, or first after ^, is a member of the class.
      const members = regex.slice(classStart + 1, index)
      if (piece === ']' && members !== '' && members !== '^') classStart = -1
      continue
    }
    if (piece === '[') classStart = index
    else if (piece === '(') groupDepth += 1
    else if (piece === ')') groupDepth -= 1
    else if (piece === '|' && groupDepth === 0) hasAlternatives = true
    else if (piece === '$') endsAnchored = true
  }
  return { hasAlternatives, endsAnchored }
}
