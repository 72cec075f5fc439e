import { Environment, type GraphQLResponse, Network, RecordSource, Store } from 'relay-runtime'

export function connectRelay(url: string, token: string): Environment {
  return new Environment({
    getDataID: ({ GlobalId }) => GlobalId,
    store: new Store(new RecordSource()),
    network: Network.create(async ({ text }, variables) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Xaas-Auth-Token': token },
        body: JSON.stringify({ query: text, variables }),
      })
      if (!response.ok)
        throw new Error(`The gateway answered ${response.status}`, { cause: await response.json() })
      return (await response.json()) as GraphQLResponse
    }),
  })
}
