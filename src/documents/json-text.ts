/**
 * Finds keys that occur twice in an object of a JSON text. Parsers disagree about them: one takes
 * the first value, another the last (https://www.rfc-editor.org/rfc/rfc8259#section-4), so that
 * what was checked might not be what is used.
 */

const quotationMark = '"'
const quotation = quotationMark.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const colon = ':'.charCodeAt(0)
const blank = ' '.charCodeAt(0)

/** The number of members of all objects in a valid JSON text. */
export function countMembers(text: string): number {
  let count = 0
  let start = text.indexOf(quotationMark)
  while (start !== -1) {
    const end = endOfString(text, start)
    let next = end + 1
    while (text.charCodeAt(next) <= blank) next += 1
    if (text.charCodeAt(next) === colon) count += 1
    start = text.indexOf(quotationMark, next)
  }
  return count
}

/**
 * The first key that occurs twice in its object, and the keys and indexes that lead to the object;
 * for a valid text.
 */
export function findDuplicateKey(
  text: string,
): { readonly key: string; readonly path: readonly string[] } | undefined {
  const levels: Level[] = []
  for (let at = 0; at < text.length; at += 1) {
    const level = levels.at(-1)
    switch (text[at]) {
      case '{':
        levels.push({ keys: new Set(), part: undefined })
        break
      case '[':
        levels.push({ keys: undefined, part: '0' })
        break
      case '}':
      case ']':
        levels.pop()
        break
      case ',':
        if (level) level.part = level.keys === undefined ? String(Number(level.part) + 1) : undefined
        break
      case quotationMark: {
        const end = endOfString(text, at)
        if (level?.keys !== undefined && level.part === undefined) {
          level.part = JSON.parse(text.slice(at, end + 1)) as string
          if (level.keys.has(level.part))
            return { key: level.part, path: levels.slice(0, -1).map(({ part = '' }) => part) }
          level.keys.add(level.part)
        }
        at = end
      }
    }
  }
  return undefined
}

interface Level {
  /** The keys of an object so far; undefined in a list. */
  readonly keys: Set<string> | undefined
  /** The key or index whose value is being read; undefined if a key comes next. */
  part: string | undefined
}

/** Where the string that begins at `start` ends; -1 if it is not terminated. */
export function endOfString(text: string, start: number): number {
  const mark = text.indexOf(quotationMark, start + 1)
  if (mark === -1 || text.charCodeAt(mark - 1) !== backslash) return mark
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quotation) return at
  }
  return -1
}
