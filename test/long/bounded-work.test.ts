/**
 * R1, R2, R12. Whatever is sent to whatever path, and whatever is configured: no request keeps the main thread for long.
 * Every path of the programs' own tables is tried, so that a new one is, too. What is measured is processor time of the main
 * thread, and the limit grows with how slow the machine is at this moment.
 */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultOperationLimits } from '../../src/graphql/operation/operation-limits.ts'
import type { ServedPath } from '../../src/http/routes.ts'
import { applicationFolder } from '../support/application-folder.ts'
import { echoOf } from '../support/echo-template.ts'
import { docsFolder, graphiqlFolder } from '../support/page-folders.ts'
import { products, type TestDatabase } from '../support/products.ts'
import { frontDefaults } from '../support/test-front.ts'
import { bodies, graphqlDocuments, headers, queries } from './hostile-inputs.ts'
import {
  administrator,
  entityName,
  prepareLargeConfiguration,
  resourceOf,
  vagueToken,
} from './large-configuration.ts'
import { type MeasuredServer, startMeasuredServer } from './measured-server.ts'

/** In milliseconds on a quiet machine, on which the fixed work takes the time beside it. */
const promised = { longest: 50, fixedWork: 30 }
const bodyLimitBytes = 10 * 1024 * 1024
const bodySizes = [12_000, 1_000_000, 10_000_000]

interface Shot {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: () => Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request; gives its status, or 0 where the server ended the connection. */
function send(address: string, { method, path, body, headers: given = {} }: Shot): Promise<number> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(address)
    const bytes = body?.()
    const sent = httpRequest({ hostname, port, method, path, headers: given, agent: false }, (response) => {
      response.resume()
      response.once('close', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', () => resolve(0))
    sent.end(bytes)
  })
}

/** How many times the promise something may take now. */
async function slownessOf(server: MeasuredServer): Promise<number> {
  return Math.max(1, (await server.calibrate()) / promised.fixedWork)
}

interface Finding {
  readonly shot: string
  readonly status: number
  readonly longest: number
}

/** Says who calls, anew where the last token has ended. */
type LogOn = (isAnew: boolean) => Promise<Readonly<Record<string, string>>>

/** So often is tried what takes too long: what code takes in its first runs, and collecting garbage, is no growth. */
const attempts = 5

/** Those that kept the main thread too long each time. */
async function findSlow(
  server: MeasuredServer,
  shots: readonly Shot[],
  logOn: LogOn = async () => ({}),
): Promise<readonly Finding[]> {
  let status = 0
  const found: Finding[] = []
  for (const shot of shots) {
    let best: Finding | undefined
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const own = await logOn(status === 401)
      await server.longestWork()
      status = await send(server.address, { ...shot, headers: { ...shot.headers, ...own } })
      const worked = await server.longestWork()
      const longest = worked <= promised.longest ? worked : worked / (await slownessOf(server))
      if (best === undefined || longest < best.longest)
        best = { shot: shot.name, status, longest: Math.round(longest) }
      if (longest <= promised.longest) break
    }
    if (best !== undefined) found.push(best)
  }
  found.sort((one, other) => other.longest - one.longest)
  console.info(`Of ${found.length} requests these kept it longest:`, found.slice(0, 5))
  return found.filter(({ longest }) => longest > promised.longest)
}

function pathOf({ path }: ServedPath, values: Readonly<Record<string, string>>): string {
  return path
    .split('/')
    .map((segment) =>
      segment.startsWith(':') ? (values[segment.slice(1)] ?? 'a') : segment === '*' ? 'a' : segment,
    )
    .join('/')
}

const made = new Map<string, Buffer>()

function bodyOf(name: string, make: (size: number) => Buffer, size: number): Buffer {
  const key = `${name} ${size}`
  const body = made.get(key) ?? make(size)
  made.set(key, body)
  return body
}

const hasBody = (method: string) => method !== 'GET'

function shotsAt(served: ServedPath, values: Readonly<Record<string, string>>): readonly Shot[] {
  const path = pathOf(served, values)
  return served.methods.flatMap((method): readonly Shot[] => {
    const named = (name: string) => `${method} ${path}, ${name}`
    const json = { 'content-type': 'application/json' }
    return [
      { name: named('plain'), method, path },
      ...Object.entries(queries).map(([name, query]) => ({
        name: named(name),
        method,
        path: `${path}?${query}`,
      })),
      ...Object.entries(headers).map(([name, given]) => ({
        name: named(name),
        method,
        path,
        headers: given,
      })),
      ...(hasBody(method) ? bodySizes : []).flatMap((size) => [
        ...Object.entries(bodies).map(([name, make]) => ({
          name: named(`${name} of ${size}`),
          method,
          path,
          body: () => bodyOf(name, make, size),
          headers: json,
        })),
        {
          name: named(`a form of ${size}`),
          method,
          path,
          body: () => Buffer.from(Array.from({ length: size / 8 }, (_, index) => `k${index}=1`).join('&')),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      ]),
    ]
  })
}

const [product] = products

describe('a gateway with 2,000 entities, 1,000 roles, 1,000 routes and 10,000 accounts', () => {
  let created: TestDatabase
  let server: MeasuredServer
  let token: string | undefined

  beforeAll(async () => {
    if (product === undefined) throw new Error('SQLite is everywhere.')
    created = await product.createDatabase()
    await prepareLargeConfiguration(created.options)
    server = await startMeasuredServer({
      kind: 'gateway',
      settings: {
        database: created.options,
        waitsForDatabase: false,
        host: '127.0.0.1',
        port: 0,
        tokenTtlSeconds: 36_000,
        bodyLimitBytes,
        compressFromBytes: 16_384,
        graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
        graphiqlFolder,
        docsFolder,
        bootstrap: {},
      },
    })
  })
  afterAll(async () => {
    await server.close()
    await created.remove()
  })

  test('it is as large as it shall be', async () => {
    expect(server.tableCount).toBe(2000)
    const shown = await fetch(`${server.address}/apis/${resourceOf(7)}`, { headers: await logOn(true) })
    expect(shown.status).toBe(200)
  })

  const logOn: LogOn = async (isAnew) => {
    if (isAnew || token === undefined) token = await newToken()
    return { 'x-xaas-auth-token': token }
  }
  async function newToken(): Promise<string> {
    const { username, password, apiKey } = administrator
    const response = await fetch(`${server.address}/logon`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-xaas-api-key': apiKey },
      body: JSON.stringify({ username, password }),
    })
    return ((await response.json()) as Record<string, string>)['x-xaas-auth-token'] ?? ''
  }

  const values = {
    resource: resourceOf(1),
    identifier: 'a',
    username: 'user1',
    name: entityName(1),
    version: '1',
  }
  test('R1 R2: nobody who has not logged on keeps it', async () => {
    const shots = server.paths.flatMap((served) => shotsAt(served, values))
    expect(await findSlow(server, shots)).toEqual([])
  })

  test('R2: nobody whose role says much keeps it', async () => {
    const own = { 'x-xaas-auth-token': vagueToken }
    const shots = [
      '/openapi.json',
      '/graphql',
      '/whoami',
      '/manage/schema',
      `/apis/${resourceOf(7)}`,
      `/apis/${resourceOf(7)}/a`,
    ].map((path): Shot => ({ name: path, method: 'GET', path, headers: own }))
    expect(await findSlow(server, shots)).toEqual([])
  })

  test('R2: no administrator keeps it', async () => {
    const shots = server.paths.flatMap((served) => shotsAt(served, values))
    expect(await findSlow(server, shots, logOn)).toEqual([])
  })

  test('R12: no GraphQL document keeps it', async () => {
    const shots = Object.entries(graphqlDocuments).flatMap(([name, make]) =>
      [8000, 60_000, 250_000, 2_000_000].map((size) => ({
        name: `${name} of ${size}`,
        method: 'POST',
        path: '/graphql',
        body: () => Buffer.from(JSON.stringify({ query: make(size) })),
        headers: { 'content-type': 'application/json' },
      })),
    )
    expect(await findSlow(server, shots, logOn)).toEqual([])
  })
})

test('R1 R2: nobody keeps the web front', async () => {
  const folder = await applicationFolder()
  const server = await startMeasuredServer({
    kind: 'front',
    settings: {
      ...frontDefaults(folder.root),
      bodyLimitBytes,
      providers: [
        { name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: false },
      ],
      gateway: { address: 'http://127.0.0.1:9' },
      echo: echoOf({ templates: { letter: { text: 'a {{b}}', format: 'txt' } } }),
    },
  })
  try {
    const shots = server.paths.flatMap((served) => shotsAt(served, {}))
    expect(await findSlow(server, shots)).toEqual([])
  } finally {
    await server.close()
    await folder.remove()
  }
})
