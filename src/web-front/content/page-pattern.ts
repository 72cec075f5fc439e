/** Where a page was rendered: what stands for the variables of its pattern. */
export type PageParameters = Readonly<Record<string, string>>

/** Reads a decoded path as a page of an application; undefined when it is none. */
export type PageMatcher = (path: string) => PageParameters | undefined

/**
 * A reader of patterns such as `/`, `/tenants/:name` and `/app/*`; the first that matches wins. `*` stands for
 * any rest but one that looks like a file, so that a file that is missing is not mistaken for a page.
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
  const wanted = segmentsOf(isOpen ? pattern.slice(0, -2) : pattern)
  return (path) => {
    const segments = segmentsOf(path)
    if (isOpen ? segments.length < wanted.length : segments.length !== wanted.length) return undefined
    if (isOpen && segments.length > wanted.length && /\.[^.]+$/.test(segments.at(-1) ?? '')) return undefined
    const isMatch = wanted.every((part, index) => part.startsWith(':') || part === segments[index])
    if (!isMatch) return undefined
    return Object.fromEntries(
      wanted.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), segments[index] ?? '']] : [])),
    )
  }
}

/** A slash at the end makes no other page. */
function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}
