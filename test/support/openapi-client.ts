/** A generic client of the published APIs, and what its calls are held against. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AxiosResponse } from 'axios'
import { OpenAPIClientAxios } from 'openapi-client-axios'
import { expect } from 'vitest'
import type { TestGateway } from './test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of someone else's, read as a client reads it
type Json = any

/** A client that is made from the document alone. */
export async function clientOf(document: Json, { url, token }: TestGateway): Promise<unknown> {
  const api = new OpenAPIClientAxios({
    definition: structuredClone(document),
    axiosConfigDefaults: {
      baseURL: url,
      headers: { 'x-xaas-auth-token': token },
      paramsSerializer: { indexes: null },
      validateStatus: () => true,
    },
  })
  return api.init()
}

/** The names of all operations of a document. */
export function operationsIn(document: Json): string[] {
  return Object.values<Json>(document.paths).flatMap((item) =>
    Object.values<Json>(item).flatMap(({ operationId }) => operationId ?? []),
  )
}

/** Checks an answer against the response that the document promises for the operation and the status. */
export function answersLike(document: Json) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  const resolve = (part: Json): Json =>
    part.$ref === undefined
      ? part
      : part.$ref
          .slice(2)
          .split('/')
          .reduce((inside: Json, key: string) => inside[key], document)
  const operations = new Map(
    Object.values<Json>(document.paths).flatMap((item) =>
      Object.values<Json>(item).map((operation) => [operation.operationId, operation] as const),
    ),
  )
  return (operationId: string, { status, data, headers }: AxiosResponse) => {
    const response = resolve(operations.get(operationId).responses[status] ?? {})
    expect(response, `${operationId} ${status}`).toHaveProperty('description')
    const [mediaType] = String(headers['content-type'] ?? '').split(';')
    if (response.content === undefined) {
      expect(data, operationId).toBe('')
      return
    }
    const { schema } = response.content[mediaType ?? '']
    const pointed = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
    expect(ajv.validate(pointed, data) ? [] : ajv.errors, `${operationId} ${status}`).toEqual([])
  }
}
