/** Relay writes: what its store shows after mutations, without a query. */
import {
  __internal,
  type ConcreteRequest,
  commitMutation,
  createOperationDescriptor,
  type Environment,
} from 'relay-runtime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compileRelay, type RelayProject } from '../../support/compile-relay.ts'
import { products } from '../../support/products.ts'
import { definition, field, reference } from '../../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../../support/test-gateway.ts'
import { typeErrors } from '../../support/type-errors.ts'
import { connectRelay } from './settings/relay-environment.ts'

const entities = [
  definition('Tenant', { local: [field('name', 'string')] }),
  definition('Port', {
    local: [field('name', 'string', { field_nullable: false })],
    refs: [reference('tenantId', 'Tenant')],
  }),
]

interface Connection {
  readonly __id: string
  readonly edges: readonly { readonly node: Node }[]
}

interface Node {
  readonly GlobalId: string
  readonly name: string
  readonly tenant: { readonly name: string } | null
}

describe.each(products)('Relay on $name', (product) => {
  let running: TestGateway
  let project: RelayProject
  let environment: Environment
  /** The list as the store shows it now. */
  let shown: () => Connection

  const names = () => shown().edges.map(({ node: { name, tenant } }) => [name, tenant?.name])
  const commit = async (name: string, variables: Readonly<Record<string, unknown>>): Promise<void> => {
    const mutation = (await project.artifact(name)) as ConcreteRequest
    await new Promise<void>((resolve, reject) => {
      const onCompleted = (_: unknown, errors: unknown) => (errors ? reject(errors) : resolve())
      commitMutation(environment, { mutation, variables, onCompleted, onError: reject })
    })
  }

  beforeAll(async () => {
    running = await startTestGateway(product)
    expect((await running.request('POST', '/manage/entities', { body: entities })).status).toBe(201)
    const { body } = await running.request('GET', '/graphql')
    project = await compileRelay('mutations', (body as { readonly schema: string }).schema)
  })
  afterAll(async () => {
    await project.remove()
    await running.close()
  })

  beforeEach(async () => {
    await running.graphql(
      'mutation { deleteAll_Port(where: {}) { count } deleteAll_Tenant(where: {}) { count } }',
    )
    await running.request('POST', '/apis/tenants', { body: [{ id: 't1', name: 'One' }] })
    const ports = ['a', 'b', 'c'].map((name) => ({ name, tenantId: 't1' }))
    await running.request('POST', '/apis/ports', { body: ports })
    environment = connectRelay(running.url, running.token)
    const operation = createOperationDescriptor((await project.artifact('portsQuery')) as ConcreteRequest, {})
    environment.retain(operation)
    await __internal.fetchQuery(environment, operation).toPromise()
    shown = () => (environment.lookup(operation.fragment).data as { Port: Connection }).Port
  })

  test('compiles mutations against the schema, to artifacts with types', async () => {
    expect(await typeErrors(project.folder)).toEqual([])
  })

  test('appends what was created, with what it refers to', async () => {
    const input = { name: 'd', tenant: { create: { name: 'Two' } } }
    await commit('portsCreateMutation', { input, connections: [shown().__id] })
    expect(names()).toEqual([
      ['a', 'One'],
      ['b', 'One'],
      ['c', 'One'],
      ['d', 'Two'],
    ])
  })

  test('shows changes, and takes away what was deleted', async () => {
    const [first, second] = shown().edges.map(({ node }) => node.GlobalId)
    const connections = [shown().__id]
    await commit('portsRenameMutation', { id: first, name: 'renamed' })
    await commit('portsDeleteMutation', { id: second, connections })
    expect(names()).toEqual([
      ['renamed', 'One'],
      ['c', 'One'],
    ])
    await commit('portsDeleteAllMutation', { where: { name: { eq: 'c' } }, connections })
    expect(names()).toEqual([['renamed', 'One']])
  })

  test('leaves the list as it was after a mutation that was refused', async () => {
    const connections = [shown().__id]
    const refused = commit('portsCreateMutation', { input: { name: 'd', tenantId: 'none' }, connections })
    await expect(refused).rejects.toThrow('/input/tenantId: There is no Tenant whose id is "none".')
    expect(names()).toEqual(['a', 'b', 'c'].map((name) => [name, 'One']))
  })
})
