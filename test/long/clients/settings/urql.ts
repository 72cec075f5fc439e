import { Client, fetchExchange } from '@urql/core'
import { cacheExchange, type Data } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'

const byGlobalId = ({ GlobalId }: Data) => (typeof GlobalId === 'string' ? GlobalId : null)

export function connectUrql(url: string, token: string): Client {
  return new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { 'X-Xaas-Auth-Token': token } },
    exchanges: [
      cacheExchange({
        possibleTypes: { CustomNode: ['Tenant_', 'Port_'], Node: ['Tenant_', 'Port_'] },
        keys: { Tenant_: byGlobalId, Port_: byGlobalId },
        resolvers: {
          Query: { Tenant: relayPagination(), Port: relayPagination() },
          Tenant_: { portCollection: relayPagination() },
        },
      }),
      fetchExchange,
    ],
  })
}
