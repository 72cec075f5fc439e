import * as v from 'valibot'
import { refuse, strictObject } from '../../documents/document-schema.ts'
import { includesMethod, methodsSchema } from './method.ts'
import { noPath, type PathPattern } from './path-automaton.ts'
import { compilePathPattern } from './path-pattern.ts'
import { conditionsOf, type RecordConditions } from './record-conditions.ts'
import { recordConditionsEntries } from './record-conditions-schema.ts'

/** Returns the pattern of a regular expression from the store. */
export type PatternSource = (regex: string) => PathPattern

/**
 * Allows some methods on the paths that match as a whole. With conditions it allows them on records only: in published
 * APIs and in GraphQL.
 */
export interface Authority extends RecordConditions {
  readonly regex: string
  readonly methods: readonly string[]
}

/** A compiled authority. */
export interface CompiledAuthority extends Authority {
  readonly matches: PathPattern
  /** Undefined for an authority that is not only for records. */
  readonly conditions: RecordConditions | undefined
  /** Whether it matches method and path; with conditions, only records are allowed by that. */
  allows(method: string, path: string): boolean
}

/** Parses an authority; its regular expression is validated by compiling it. */
export const authoritySchema = strictObject({
  regex: v.pipe(
    v.string(),
    v.metadata({
      description: 'A regular expression in RE2 syntax; it must match the whole path, without the query.',
      examples: ['/apis/ports(/.*)?'],
    }),
  ),
  methods: methodsSchema,
  ...recordConditionsEntries,
})

/** The pattern of a regular expression; one that cannot be compiled matches nothing. */
export function patternOf(regex: string): PathPattern {
  const pattern = compilePathPattern(regex)
  return typeof pattern === 'function' ? pattern : noPath
}

/** The same synchronously: for callers that may block. */
export const checkedAuthoritySchema = strictObject({
  regex: v.pipe(v.string(), refuse(mistakeIn)),
  methods: methodsSchema,
  ...recordConditionsEntries,
})

function mistakeIn(regex: string): string | undefined {
  const pattern = compilePathPattern(regex)
  return typeof pattern === 'function' ? undefined : pattern.mistake
}

/** Compiles an authority from the store. */
export function compileAuthority(authority: Authority, patterns: PatternSource): CompiledAuthority {
  const { regex, methods } = authority
  const matches = patterns(regex)
  return {
    ...authority,
    matches,
    conditions: conditionsOf(authority),
    allows: (method, path) => includesMethod(methods, method) && matches(path),
  }
}
