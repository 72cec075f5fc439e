import type { JsonPath } from '../database-schema.ts'

/** A JSON path from the root on, in the form that all products read: `$."a"[0]`. */
export function jsonPathText(path: JsonPath): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${JSON.stringify(step)}`))
  return `$${steps.join('')}`
}

/** The bytes of a text in UTF-8 in hexadecimal digits: a text that no statement can take for anything else. */
export function hexadecimal(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex')
}
