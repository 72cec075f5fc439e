import { z } from 'zod'
import { didYouMean } from '../util/did-you-mean.ts'

/** The HTTP methods that can be allowed. */
export const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const methodSchema = z.string().transform((text, context) => {
  const method = knownMethods.find((known) => known === text.toUpperCase())
  if (method !== undefined) return method
  const message = `"${text}" is no method that can be allowed${didYouMean(text, knownMethods)}. There are ${knownMethods.join(', ')}.`
  context.issues.push({ code: 'custom', message, input: text })
  return z.NEVER
})

/** Reads a list of methods: upper-cased, each once. */
export const methodsSchema = z
  .array(methodSchema)
  .min(1)
  .max(50)
  .transform((methods): readonly string[] => [...new Set(methods)])

/** Whether a list of methods holds a method; `HEAD` follows `GET`. */
export function includesMethod(methods: readonly string[], method: string): boolean {
  return methods.includes(method) || (method === 'HEAD' && methods.includes('GET'))
}
