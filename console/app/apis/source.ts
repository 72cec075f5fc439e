import type { ApiSource } from '../../openapi/apis-context.ts'
import { askWhetherAllowed, type Call } from '../api/access.ts'
import { callGateway, callGatewayPlainly } from '../api/gateway.ts'

/** The gateway, with the rights of who is logged in. */
export const source: ApiSource = {
  read: async (path, signal) => (await callGateway(path, { signal })).json(),
  allowed: (calls) => Promise.all(calls.map((call) => askWhetherAllowed(call as Call))),
  send: ({ method, path, headers, body = null }, signal) =>
    callGatewayPlainly(path, {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      body,
      signal,
    }),
  gatewayUrl: undefined,
}
