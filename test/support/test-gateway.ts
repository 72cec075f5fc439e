import type { DriverLimits } from '../../src/database/driver.ts'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { type Gateway, startGateway } from '../../src/gateway/gateway.ts'
import type { GatewaySettings } from '../../src/gateway/settings.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import type { Event } from '../../src/observe/events.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import type { TestProduct } from './products.ts'
import { prepareStore } from './store-template.ts'

/** What a request was answered with. `body` is parsed where it is JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** What a request is sent with. */
export interface RequestOptions {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Another token than the administrator's; null for none. */
  readonly token?: string | null
}

/** A gateway on its own database, and requests to it as its administrator. */
export interface TestGateway {
  readonly gateway: Gateway
  readonly url: string
  readonly token: string
  readonly apiKey: string
  readonly password: string
  /** Everything that has happened. */
  readonly events: readonly Event[]
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  graphql(query: string, variables?: Readonly<Record<string, unknown>>): Promise<unknown>
  /** The same at another gateway over the same records; closing it closes neither. */
  at(other: Gateway): TestGateway
  close(): Promise<void>
}

/** What differs from the usual settings of a test. */
export type TestSettings = Partial<GatewaySettings> & { readonly limits?: Partial<DriverLimits> }

/** `prepare` may put something into the database before the gateway sees it. */
export async function startTestGateway(
  product: Pick<TestProduct, 'createDatabase'>,
  prepare?: (options: DatabaseOptions) => Promise<void>,
  { limits, ...settings }: TestSettings = {},
): Promise<TestGateway> {
  const isApart = settings.store !== undefined
  const made = await product.createDatabase({ withStore: prepare === undefined && !isApart })
  const created = { ...made, options: { ...made.options, ...limits } }
  const events: Event[] = []
  await (prepare ?? (isApart ? undefined : prepareStore))?.(created.options)
  const gateway = await startGateway({
    database: created.options,
    waitsForDatabase: false,
    host: '127.0.0.1',
    port: 0,
    tokenTtlSeconds: 3600,
    passwordCost: cheapPasswords,
    bodyLimitBytes: 1_000_000,
    compressFromBytes: 16_384,
    graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
    pageLogon: true,
    bootstrap: {},
    observe: (event) => events.push(event),
    ...settings,
  })
  const { password = '', apiKey = '' } = gateway.bootstrapped ?? {}
  const logon = await send(gateway.address, 'POST', '/logon', {
    body: { username: 'admin', password },
    headers: { 'x-xaas-api-key': apiKey },
    token: null,
  })
  const token = (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
  const requestsTo = (to: Gateway): TestGateway => {
    const request = (method: string, path: string, options: RequestOptions = {}) =>
      send(to.address, method, path, { token, ...options })
    return {
      gateway: to,
      url: to.address,
      token,
      apiKey,
      password,
      events,
      request,
      graphql: async (query, variables) =>
        (await request('POST', '/graphql', { body: { query, variables } })).body,
      at: (other) => ({ ...requestsTo(other), close: async () => undefined }),
      async close() {
        await gateway.close()
        await created.remove()
      },
    }
  }
  return requestsTo(gateway)
}

async function send(
  url: string,
  method: string,
  path: string,
  { body, headers, token }: RequestOptions,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { 'x-xaas-auth-token': token } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
}
