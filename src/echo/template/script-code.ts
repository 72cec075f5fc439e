import { valueMark } from './markup-position.ts'

/**
 * Whether the script read so far ends in code, where JSON is a value: not in a string, a comment or a regular
 * expression. False if uncertain.
 */
export function goesOnWithCode(script: string): boolean {
  let index = 0
  while (index < script.length) {
    const next = afterToken(script, index)
    if (next === undefined) return false
    index = next
  }
  return true
}

/** Where the next token starts; undefined if the current one does not end, or is ambiguous. */
function afterToken(script: string, index: number): number | undefined {
  const character = script[index] ?? ''
  if (character === '"' || character === "'") return afterText(script, index)
  // A template literal may contain code.
  if (character === '`' || script.startsWith('<!--', index) || script.startsWith('-->', index))
    return undefined
  if (script.startsWith('//', index)) return after(/[\n\r\u2028\u2029]/g, script, index)
  if (script.startsWith('/*', index)) return after(/\*\//g, script, index + 2)
  if (character !== '/') return index + 1
  return isDivided(script.slice(0, index)) ? index + 1 : undefined
}

/** Keywords before a value: a slash after them starts a regular expression. */
const keywords: ReadonlySet<string> = new Set(
  'await case delete do else extends in instanceof new of return throw typeof void yield'.split(' '),
)

/** Whether a slash is a division operator; otherwise it may start a regular expression. */
function isDivided(before: string): boolean {
  const text = before.trimEnd()
  const [word] = /[\p{L}\p{N}_$]+$/u.exec(text) ?? []
  return word === undefined ? text.endsWith(']') || text.endsWith(valueMark) : !keywords.has(word)
}

function after(end: RegExp, script: string, from: number): number | undefined {
  end.lastIndex = from
  return end.test(script) ? end.lastIndex : undefined
}

function afterText(script: string, start: number): number | undefined {
  const quote = script[start]
  for (let index = start + 1; index < script.length; index += 1) {
    const character = script[index] ?? ''
    if (character === '\\') index += 1
    else if (character === quote) return index + 1
    else if (/[\n\r]/.test(character)) return undefined
  }
  return undefined
}
