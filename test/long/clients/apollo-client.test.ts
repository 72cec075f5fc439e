import {
  type ApolloClient,
  CombinedGraphQLErrors,
  gql,
  ServerError,
  type TypedDocumentNode,
} from '@apollo/client'
import { filter, firstValueFrom, map } from 'rxjs'
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
import { connectApollo } from './settings/apollo-client.ts'

const allPorts: TypedDocumentNode<{ Port: PortPage }, Variables> = gql(allPortsDocument)
const portsOfTenant: TypedDocumentNode<PortsOfTenant, Variables> = gql(portsOfTenantDocument)
const anyRow: TypedDocumentNode<unknown, Variables> = gql(anyRowDocument)
const wrongFilter = gql(wrongFilterDocument)

/** Loads page after page with `fetchMore`, each when the one before is shown; gives the list after each. */
async function loadPages<Data>(
  client: ApolloClient,
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  pageOf: (data: Data) => PortPage,
  nextVariables: (page: PortPage) => Variables | undefined,
): Promise<readonly PortPage[]> {
  const list = client.watchQuery<Data, Variables>({ query, variables })
  const shown = list.pipe(
    filter(({ loading }) => !loading),
    map(({ data }) => pageOf(data as Data)),
  )
  const subscription = shown.subscribe()
  let loaded = await firstValueFrom(shown)
  const lists = [loaded]
  for (let next = nextVariables(loaded); next !== undefined; next = nextVariables(loaded)) {
    const before = loaded.edges.length
    await list.fetchMore({ variables: next })
    loaded = await firstValueFrom(shown.pipe(filter(({ edges }) => edges.length > before)))
    lists.push(loaded)
  }
  subscription.unsubscribe()
  return lists.map(withoutTypeNames)
}

/** The same without the `__typename`s that the client adds. */
function withoutTypeNames<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (key === '__typename' ? undefined : inner)),
  ) as Value
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe.each(products)('Apollo Client on $name', (product) => {
  let running: TestGateway
  let client: ApolloClient

  beforeAll(async () => {
    running = await startTestGateway(product, createTenantsAndPorts)
  })
  beforeEach(() => {
    client = connectApollo(running.url, running.token)
  })
  afterAll(() => running.close())

  test('takes variables, and keeps lists of different filters apart', async () => {
    const named = async (val: string) => {
      const variables = { filters: [{ key: 'name', op: '==', val }], first: 1 }
      const { data } = await client.query({ query: allPorts, variables })
      return withoutTypeNames(data?.Port.edges.map(({ node }) => node))
    }
    expect([await named('uplink-3'), await named('uplink-4')]).toEqual([[ports[2]], [ports[3]]])
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
    const tenant = { __typename: 'Tenant_', ...firstTenant }
    const { data } = await client.query({ query: anyRow, variables: { id } })
    expect(data).toEqual({
      node: { __typename: 'Port_', GlobalId: id, name: firstPort.name },
      customNode: { __typename: 'Port_', GlobalId: id, id: firstPort.id, tenant },
    })
    expect(client.cache.extract()).toEqual({
      ROOT_QUERY: {
        __typename: 'Query',
        [`node({"GlobalId":"${id}"})`]: { __ref: id },
        [`customNode({"GlobalId":"${id}"})`]: { __ref: id },
      },
      [id]: { __typename: 'Port_', ...firstPort, tenant: { __ref: firstTenant.GlobalId } },
      [firstTenant.GlobalId]: tenant,
    })
  })

  test('gives the error of a field with its code', async () => {
    const error = await failureOf(client.query({ query: wrongFilter }))
    expect(CombinedGraphQLErrors.is(error) && { errors: error.errors, data: error.data }).toEqual({
      errors: [
        {
          message: 'filters[0] names the unknown field "colour".',
          locations: [{ line: 2, column: 3 }],
          path: ['Port'],
          extensions: { code: 'PARAMETER_INVALID' },
        },
      ],
      data: { Port: null },
    })
  })

  test('gives the refusal of a caller without a token', async () => {
    const error = await failureOf(connectApollo(running.url, '').query({ query: allPorts }))
    expect(ServerError.is(error) && [error.statusCode, JSON.parse(error.bodyText)]).toMatchObject([
      401,
      { status: 401, code: 'TOKEN_MISSING' },
    ])
  })
})
