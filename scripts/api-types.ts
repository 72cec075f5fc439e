/**
 * An OpenAPI document as TypeScript types, in the form that `openapi-typescript` gives them, so that typed clients such as
 * `openapi-fetch` can use them. (That program itself does not run with the compiler of this repository.)
 */

/** A part of the document. */
// biome-ignore lint/suspicious/noExplicitAny: JSON, of which each kind of part has its own members
type Part = any

/** The text of a module with the types `paths`, `operations` and `components`. */
export function apiTypes(document: Part): string {
  const items = Object.entries<Part>(document.paths)
  const operations = items.flatMap(([, item]) => Object.values<Part>(item))
  const schemas = Object.entries<Part>(document.components.schemas)
  return [
    '// Written by scripts/generate-reference.ts. Change the code in src/, not this file.',
    block(
      'export interface paths',
      items.map(([path, item]) => member(path, block('', Object.entries<Part>(item).map(methodMember)))),
    ),
    block(
      'export interface operations',
      operations.map(
        (operation) =>
          `${comment(operation.summary)}${member(operation.operationId, operationType(operation))}`,
      ),
    ),
    block('export interface components', [
      member(
        'schemas',
        block(
          '',
          schemas.map(([name, schema]) => `${comment(schema.description)}${member(name, typeOf(schema))}`),
        ),
      ),
    ]),
    '',
  ].join('\n\n')
}

function methodMember([method, { operationId }]: readonly [string, Part]): string {
  return member(method, `operations[${JSON.stringify(operationId)}]`)
}

function operationType({ parameters = [], requestBody, responses }: Part): string {
  return block('', [
    member(
      'parameters',
      block(
        '',
        ['query', 'header', 'path', 'cookie'].map((place) => parametersIn(place, parameters)),
      ),
    ),
    requestBody === undefined
      ? 'requestBody?: never'
      : member('requestBody', block('', [member('content', contentType(requestBody.content))])),
    member(
      'responses',
      block(
        '',
        Object.entries<Part>(responses).map(
          ([status, { description, content }]) =>
            `${comment(description)}${member(status, block('', [member('headers', '{ [name: string]: unknown }'), content === undefined ? 'content?: never' : member('content', contentType(content))]))}`,
        ),
      ),
    ),
  ])
}

function parametersIn(place: string, parameters: readonly Part[]): string {
  const here = parameters.filter((parameter) => parameter.in === place)
  if (here.length === 0) return `${place}?: never`
  const isOptional = here.every(({ required }) => required !== true)
  const members = here.map(
    ({ name, required, description, schema }) =>
      `${comment(description)}${member(name, typeOf(schema), required !== true)}`,
  )
  return member(place, block('', members), isOptional)
}

function contentType(content: Part): string {
  return block(
    '',
    Object.entries<Part>(content).map(([type, { schema }]) => member(type, typeOf(schema))),
  )
}

/** The type of the values that a JSON Schema describes. */
function typeOf(schema: Part): string {
  const { $ref, anyOf, type, properties, required = [], items, additionalProperties: others } = schema
  if ($ref !== undefined) return `components['schemas'][${JSON.stringify($ref.split('/').at(-1))}]`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value: unknown) => JSON.stringify(value)))
  if (anyOf !== undefined) return union(anyOf.map(typeOf))
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })))
  switch (type) {
    case 'array':
      return `(${typeOf(items ?? {})})[]`
    case 'object': {
      if (schema.maxProperties === 0) return 'Record<string, never>'
      if (properties === undefined) {
        const value = typeof others === 'object' ? typeOf(others) : 'unknown'
        return `{ [key: string]: ${value} }`
      }
      const members = Object.entries<Part>(properties).map(
        ([name, own]) => `${comment(own.description)}${member(name, typeOf(own), !required.includes(name))}`,
      )
      return block('', members)
    }
    case 'integer':
      return 'number'
    case undefined:
      return 'unknown'
    default:
      return type
  }
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

function member(name: string, type: string, isOptional = false): string {
  const key = /^(?:[A-Za-z_]\w*|\d+)$/.test(name) ? name : JSON.stringify(name)
  return `${key}${isOptional ? '?' : ''}: ${type}`
}

function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`
}

function block(head: string, members: readonly string[]): string {
  const lines = members.flatMap((text) => text.split('\n')).map((line) => `  ${line}`)
  return [head === '' ? '{' : `${head} {`, ...lines, '}'].join('\n')
}
