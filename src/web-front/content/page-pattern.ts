import { matchesSegments } from '../../util/matches-segments.ts'

/** The values of the variables in a page's pattern. */
export type PageParameters = Readonly<Record<string, string>>

/** Matches a decoded path to a page of an application; undefined if it is none. */
export type PageMatcher = (path: string) => PageParameters | undefined

/**
 * A matcher for patterns such as `/`, `/tenants/:name` and `/app/*`; the first match wins. `*` stands for any rest except
 * one that looks like a file, so that a missing file is not mistaken for a page.
 */
export function pageMatcher(patterns: readonly string[]): PageMatcher {
  const matchers = patterns.map(matcherOf)
  return (path) => {
    for (const match of matchers) {
      const parameters = match(path)
      if (parameters !== undefined) return parameters
    }
    return undefined
  }
}

function matcherOf(pattern: string): PageMatcher {
  const isOpen = pattern.endsWith('/*')
  const wanted = segmentsOf(pattern)
  return (path) => {
    const segments = segmentsOf(path)
    if (!matchesSegments(wanted, segments)) return undefined
    if (isOpen && segments.length >= wanted.length && /\.[^.]+$/.test(segments.at(-1) ?? '')) return undefined
    return Object.fromEntries(
      wanted.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), segments[index] ?? '']] : [])),
    )
  }
}

/** A trailing slash makes no difference. */
function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}
