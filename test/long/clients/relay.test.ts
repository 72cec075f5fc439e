import {
  __internal,
  type ConcreteRequest,
  createOperationDescriptor,
  type Environment,
  getPaginationMetadata,
  getPaginationVariables,
  getSingularSelector,
  type ReaderFragment,
} from 'relay-runtime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compileRelay, type RelayProject } from '../../support/compile-relay.ts'
import { products } from '../../support/products.ts'
import {
  createTenantsAndPorts,
  firstPort,
  firstTenant,
  ports,
  portsOfFirstTenant,
  type SamplePort,
} from '../../support/tenants-and-ports.ts'
import { startTestGateway, type TestGateway } from '../../support/test-gateway.ts'
import { typeErrors } from '../../support/type-errors.ts'
import type { PortPage, Variables } from './port-pages.ts'
import { connectRelay } from './settings/relay-environment.ts'

type Direction = 'forward' | 'backward'

/** What is read of the fragments: the connection somewhere below. */
type FragmentData = Readonly<Record<string, unknown>>

async function fetchRoot(environment: Environment, query: ConcreteRequest, variables: Variables) {
  const operation = createOperationDescriptor(query, variables)
  environment.retain(operation)
  await __internal.fetchQuery(environment, operation).toPromise()
  return environment.lookup(operation.fragment).data as FragmentData
}

/** Loads page after page as `usePaginationFragment` does; gives the list after each. */
async function loadPages(
  environment: Environment,
  fragment: ReaderFragment,
  reference: unknown,
  pageOf: (data: FragmentData) => PortPage,
  direction: Direction,
  count: number,
): Promise<readonly PortPage[]> {
  const selector = getSingularSelector(fragment, reference)
  if (selector == null) throw new Error('The fragment was not selected.')
  const { paginationRequest, paginationMetadata } = getPaginationMetadata(fragment, fragment.name)
  const read = () => environment.lookup(selector).data as FragmentData
  const lists = [pageOf(read())]
  for (;;) {
    const { pageInfo } = pageOf(read())
    if (direction === 'forward' ? !pageInfo.hasNextPage : !pageInfo.hasPreviousPage) return lists
    const cursor = direction === 'forward' ? pageInfo.endCursor : pageInfo.startCursor
    const known = { ...selector.owner.variables, ...selector.variables }
    const variables = getPaginationVariables(direction, count, cursor, known, {}, paginationMetadata)
    const page = createOperationDescriptor(paginationRequest, variables, { force: true })
    await __internal.fetchQuery(environment, page).toPromise()
    lists.push(pageOf(read()))
  }
}

function rowsOf({ edges }: PortPage) {
  return edges.map(({ node: { id, name } }) => ({ id, name }))
}

const shown = (list: readonly SamplePort[]) => list.map(({ id, name }) => ({ id, name }))

const portOf = (data: FragmentData) => data.Port as PortPage
const collectionOf = (data: FragmentData) => data.portCollection as PortPage

describe.each(products)('Relay on $name', (product) => {
  let running: TestGateway
  let project: RelayProject
  let environment: Environment

  const query = async (name: string) => (await project.artifact(name)) as ConcreteRequest
  const fragment = async (name: string) => (await project.artifact(name)) as ReaderFragment

  beforeAll(async () => {
    running = await startTestGateway(product, createTenantsAndPorts)
    const { body } = await running.request('GET', '/graphql')
    const { schema } = body as { readonly schema: string }
    project = await compileRelay('plain', schema)
  })
  beforeEach(() => {
    environment = connectRelay(running.url, running.token)
  })
  afterAll(async () => {
    await project.remove()
    await running.close()
  })

  test('compiles against the schema, to artifacts with types', async () => {
    expect(await typeErrors(project.folder)).toEqual([])
  })

  test.each([
    ['forward to the end', { first: 10 }, 'forward'],
    ['backward to the beginning', { last: 10 }, 'backward'],
  ] as const)('pages %s', async (_, variables, direction) => {
    const reference = await fetchRoot(environment, await query('portsQuery'), variables)
    const list = await fragment('ports_list')
    const lists = await loadPages(environment, list, reference, portOf, direction, 10)
    expect(lists.map(({ edges }) => edges.length)).toEqual([10, 20, 25])
    expect(lists.slice(2).map(rowsOf)).toEqual([shown(ports)])
  })

  test('takes variables', async () => {
    const filters = [{ key: 'name', op: 'in', val: ['uplink-3', 'uplink-4'] }]
    const reference = await fetchRoot(environment, await query('portsQuery'), { filters, first: 10 })
    const list = await fragment('ports_list')
    const lists = await loadPages(environment, list, reference, portOf, 'forward', 10)
    expect(lists.map(rowsOf)).toEqual([shown(ports.slice(2, 4))])
  })

  test('pages through the rows that refer to another', async () => {
    const variables = { tenant: firstTenant.GlobalId, first: 5 }
    const reference = await fetchRoot(environment, await query('portsOfTenantQuery'), variables)
    const list = await fragment('ports_ofTenant')
    const pageOf = (data: FragmentData) => collectionOf(data.customNode as FragmentData)
    const lists = await loadPages(environment, list, reference, pageOf, 'forward', 5)
    expect(lists.map(({ edges }) => edges.length)).toEqual([5, 10, 13])
    expect(lists.slice(2).map(rowsOf)).toEqual([shown(portsOfFirstTenant)])
  })

  test('keeps a row once, under its GlobalId', async () => {
    const id = firstPort.GlobalId
    const { customNode } = await fetchRoot(environment, await query('portsRowQuery'), { id })
    const selector = getSingularSelector(await fragment('ports_row'), customNode)
    expect(selector && environment.lookup(selector).data).toEqual({
      id: firstPort.id,
      name: firstPort.name,
      tenant: { id: firstTenant.id },
    })
    expect(environment.getStore().getSource().toJSON()).toEqual({
      'client:root': {
        __id: 'client:root',
        __typename: '__Root',
        [`customNode(GlobalId:"${id}")`]: { __ref: id },
      },
      'client:__type:Port_': {
        __id: 'client:__type:Port_',
        __typename: '__TypeSchema',
        __isCustomNode: true,
      },
      [id]: { __id: id, __typename: 'Port_', ...firstPort, tenant: { __ref: firstTenant.GlobalId } },
      [firstTenant.GlobalId]: { __id: firstTenant.GlobalId, __typename: 'Tenant_', ...firstTenant },
    })
  })

  test('gives the error of a field with its code', async () => {
    const wrongFilter = await query('portsWrongFilterQuery')
    expect(await fetchRoot(environment, wrongFilter, {})).toEqual({
      Port: { ok: false, errors: [{ extensions: { code: 'PARAMETER_INVALID' } }] },
    })
  })

  test('gives the refusal of a caller without a token', async () => {
    const portsQuery = await query('portsQuery')
    const answer = fetchRoot(connectRelay(running.url, ''), portsQuery, { first: 1 })
    await expect(answer).rejects.toMatchObject({
      message: 'The gateway answered 401',
      cause: { status: 401, code: 'TOKEN_MISSING' },
    })
  })
})
