import * as v from 'valibot'
import { refuse, strictObject } from '../http/document-schema.ts'
import { includesMethod, methodsSchema } from './method.ts'
import { compilePathPattern } from './path-pattern.ts'

/** Allows some methods on the paths that match as a whole. */
export interface Authority {
  readonly regex: string
  readonly methods: readonly string[]
}

/** An authority that is ready to decide. */
export interface CompiledAuthority extends Authority {
  allows(method: string, path: string): boolean
}

/** Reads an authority; a regular expression that cannot be compiled is refused here, when it is written. */
export const authoritySchema = strictObject({
  regex: v.pipe(v.string(), refuse(mistakeIn)),
  methods: methodsSchema,
})

/** Compiles an authority that was read from the store. One that does not compile allows nothing. */
export function compileAuthority({ regex, methods }: Authority): CompiledAuthority {
  const pattern = compilePathPattern(regex)
  const matches = typeof pattern === 'function' ? pattern : () => false
  return { regex, methods, allows: (method, path) => includesMethod(methods, method) && matches(path) }
}

function mistakeIn(regex: string): string | undefined {
  const pattern = compilePathPattern(regex)
  return typeof pattern === 'function' ? undefined : pattern.mistake
}
