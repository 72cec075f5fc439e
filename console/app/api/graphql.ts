/** GraphQL over HTTP, for tables that only their names say something of. */
import { Refusal } from '../../../browser/refusal.ts'
import { callGateway } from './gateway.ts'

/** An entry of `errors` in a response of GraphQL. */
interface GraphqlError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: { readonly code?: string }
}

/** Runs an operation and gives its `data`. Throws a `Refusal` with the first message if there are `errors`. */
export async function runGraphql<Data>(
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<Data> {
  const response = await callGateway('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
    ...(signal === undefined ? {} : { signal }),
  })
  const { data, errors } = (await response.json()) as {
    readonly data?: Data
    readonly errors?: readonly GraphqlError[]
  }
  if (isNotEmpty(errors)) {
    const [{ message, extensions }] = errors
    const code = extensions?.code === undefined ? {} : { code: extensions.code }
    throw new Refusal(message, { ...code, errors: [], detail: message }, response)
  }
  return data as Data
}

function isNotEmpty<Item>(list: readonly Item[] | undefined): list is readonly [Item, ...Item[]] {
  return list !== undefined && list.length > 0
}
