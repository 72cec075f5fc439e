/** The gateway, which the console reaches through the web front with the rights of who is logged in. */
import createClient from 'openapi-fetch'
import { Refusal } from '../../../browser/refusal.ts'
import { basePath } from '../base-path.ts'
import type { paths } from './gateway-api.d.ts'
import { send, sendPlainly } from './send.ts'

const gatewayPath = `${basePath}gateway`

/**
 * Calls of the management API, with the types of its own description. Everything that fails throws a `Refusal`, so that
 * `dataOf` always has something to give.
 */
export const gateway = createClient<paths>({
  baseUrl: location.origin + gatewayPath,
  fetch: async (request) => {
    const { pathname, search } = new URL(request.url)
    const body = request.method === 'GET' || request.method === 'HEAD' ? null : await request.blob()
    const { method, headers, signal } = request
    return send(pathname + search, { method, headers, signal, ...(body?.size ? { body } : {}) })
  },
})

/** The body of a response of `gateway`. */
export async function dataOf<Data>(
  answer: Promise<{ readonly data?: Data; readonly response: Response }>,
): Promise<Data> {
  const { data, response } = await answer
  if (!response.ok) throw new Refusal(`The response has status ${response.status}.`, {}, response)
  return data as Data
}

/** Calls the gateway at a path that the description of its management API does not have, such as a published API. */
export async function callGateway(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await send(gatewayPath + path, init)
  if (!response.ok) throw new Refusal(`The response has status ${response.status}.`, {}, response)
  return response
}

/** Calls the gateway as a reader has put it together. Gives any response. */
export function callGatewayPlainly(path: string, init: RequestInit): Promise<Response> {
  return sendPlainly(gatewayPath + path, init)
}

/** Sends a document as JSON, and reads the JSON of the response; undefined if it has none. */
export async function callWithJson(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  document?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const body = document === undefined ? {} : { body: JSON.stringify(document) }
  const type = document === undefined ? {} : { 'content-type': 'application/json' }
  const response = await callGateway(path, { method, headers: { ...type, ...headers }, ...body })
  return /json/.test(response.headers.get('content-type') ?? '') ? response.json() : undefined
}
