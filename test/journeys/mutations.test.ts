/** Records written by GraphQL: the same rules, rights and errors as by the published APIs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tenant = definition('Tenant', { local: [field('name', 'string')] })
const port = definition('Port', {
  local: [
    field('name', 'string', { field_nullable: false }),
    field('isActivated', 'boolean', { field_nullable: false, field_default: 'True' }),
    field('vlanRanges', 'array', { field_default: '[]' }),
    field('portType', 'string', { field_immutable: true }),
    field('operationStatus', 'string', { field_enum: ['Processing', 'Completed', 'Cancelled'] }),
    field('serial', 'string', { field_unique: true }),
  ],
  refs: [reference('tenantId', 'Tenant')],
})

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  const send = async (query: string, variables?: object, token?: string | null) =>
    (
      await gateway.request('POST', '/graphql', {
        body: { query, variables },
        ...(token === undefined ? {} : { token }),
      })
    ).body as Json
  const records = async (resource: string) =>
    ((await gateway.request('GET', `/apis/${resource}?asc=id`)).body as Json[]).map(
      ({ instance, xid, ...record }) => record,
    )

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const uploaded = await gateway.request('POST', '/manage/entities', { body: [tenant, port] })
    expect(uploaded.status).toBe(201)
  })
  afterAll(() => gateway.close())

  beforeEach(async () => {
    const cleared = await send('mutation { deleteAll_Port(where: {}) { count } deleteAll_Tenant(where: {}) { count } }')
    expect(cleared.errors).toBeUndefined()
    await gateway.request('POST', '/apis/tenants', { body: [{ id: 't1', name: 'One' }, { id: 't2' }] })
    await gateway.request('POST', '/apis/ports', {
      body: ['p1', 'p2', 'p3'].map((id) => ({ id, name: id, serial: `s-${id}`, tenantId: 't1' })),
    })
  })

  test('a record is created, and shown with what it refers to', async () => {
    const answer = await send(
      `mutation ($input: Port_CreateInput!) {
        made: create_Port(input: $input) { id name isActivated vlanRanges operationStatus xname tenant { id name portCollection { totalCount } } __typename }
        __typename
      }`,
      { input: { id: 'p4', name: 'new', vlanRanges: ['1-5'], operationStatus: 'Processing', tenantId: 't1' } },
    )
    expect(answer).toEqual({
      data: {
        made: {
          id: 'p4',
          name: 'new',
          isActivated: 1,
          vlanRanges: '["1-5"]',
          operationStatus: 'Processing',
          xname: 'POST /graphql',
          tenant: { id: 't1', name: 'One', portCollection: { totalCount: 4 } },
          __typename: 'Port_',
        },
        __typename: 'Mutation',
      },
    })
  })

  test('a record is changed and deleted by its key or its GlobalId', async () => {
    expect(
      await send('mutation { update_Port(id: "p1", input: { name: "b", isActivated: false }) { id name isActivated portType } }'),
    ).toEqual({ data: { update_Port: { id: 'p1', name: 'b', isActivated: 0, portType: null } } })
    const { data } = await send('{ Port(id: "p2") { edges { node { GlobalId } } } }')
    const { GlobalId } = data.Port.edges[0].node
    expect(
      await send('mutation ($id: ID) { update_Port(GlobalId: $id, input: { tenantId: "t2" }) { id tenant { id } } }', {
        id: GlobalId,
      }),
    ).toEqual({ data: { update_Port: { id: 'p2', tenant: { id: 't2' } } } })
    expect(
      await send('mutation ($id: ID) { delete_Port(GlobalId: $id) { id tenant { id } GlobalId } }', { id: GlobalId }),
    ).toEqual({ data: { delete_Port: { id: 'p2', tenant: { id: 't2' }, GlobalId } } })
    expect((await records('ports')).map(({ id, name }) => [id, name])).toEqual([
      ['p1', 'b'],
      ['p3', 'p3'],
    ])
  })
})
