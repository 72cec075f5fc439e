/**
 * The regular expressions of authorities. They are RE2's, whose time is linear in the length of the
 * path: one that an administrator wrote carelessly cannot stop the service.
 */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'

/** Says whether a whole path matches. */
export type PathPattern = (path: string) => boolean

const lengthLimit = 1000
/** In RE2's instructions; a pattern of this size decides about the longest path in a few milliseconds. */
const sizeLimit = 1000

/** The pattern, or what is wrong with it in a sentence for the one who wrote it. */
export function compilePathPattern(regex: string): PathPattern | { readonly mistake: string } {
  if (regex.length > lengthLimit) {
    return {
      mistake: `A regular expression has at most ${lengthLimit} characters, and this one has ${regex.length}. Use several authorities.`,
    }
  }
  try {
    // By itself first: `a)|(b` is none, though it would be inside the parentheses.
    RE2JS.compile(regex)
    const compiled = RE2JS.compile(`^(?:${regex})$`)
    if (compiled.programSize() > sizeLimit) {
      return {
        mistake: 'The regular expression is too large once its repetitions are written out; repeat less.',
      }
    }
    return (path) => compiled.testExact(path)
  } catch (error) {
    if (error instanceof RE2JSException) return { mistake: mistakeOf(error, regex) }
    throw error
  }
}

const outsideRe2: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\(\?<?[=!]/, 'look ahead or behind ((?=, (?!, (?<=, (?<!)'],
  [/\\[1-9]/, 'refer back to a group (\\1)'],
  [/\(\?>|[*+?}]\+/, 'be atomic or possessive ((?>, *+)'],
]

function mistakeOf(error: RE2JSException, regex: string): string {
  const found = error instanceof RE2JSSyntaxException ? error : undefined
  const where = found?.input ?? ''
  const unsupported = outsideRe2.find(([pattern]) => pattern.test(where))
  if (unsupported !== undefined) {
    return `A regular expression here cannot ${unsupported[1]}, because it must decide in linear time (RE2 syntax). Say what is allowed in several authorities instead.`
  }
  const position = where === '' ? -1 : regex.indexOf(where)
  const place = position === -1 ? '' : ` at character ${position + 1} ("${where}")`
  return `This is no regular expression in RE2 syntax: ${found?.error ?? 'it cannot be compiled'}${place}.`
}
