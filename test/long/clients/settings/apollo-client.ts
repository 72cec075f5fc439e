import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'

const pageArguments = ['first', 'after', 'last', 'before']

/** Puts the pages of a list together: one list for each filter and order. */
const pages = relayStylePagination((args) =>
  Object.keys(args ?? {}).filter((name) => !pageArguments.includes(name)),
)

export function connectApollo(url: string, token: string): ApolloClient {
  return new ApolloClient({
    link: new HttpLink({ uri: `${url}/graphql`, headers: { 'X-Xaas-Auth-Token': token } }),
    cache: new InMemoryCache({
      dataIdFromObject: ({ GlobalId }) => (typeof GlobalId === 'string' ? GlobalId : undefined),
      possibleTypes: { CustomNode: ['Tenant_', 'Port_'], Node: ['Tenant_', 'Port_'] },
      typePolicies: {
        Query: { fields: { Tenant: pages, Port: pages } },
        Tenant_: { fields: { portCollection: pages } },
      },
    }),
  })
}
