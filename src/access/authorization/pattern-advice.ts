/** Regular expressions that are valid and probably match other paths than their authors meant. */
import type { PathPattern } from './path-automaton.ts'

/** What is probably wrong with an expression, and what to write instead, in sentences; undefined if nothing seems to be. */
export function adviceOn(regex: string, pattern: PathPattern): string | undefined {
  if (pattern.start === undefined || pattern.after('/') === undefined) {
    const meant = regex.replace(/^\^/, '')
    const example = /^[\w.~-]/.test(meant) ? ` Write "/${meant}".` : ''
    return `It matches no path: every path begins with "/".${example}`
  }
  if (repeatedSlash.test(regex)) {
    const meant = regex.replaceAll(repeatedSlash, '(/.*)?')
    return `"/*" repeats the slash, and matches no name after it. For everything below write "${meant}".`
  }
  return undefined
}

const repeatedSlash = /(?<![\\[])\/\*/g

/** The same for an expression that matches a path, but not the path below it that was asked for. */
export function adviceBelow(regex: string, pattern: PathPattern, path: string): string | undefined {
  const above = path.slice(0, path.lastIndexOf('/'))
  if (above === '' || !pattern(above) || pattern(path)) return undefined
  return `It matches ${above}, and not what is below it. For both write "${withBelow(regex)}".`
}

/** An expression that also matches all paths below those that `regex` matches. */
export function withBelow(regex: string): string {
  const open = regex.replace(/(?<!\\)\$$/, '')
  return open.includes('|') ? `(${open})(/.*)?` : `${open}(/.*)?`
}
