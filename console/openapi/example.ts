/** Examples of what a schema describes. */
import { type Document, resolve, type Schema } from './openapi.ts'

/** How deep an example goes: schemas may hold themselves. */
const deepest = 4

/** A body that a call may begin from: required fields, or the first where none is required. */
export function exampleToSend(document: Document, schema: Schema): unknown {
  const found = resolve(document, schema)
  const [choice] = found.oneOf ?? found.anyOf ?? []
  if (choice !== undefined) return exampleToSend(document, choice)
  const { properties, required = [] } = found
  if (properties === undefined) return exampleOf(document, found)
  const sendable = Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true)
  const wanted = sendable.filter(([name]) => required.includes(name))
  const shown = wanted.length > 0 ? wanted : sendable.slice(0, 1)
  return Object.fromEntries(shown.map(([name, part]) => [name, exampleOf(document, part)]))
}

/** A value with all of its parts, as a response has it. */
export function exampleOf(document: Document, schema: Schema, depth = 0): unknown {
  const found = resolve(document, schema)
  const [given] = found.examples ?? []
  const known = given ?? found.default ?? found.const ?? found.enum?.[0]
  if (known !== undefined) return known
  const [choice] = found.oneOf ?? found.anyOf ?? found.allOf ?? []
  if (choice !== undefined) return exampleOf(document, choice, depth + 1)
  const [type] = typeof found.type === 'string' ? [found.type] : (found.type ?? [])
  if (found.properties !== undefined || type === 'object') {
    const parts = depth >= deepest ? [] : Object.entries(found.properties ?? {})
    return Object.fromEntries(parts.map(([name, part]) => [name, exampleOf(document, part, depth + 1)]))
  }
  if (type === 'array') {
    const isEmpty = depth >= deepest || found.items === undefined || Object.keys(found.items).length === 0
    return isEmpty ? [] : [exampleOf(document, found.items, depth + 1)]
  }
  return simpleExample(type, found.format)
}

const formats: Readonly<Record<string, string>> = {
  date: '2027-01-31',
  'date-time': '2027-01-31T09:30:00',
  uuid: '0190c5a4-1111-7222-8333-444455556666',
}

function simpleExample(type: string | undefined, format: string | undefined): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return formats[format ?? ''] ?? 'text'
  }
}
