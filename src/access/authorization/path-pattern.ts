/**
 * The regular expressions of authorities, in the syntax of RE2: each can be compiled into an automaton, so that a
 * careless expression cannot block the service (ReDoS).
 */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'
import { layOutAutomaton, type PathPattern } from './path-automaton.ts'

const lengthLimit = 1000
/** In RE2's instructions. */
const sizeLimit = 1000

/** The pattern, or what is wrong with it, in a sentence for its author. */
export function compilePathPattern(regex: string): PathPattern | { readonly mistake: string } {
  if (regex.length > lengthLimit) {
    return {
      mistake: `A regular expression has at most ${lengthLimit} characters, and this one has ${regex.length}. Use several authorities.`,
    }
  }
  try {
    // First by itself: `a)|(b` is invalid, but would be valid inside the parentheses.
    if (RE2JS.compile(regex).programSize() > sizeLimit) {
      return {
        mistake: 'The regular expression is too large when compiled; use fewer repetitions.',
      }
    }
    return (
      layOutAutomaton(`^(?:${regex})$`) ?? {
        mistake:
          'The regular expression needs too many states, because a counted part overlaps with what precedes it; use smaller counts, or several authorities.',
      }
    )
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
  // For these the library names the whole expression.
  const isOfGroups = found?.error === 'missing closing )' || found?.error === 'unexpected )'
  const position = isOfGroups ? unpairedParenthesis(regex) : where === '' ? -1 : regex.indexOf(where)
  const shown = isOfGroups ? regex.slice(position) : where
  const place = position === -1 ? '' : ` at character ${position + 1} ("${shown}")`
  return `This is not a regular expression in RE2 syntax: ${found?.error ?? 'it cannot be compiled'}${place}.`
}

/** The position of the first `)` too many, or of the last `(` that is not closed; -1 if there is neither. */
function unpairedParenthesis(regex: string): number {
  const open: number[] = []
  for (const { 0: text, index } of regex.matchAll(notGroups)) {
    if (text === '(') open.push(index)
    if (text === ')' && open.pop() === undefined) return index
  }
  return open.at(-1) ?? -1
}

/** Parentheses, and what may hold some that are no groups: quotations, escapes and classes. */
const notGroups = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]/gs
