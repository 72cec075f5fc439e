/** The GlobalId of GraphQL finds the same record in the list of the published API, whatever its table is called. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tenant = definition('Tenant', { local: [field('name', 'string')] })
const port = definition('Port', {
  local: [field('name', 'string')],
  refs: [reference('tenantId', 'Tenant')],
})

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product, (options) =>
      executeAll(options, [
        'create table tbl_site (code varchar(20) not null unique, label varchar(20))',
        "insert into tbl_site values ('s1', 'north'), ('s2', 'south')",
      ]),
    )
    await call('POST', '/manage/entities', [tenant, port])
    await call('POST', '/apis/tenants', [{ id: 't1' }, { id: 't2' }])
    await call('POST', '/apis/ports', [
      { id: 'p1', tenantId: 't1' },
      { id: 'p2', tenantId: 't2' },
    ])
  })
  afterAll(() => gateway.close())

  async function call(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await gateway.request(method, path, body === undefined ? {} : { body })
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body])
    return answer.body
  }

  const rename = (of: string, name: string) => call('PUT', '/manage/names', { kind: 'table', of, name })

  /** The ids by GraphQL, in the order of the key. */
  async function globalIds(entity: string): Promise<readonly string[]> {
    const { data } = (await gateway.graphql(`{ ${entity} { edges { node { GlobalId } } } }`)) as Json
    return data[entity].edges.map(({ node }: Json) => node.GlobalId)
  }

  /** What both kinds of list find by a GlobalId, in three ways. */
  async function found(path: string, field: string, id: string): Promise<readonly Json[]> {
    const [name, filters] = [encodeURIComponent(id), [{ key: field, op: 'in', val: [id] }]]
    return [
      ...(field === 'GlobalId' ? [await call('GET', `${path}?GlobalId=${name}`)] : []),
      await call('GET', `${path}?filters=${encodeURIComponent(JSON.stringify(filters))}`),
      await call('POST', `${path}/query`, { filters }),
    ].map((records: Json) => records.map((record: Json) => record.id ?? record.code))
  }

  test('of an entity, and of what it refers to, before and after each table gets another name', async () => {
    const former = { port: (await globalIds('Port'))[1], tenant: (await globalIds('Tenant'))[1] }
    await rename('Port', 'Socket')
    await rename('Tenant', 'Client')
    const current = { port: (await globalIds('Socket'))[1], tenant: (await globalIds('Client'))[1] }
    expect(current).not.toEqual(former)
    for (const ids of [former, current]) {
      expect(await found('/apis/ports', 'GlobalId', ids.port ?? '')).toEqual([['p2'], ['p2'], ['p2']])
      expect(await found('/apis/ports', 'tenant.GlobalId', ids.tenant ?? '')).toEqual([['p2'], ['p2']])
    }
    expect(await found('/apis/ports', 'GlobalId', current.tenant ?? '')).toEqual([[], [], []])
  })

  test('of an adopted table without a primary key, whose name in GraphQL was chosen', async () => {
    await call('POST', '/manage/entities/adopt', { tables: ['tbl_site'] })
    const former = (await globalIds('tbl_site'))[1] ?? ''
    expect(await found('/apis/tbl_sites', 'GlobalId', former)).toEqual([['s2'], ['s2'], ['s2']])
    await rename('tbl_site', 'Site')
    for (const id of [former, (await globalIds('Site'))[1] ?? '']) {
      expect(await found('/apis/tbl_sites', 'GlobalId', id)).toEqual([['s2'], ['s2'], ['s2']])
    }
  })
})
