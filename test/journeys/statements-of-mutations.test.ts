/**
 * test/golden/statements-of-mutations.md shows which statements mutations need, without those of the transaction: the same on every product. The
 * fast path of PostgreSQL is left out: it depends on when a connection was last used (see writes-at-once.test.ts). `-u` rewrites the file.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readers } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const mutations = [
  'create_Port(input: {id: "p1", name: "a"}) {id name}',
  'create_Port(input: {id: "p2", tenant: {connect: {id: "t1"}}}) {id tenant {name}}',
  'create_Port(input: {id: "p3", tenant: {create: {id: "t2"}}}) {id tenant {name portCollection {totalCount edges {node {id}}}}}',
  'createAll_Port(inputs: [{id: "p4"}, {id: "p5"}, {id: "p6"}]) {id tenant {name}}',
  'createAll_Port(inputs: [{id: "p7", tenant: {create: {id: "t3"}}}, {id: "p8", tenant: {create: {id: "t4"}}}]) {id}',
  'update_Port(id: "p1", input: {name: "b"}) {id name}',
  'update_Port(id: "p2", input: {tenant: {connect: {id: "t2"}}}) {id tenant {name portCollection {edges {node {id}}}}}',
  'upsert_Port(input: {id: "p1", name: "c"}) {id name}',
  'upsert_Port(input: {id: "p9", name: "c"}) {id name}',
  'updateAll_Port(where: {id: {in: ["p4"]}}, input: {name: "d"}) {count}',
  'updateAll_Port(where: {id: {in: ["p4", "p5", "p6"]}}, input: {name: "e"}) {count}',
  'delete_Port(id: "p9") {id}',
  'deleteAll_Port(where: {id: {in: ["p4"]}}) {count}',
  'deleteAll_Port(where: {id: {in: ["p5", "p6", "p7"]}}) {count}',
]

describe.each(readers.filter(({ name }) => name !== 'PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const made = await gateway.request('POST', '/manage/entities', {
      body: [
        definition('Tenant', { local: [field('name', 'string')] }),
        definition('Port', { local: [field('name', 'string')], refs: [reference('tenantId', 'Tenant')] }),
      ],
    })
    expect(made.status).toBe(201)
    await gateway.request('POST', '/apis/tenants', { body: { id: 't1' } })
  })
  afterAll(() => gateway.close())

  /** What a statement does, and to which of the two tables. */
  const shortened = (sql: string) => `${sql.split(' ')[0]} ${/["`](Tenant|Port)["`]/.exec(sql)?.[1] ?? ''}`

  test('how many statements each mutation needs', async () => {
    const parts: string[] = []
    for (const mutation of mutations) {
      const before = gateway.events.length
      expect(await gateway.graphql(`mutation { ${mutation} }`)).not.toHaveProperty('errors')
      const statements = gateway.events
        .slice(before)
        .flatMap((event) => (event.kind === 'StatementRun' ? [shortened(event.sql)] : []))
        .filter((text) => /(?:Tenant|Port)$/.test(text))
      parts.push(`## ${mutation}\n\n${statements.map((text) => `- ${text}`).join('\n')}\n`)
    }
    await expect(parts.join('\n')).toMatchFileSnapshot('../golden/statements-of-mutations.md')
  })
})
