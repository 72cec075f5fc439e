/** Apollo Client sends the hashes of stored documents. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { print } from '@apollo/client/utilities'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StoredDocuments } from '../../../src/graphql/stored-documents.ts'
import { products } from '../../support/products.ts'
import { createTenantsAndPorts } from '../../support/tenants-and-ports.ts'
import { startTestGateway, type TestGateway } from '../../support/test-gateway.ts'
import { persistedQueries } from './settings/persisted-queries.ts'

const stored = gql('query Ports($id: String) { Port(id: $id) { totalCount } }')
const other = gql('query Tenants { Tenant(first: 1) { edges { node { id } } } }')

describe.each(products.slice(0, 1))('Apollo Client on $name', (product) => {
  let running: TestGateway
  /** For each request, whether it had the document. */
  const sent: boolean[] = []

  const connect = () =>
    new ApolloClient({
      link: persistedQueries.concat(
        new HttpLink({
          uri: `${running.url}/graphql`,
          headers: { 'X-Xaas-Auth-Token': running.token },
          fetch: (address, options) => {
            sent.push('query' in JSON.parse(String(options?.body)))
            return fetch(address, options)
          },
        }),
      ),
      cache: new InMemoryCache(),
    })

  beforeAll(async () => {
    // As the tool that writes manifests does, with the `__typename`s that the client adds.
    const text = print(new InMemoryCache().transformDocument(stored))
    running = await startTestGateway(product, createTenantsAndPorts, {
      graphqlRequests: { documents: new StoredDocuments(new Map([['ports', text]])), onlyStored: true },
    })
  })
  afterAll(() => running.close())

  test('names a stored document by its hash, and sends any other when it is asked to', async () => {
    const client = connect()
    const { data } = await client.query({ query: stored, variables: { id: '1' } })
    expect([data, sent.splice(0)]).toEqual([
      { Port: { __typename: 'Port_Connection', totalCount: 1 } },
      [false],
    ])
    expect([(await client.query({ query: other })).data, sent.splice(0)]).toEqual([
      { Tenant: expect.objectContaining({ edges: [expect.anything()] }) },
      [false, true],
    ])
  })
})
