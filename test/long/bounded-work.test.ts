/**
 * R1, R2, R12. Whatever is sent to whatever path, and whatever is configured: no request keeps the main thread for long.
 * Every path of the programs' own tables is tried, so that a new one is, too. What is measured is processor time of the main
 * thread, and the limit grows with how slow the machine is at this moment.
 */
import { request as httpRequest } from 'node:http'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import type { GatewaySettings } from '../../src/gateway/settings.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import type { ServedPath } from '../../src/http/routes.ts'
import { applicationFolder } from '../support/application-folder.ts'
import { echoOf } from '../support/echo-template.ts'
import { docsFolder, graphiqlFolder } from '../support/page-folders.ts'
import { products, type TestDatabase } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
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
/** How many times as long is a failure: other programs share the caches of the processor. */
const tolerance = 1.5
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

/** Says who calls, again where the last token has ended. */
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
  return found.filter(({ longest }) => longest > promised.longest * tolerance)
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

function shotsAt(
  served: ServedPath,
  values: Readonly<Record<string, string>>,
  sizes: readonly number[] = bodySizes,
): readonly Shot[] {
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
      ...(hasBody(method) ? sizes : []).flatMap((size) => [
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

const startGateway = (database: DatabaseOptions, bootstrap: GatewaySettings['bootstrap'] = {}) =>
  startMeasuredServer({
    kind: 'gateway',
    settings: {
      database,
      waitsForDatabase: false,
      host: '127.0.0.1',
      port: 0,
      tokenTtlSeconds: 36_000,
      bodyLimitBytes,
      compressFromBytes: 16_384,
      graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
      graphiqlFolder,
      docsFolder,
      bootstrap,
    },
  })

/** Tells who calls by the administrator's token. */
function administratorOf(address: () => string): LogOn {
  let token: string | undefined
  return async (isAnew) => {
    if (isAnew || token === undefined) {
      const { username, password, apiKey } = administrator
      const response = await fetch(`${address()}/logon`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-xaas-api-key': apiKey },
        body: JSON.stringify({ username, password }),
      })
      token = ((await response.json()) as Record<string, string>)['x-xaas-auth-token'] ?? ''
    }
    return { 'x-xaas-auth-token': token }
  }
}

/** A question to `/graphql`. */
function graphqlShot(name: string, make: () => string): Shot {
  return {
    name,
    method: 'POST',
    path: '/graphql',
    body: () => Buffer.from(JSON.stringify({ query: make() })),
    headers: { 'content-type': 'application/json' },
  }
}

/** What is asked of the schema itself. */
const schemaShots: readonly Shot[] = [
  graphqlShot('introspection', getIntrospectionQuery),
  graphqlShot('types of fields of fields', () => '{__schema{types{fields{type{fields{type{name}}}}}}}'),
  graphqlShot('arguments', () => '{__schema{types{fields{args{name type{kind name ofType{name}}}}}}}'),
  { name: 'the text of the schema', method: 'GET', path: '/graphql' },
  { name: 'OpenAPI', method: 'GET', path: '/openapi.json' },
  { name: 'the entities of OpenAPI', method: 'GET', path: '/openapi.json?operations=false' },
  { name: 'OpenAPI of one entity', method: 'GET', path: `/openapi.json?entity=${entityName(7)}` },
  { name: 'all tables', method: 'GET', path: '/manage/tables?limit=1000' },
  { name: 'some tables', method: 'GET', path: '/manage/tables?limit=1000&q=1' },
]

const [first] = products

describe.each(products)(
  '$name: a gateway with 2,000 entities, 1,000 roles, 1,000 routes and 10,000 accounts',
  (product) => {
    let created: TestDatabase
    let server: MeasuredServer

    beforeAll(async () => {
      created = await product.createDatabase()
      await prepareLargeConfiguration(created.options)
      server = await startGateway(created.options)
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

    const logOn = administratorOf(() => server.address)
    const values = {
      resource: resourceOf(1),
      identifier: 'a',
      username: 'user1',
      name: entityName(1),
      version: '1',
    }
    // What is refused before anybody is known never gets to a database: large bodies are sent over one of them.
    test('R1 R2: no one who has not logged on keeps it', async () => {
      const sizes = product === first ? bodySizes : bodySizes.slice(0, 1)
      const shots = server.paths.flatMap((served) => shotsAt(served, values, sizes))
      expect(await findSlow(server, shots)).toEqual([])
    })

    test('R2: no one whose role says much keeps it', async () => {
      const own = { 'x-xaas-auth-token': vagueToken }
      const shots = [
        '/openapi.json',
        '/openapi.json?operations=false',
        '/openapi.json?route=route7',
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

    test('R2: no question about the schema keeps it, and no change of it', async () => {
      let changes = 0
      const upload: Shot = {
        name: 'a change of the schema',
        method: 'POST',
        path: '/manage/entities',
        body: () => {
          changes += 1
          return Buffer.from(
            JSON.stringify(definition(`More${changes}`, { local: [field('name', 'string')] })),
          )
        },
        headers: { 'content-type': 'application/json' },
      }
      expect(await findSlow(server, [...schemaShots, upload, ...schemaShots], logOn)).toEqual([])
      expect(changes).toBeGreaterThan(0)
    })

    test('R12: no GraphQL document keeps it', async () => {
      const shots = Object.entries(graphqlDocuments).flatMap(([name, make]) =>
        [8000, 60_000, 250_000, 2_000_000].map((size) => graphqlShot(`${name} of ${size}`, () => make(size))),
      )
      expect(await findSlow(server, shots, logOn)).toEqual([])
    })
  },
)

describe.each(products)('$name: a gateway over 2,077 tables of another program', (product) => {
  let created: TestDatabase
  let server: MeasuredServer

  beforeAll(async () => {
    created = await product.createDatabase()
    await makeTablesInARow(created.options, 2077)
    const { password, apiKey } = administrator
    server = await startGateway(created.options, { password, apiKey })
  })
  afterAll(async () => {
    await server.close()
    await created.remove()
  })

  test('R2: no question about the schema keeps it', async () => {
    expect(server.tableCount).toBe(2077)
    const logOn = administratorOf(() => server.address)
    expect(await findSlow(server, schemaShots, logOn)).toEqual([])
  })
})

/** Tables of ten columns, each of which refers to the one before. */
async function makeTablesInARow(options: DatabaseOptions, count: number): Promise<void> {
  const { driver } = await openDatabase(options)
  const columns = Array.from({ length: 8 }, (_, index) => `column_${index} varchar(40)`).join(', ')
  try {
    await driver.transaction(async (connection) => {
      for (let index = 0; index < count; index += 1) {
        const reference = index === 0 ? '' : `, foreign key (before_id) references table_${index - 1} (id)`
        const sql = `create table table_${index} (id integer primary key, before_id integer, ${columns}${reference})`
        await connection.execute({ sql, parameters: [] })
      }
    })
  } finally {
    await driver.close()
  }
}

test('R1 R2: no one keeps the web front', async () => {
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
