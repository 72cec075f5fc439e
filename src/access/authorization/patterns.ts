/** The patterns of regular expressions, each compiled once while it is in use. */
import { GenerationalCache } from '../../util/generational-cache.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import type { PathPattern } from './path-automaton.ts'
import { compilePathPattern } from './path-pattern.ts'

type Compiled = ReturnType<typeof compilePathPattern>

/** By their regular expressions. */
export type CompiledPatterns = ReadonlyMap<string, Compiled>

/** Compiles regular expressions; some take milliseconds, so many are compiled in time slices. */
export interface Patterns {
  /** The pattern of each, or what is wrong with it. Patterns in use are not compiled again. */
  compile(regexes: Iterable<string>, inUse?: CompiledPatterns): Promise<CompiledPatterns>
}

/** Of a role that was just written: they are needed again when the role is read. */
const kept = 4000

export function createPatterns(): Patterns {
  const known = new GenerationalCache<string, Compiled>(kept)
  return {
    async compile(regexes, inUse) {
      const slices = new TimeSlices()
      const compiled = new Map<string, Compiled>()
      for (const regex of regexes) {
        if (compiled.has(regex)) continue
        if (slices.isOver) await slices.next()
        const pattern = inUse?.get(regex) ?? known.get(regex) ?? compilePathPattern(regex)
        known.set(regex, pattern)
        compiled.set(regex, pattern)
      }
      return compiled
    },
  }
}

/** Whether a regular expression could be compiled. */
export function isPattern(compiled: Compiled | undefined): compiled is PathPattern {
  return typeof compiled === 'function'
}
