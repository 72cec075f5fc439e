import * as v from 'valibot'
import { listOf, refuse } from '../../documents/document-schema.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { shortName } from '../../util/short-name.ts'

/** The HTTP methods that can be allowed. */
export const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const methodSchema = v.pipe(
  v.string(),
  refuse(mistakeIn),
  v.metadata({ enum: knownMethods }),
  v.transform((text) => text.toUpperCase()),
)

/** Reads a list of methods: upper-cased, each once. */
export const methodsSchema = v.pipe(
  listOf(methodSchema, 50),
  v.minLength(1),
  v.transform((methods): readonly string[] => [...new Set(methods)]),
)

/** Whether a list of methods holds a method; `HEAD` follows `GET`. */
export function includesMethod(methods: readonly string[], method: string): boolean {
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))
}

function mistakeIn(text: string): string | undefined {
  const isKnown = knownMethods.some((known) => known === text.toUpperCase())
  return isKnown
    ? undefined
    : `"${shortName(text)}" is not a method that can be allowed${didYouMean(text, knownMethods)}. The methods are ${knownMethods.join(', ')}.`
}
