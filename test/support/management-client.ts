/** Calls operations by their names in a document of OpenAPI, and holds each answer against what the document says. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Answer, RequestOptions, TestGateway } from './test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of someone else's, read as a client reads it
type Json = any

/** What an operation is called with: values for the path and the query, and what any request has. */
interface CallOptions extends RequestOptions {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** A client that is made from the document, and the names of the operations that it has called with success. */
export interface ManagementClient {
  /** Expects the answer to be as the document says, without a member that it does not name. */
  call(operationId: string, options?: CallOptions): Promise<Answer>
  readonly called: ReadonlySet<string>
}

/** A client of a gateway. */
export function managementClientOf(
  document: Json,
  { request }: Pick<TestGateway, 'request'>,
): ManagementClient {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema(closed(document), 'document')
  const operations = new Map<string, { method: string; template: string; operation: Json }>()
  for (const [template, item] of Object.entries<Json>(document.paths)) {
    for (const [method, operation] of Object.entries<Json>(item)) {
      operations.set(operation.operationId, { method: method.toUpperCase(), template, operation })
    }
  }
  const called = new Set<string>()

  function check(operationId: string, operation: Json, { status, headers, body }: Answer): void {
    const isError = status >= 400
    const found = operation.responses[status] ?? (isError ? operation.responses.default : undefined)
    expect(found, `${operationId} ${status} ${JSON.stringify(body)}`).toBeDefined()
    const [mediaType = ''] = String(headers.get('content-type') ?? '').split(';')
    if (found.content === undefined) {
      expect(body, operationId).toBe('')
      return
    }
    expect(Object.keys(found.content), operationId).toContain(mediaType)
    const { schema } = closed(found.content[mediaType])
    const pointed = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
    expect(ajv.validate(pointed, body) ? [] : ajv.errors, `${operationId} ${status}`).toEqual([])
    for (const name of Object.keys(found.headers ?? {})) {
      if (name === 'Location' && !Array.isArray(body)) expect(headers.has(name), operationId).toBe(true)
    }
  }

  return {
    called,
    async call(operationId, { path = {}, query, ...options } = {}) {
      const { method, template, operation } = operations.get(operationId) ?? {}
      if (method === undefined || template === undefined) throw new Error(`There is no ${operationId}.`)
      const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''))
      const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
      const answer = await request(method, filled + search, options)
      check(operationId, operation, answer)
      if (answer.status < 400) called.add(operationId)
      return answer
    },
  }
}

/** The same document, with every object closed for members that it does not name. */
function closed(part: Json): Json {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const inside = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]))
  const isObject = part.type === 'object' || (Array.isArray(part.type) && part.type.includes('object'))
  const isOpen = isObject && typeof part.properties === 'object' && part.additionalProperties === undefined
  return isOpen ? { ...inside, additionalProperties: false } : inside
}
