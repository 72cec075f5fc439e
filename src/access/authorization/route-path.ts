/**
 * The paths of API routes. A path is written as it is after decoding; `:name` in it is one segment that is not empty, and
 * `/*` at its end is any rest below it, however deep (`/files/*` is `/files/` and `/files/a/b`, but not `/files`).
 * Nothing else in a path is a pattern.
 */
import type { PathPart } from './path-automaton.ts'

/** The longest path of a route, in characters. */
export const pathLimit = 1000

/** The segments of a decoded path, or of the path of a route. */
export function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/')
}

/** Whether a pattern matches a path of these segments. */
export function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const hasRest = pattern.at(-1) === '*'
  if (hasRest ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, index) => {
    if (part === '*') return true
    return part.startsWith(':') ? segments[index] !== '' : part === segments[index]
  })
}

/** Whether a pattern matches a path of these segments and one more. */
export function matchesBelow(pattern: readonly string[], segments: readonly string[]): boolean {
  return matches(pattern, [...segments, literalAt(pattern, segments.length) ?? 'a'])
}

/** The segment of a pattern at an index; undefined for any. */
export function literalAt(pattern: readonly string[], place: number): string | undefined {
  const part = pattern[Math.min(place, pattern.length - 1)] ?? ''
  return part === '*' || part.startsWith(':') ? undefined : part
}

/** Whether the path of a route covers a decoded path. */
export function coversPath(pattern: string, path: string): boolean {
  return matches(segmentsOf(pattern), segmentsOf(path))
}

/** The paths of a route as parts. */
export function pathParts(path: string): readonly PathPart[] {
  const segments = segmentsOf(path)
  const hasRest = segments.at(-1) === '*'
  return segments.flatMap((part, index): readonly PathPart[] => {
    if (hasRest && index === segments.length - 1) return ['/', { any: 'rest' }]
    return part.startsWith(':') ? ['/', { any: 'segment' }] : [`/${part}`]
  })
}

/** The paths of a route as the regular expression of an authority. */
export function pathRegex(path: string): string {
  const parts = segmentsOf(path).map((part, index, { length }) => {
    if (part === '*' && index === length - 1) return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return `/${parts.join('/')}`
}

/** Whether two routes may match one path. */
export function overlap(path: string, other: string): boolean {
  const [some, others] = [segmentsOf(path), segmentsOf(other)]
  const shared = Math.min(some.length, others.length)
  for (let index = 0; index < shared; index += 1) {
    const [part = '', another = ''] = [some[index], others[index]]
    if (part === '*' || another === '*') return true
    if (part !== another && !part.startsWith(':') && !another.startsWith(':')) return false
  }
  return some.length === others.length
}

/** What is wrong with the path of a route, in a sentence. */
export function mistakeInPath(path: string): string | undefined {
  if (!path.startsWith('/')) return 'A path starts with a slash.'
  if (path.length > pathLimit) return `A path has at most ${pathLimit} characters.`
  if (!path.isWellFormed() || /[\p{Cc}\\?#%]/u.test(path)) {
    return 'A path is written decoded and without query: it holds no control character, backslash, "?", "#" or "%".'
  }
  const segments = segmentsOf(path)
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '' && !isLast) return 'A path must not hold an empty segment.'
    if (/^\.{1,2}(;|$)/.test(segment)) return 'A path must not hold a dot segment.'
    if (segment.includes('*') && !(segment === '*' && isLast)) {
      return 'A "*" may only be the whole last segment, as in /files/*.'
    }
    if (segment.startsWith(':') && !/^:[A-Za-z_]\w*$/.test(segment)) {
      return 'A ":" starts the name of a variable segment, as in /ports/:id.'
    }
  }
  return undefined
}

/** Whether a path matches one of the management API. */
export function reachesManagement([first = '', ...rest]: readonly string[]): boolean {
  if (first === 'manage' || first === '*') return true
  return first.startsWith(':') && rest.length > 0 && rest.at(0) !== ''
}

/** Negative if the first is more specific. */
export function compareDetail(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) break
    const difference = vagueness(part) - vagueness(other)
    if (difference !== 0) return difference
  }
  return b.length - a.length
}

function vagueness(part: string): number {
  if (part === '*') return 2
  return part.startsWith(':') ? 1 : 0
}
