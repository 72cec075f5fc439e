import { type Client, CombinedError, gql, type TypedDocumentNode } from '@urql/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { products } from '../../support/products.ts'
import {
  createTenantsAndPorts,
  firstPort,
  firstTenant,
  ports,
  portsOfFirstTenant,
} from '../../support/tenants-and-ports.ts'
import { startTestGateway, type TestGateway } from '../../support/test-gateway.ts'
import {
  allPortsDocument,
  anyRowDocument,
  nextPage,
  type PortPage,
  type PortsOfTenant,
  portsOfTenantDocument,
  previousPage,
  type Variables,
  wholeList,
  wrongFilterDocument,
} from './port-pages.ts'
import { connectUrql } from './settings/urql.ts'

const allPorts: TypedDocumentNode<{ Port: PortPage }, Variables> = gql(allPortsDocument)
const portsOfTenant: TypedDocumentNode<PortsOfTenant, Variables> = gql(portsOfTenantDocument)
const anyRow: TypedDocumentNode<unknown, Variables> = gql(anyRowDocument)
const wrongFilter = gql(wrongFilterDocument)
const wholePort = gql('query ($id: ID!) { node(GlobalId: $id) { ... on Port_ { GlobalId id name } } }')

/** Asks for page after page; the cache answers with the list so far. */
async function loadPages<Data>(
  client: Client,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pageOf: (data: Data) => PortPage,
  nextVariables: (page: PortPage) => Variables | undefined,
): Promise<readonly PortPage[]> {
  const lists: PortPage[] = []
  for (let next: Variables | undefined = {}; next !== undefined; ) {
    const { data, error } = await client.query(query, { ...variables, ...next }).toPromise()
    if (data === undefined) throw error
    const loaded = pageOf(data)
    lists.push(loaded)
    next = nextVariables(loaded)
  }
  return lists
}

describe.each(products)('urql on $name', (product) => {
  let running: TestGateway
  let client: Client

  beforeAll(async () => {
    running = await startTestGateway(product, createTenantsAndPorts)
  })
  beforeEach(() => {
    client = connectUrql(running.url, running.token)
  })
  afterAll(() => running.close())

  test('takes variables, by POST and by GET, and keeps lists of different filters apart', async () => {
    const named = async (val: string, preferGetMethod: boolean) => {
      const variables = { filters: [{ key: 'name', op: '==', val }], first: 1 }
      const { data } = await client.query(allPorts, variables, { preferGetMethod }).toPromise()
      return data?.Port.edges.map(({ node }) => node)
    }
    expect([await named('uplink-3', false), await named('uplink-4', true)]).toEqual([[ports[2]], [ports[3]]])
  })

  test.each([
    ['forward to the end', { first: 10 }, nextPage],
    ['backward to the beginning', { last: 10 }, previousPage],
  ] as const)('pages %s', async (_, variables, next) => {
    const lists = await loadPages(client, allPorts, variables, ({ Port }) => Port, next)
    expect(lists.map(({ edges }) => edges.length)).toEqual([10, 20, 25])
    expect(lists.at(-1)).toEqual(wholeList(lists[2] as PortPage, ports))
  })

  test('pages through the rows that refer to another', async () => {
    const variables = { tenant: firstTenant.GlobalId, first: 5 }
    const pageOf = ({ customNode }: PortsOfTenant) => customNode.portCollection
    const lists = await loadPages(client, portsOfTenant, variables, pageOf, nextPage)
    expect(lists.map(({ edges }) => edges.length)).toEqual([5, 10, 13])
    expect(lists.at(-1)).toEqual(wholeList(lists[2] as PortPage, portsOfFirstTenant))
  })

  test('keeps a row once, whichever query and interface it came by', async () => {
    const id = firstPort.GlobalId
    const { data } = await client.query(anyRow, { id }).toPromise()
    expect(data).toEqual({
      node: { GlobalId: id, name: firstPort.name },
      customNode: { GlobalId: id, id: firstPort.id, tenant: firstTenant },
    })
    const fromCache = await client.query(wholePort, { id }, { requestPolicy: 'cache-only' }).toPromise()
    expect(fromCache.data).toEqual({ node: firstPort })
  })

  test('gives the error of a field with its code', async () => {
    const { error } = await client.query(wrongFilter, {}).toPromise()
    expect(error).toBeInstanceOf(CombinedError)
    expect(error?.graphQLErrors).toEqual([
      {
        message: 'filters[0] names the unknown field "colour".',
        locations: [{ line: 2, column: 3 }],
        path: ['Port'],
        extensions: { code: 'PARAMETER_INVALID' },
      },
    ])
  })

  test('gives the refusal of a caller without a token', async () => {
    const { error } = await connectUrql(running.url, '').query(allPorts, {}).toPromise()
    expect(error).toBeInstanceOf(CombinedError)
    const status = (error?.response as Response | undefined)?.status
    expect({ message: error?.message, status }).toEqual({ message: '[Network] Unauthorized', status: 401 })
  })
})
