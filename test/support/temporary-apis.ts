/** Published APIs over a new database, called by HTTP as the administrator. Gone when the test is done. */
import { randomBytes, randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { publishedEntities } from '../../src/entity/publish/published-entities.ts'
import { graphqlNamesOf } from '../../src/gateway/graphql-names.ts'
import { entityDefinitionRoutes } from '../../src/gateway/routes/entity-definitions.ts'
import { publishedApiRoutes } from '../../src/gateway/routes/published-apis.ts'
import { buildModel } from '../../src/graphql/model/build-model.ts'
import { addRoutes } from '../../src/http/routes.ts'
import { createHttpServer } from '../../src/http/server.ts'
import type { Observer } from '../../src/observe/events.ts'
import type { PublishedEntity } from '../../src/record/record-rules.ts'
import { createIdempotency } from '../../src/rest/idempotency.ts'
import { inSlices } from '../../src/util/time-slices.ts'
import { createUuidV7 } from '../../src/util/uuid-v7.ts'
import type { TestProduct } from './products.ts'
import { type TemporaryEntities, temporaryEntities } from './temporary-entities.ts'

interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly body: any
}

export interface TemporaryApis extends TemporaryEntities {
  readonly address: string
  /** What clients were not told about; `call` throws it. */
  readonly failures: unknown[]
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiAnswer>
}

export interface TemporaryApisOptions {
  readonly product?: TestProduct
  readonly rowLimit?: number
  readonly byteLimit?: number
}

/** The APIs of a definition; a list of them has at most `rowLimit` records and `byteLimit` bytes. */
export async function temporaryApis(
  document?: unknown,
  { product, rowLimit = 100_000, byteLimit = Number.POSITIVE_INFINITY }: TemporaryApisOptions = {},
): Promise<TemporaryApis> {
  const entities = await temporaryEntities(product)
  const { database, store, parts } = entities
  const failures: unknown[] = []
  let published: ReadonlyMap<string, PublishedEntity> = new Map()
  const schemaChanged = async () => {
    published = await database.driver.read(async (connection) => {
      const found = await database.dialect.introspect(connection)
      const names = graphqlNamesOf(await inSlices(buildModel(found)))
      return publishedEntities(await store.entities.list(connection), found, names, database.dialect.ddl)
    })
  }
  const observe: Observer = (event) => {
    if (event.kind === 'RequestFailed') failures.push(event.error)
  }
  const served = { version: { hash: '' } }
  const server = createHttpServer({
    bodyLimitBytes: 50_000_000,
    observe,
  })
  server.decorateRequest('caller', undefined)
  server.addHook('onRequest', async (request) => {
    request.caller = {
      username: 'admin',
      roles: [],
      attributes: { username: 'admin', roles: [], metadata: {} },
      accountExpiresAt: undefined,
      limits: undefined,
      tokenHash: '',
      tokenExpiresAt: new Date(),
    }
  })
  addRoutes(server, [
    ...entityDefinitionRoutes({ ...parts, schemaChanged }),
    ...publishedApiRoutes({
      database,
      now: parts.now,
      uuid: () => randomUUID(),
      nextInstance: createUuidV7(() => new Date(), randomBytes),
      baseUrl: '',
      published: () => published,
      schema: { current: () => served, changed: schemaChanged, look: async () => false },
      recordAccess: { entityFor: (_caller, _method, _path, entity) => entity },
      relatedEntities: { follow: (_caller, entity) => entity },
      listLimits: { timeMs: Number.POSITIVE_INFINITY, rows: rowLimit, bytes: byteLimit, heldRows: 100_000 },
      observe,
      idempotency: createIdempotency({ store, now: () => new Date(), uuid: () => randomUUID() }),
    }),
  ])
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  if (document !== undefined) {
    await entities.upload(document)
    await schemaChanged()
  }
  return {
    ...entities,
    address,
    failures,
    async call(method, path, body, headers = {}) {
      const response = await fetch(address + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (failures.length > 0) throw failures[0]
      return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) }
    },
  }
}
