import { Refusal } from '../../../browser/refusal.ts'
import { callGateway } from '../api/gateway.ts'

/** What GraphiQL hands over for one run. */
interface RunOptions {
  readonly headers?: Readonly<Record<string, string>>
}

/** Runs an operation for GraphiQL. Gives its whole result; a refusal becomes an entry of `errors`. */
export async function runOperation(operation: unknown, { headers = {} }: RunOptions = {}): Promise<unknown> {
  try {
    const response = await callGateway('/graphql', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(operation),
    })
    return await response.json()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // A request that cannot begin has a result, too.
    const result = await resultIn(error.response)
    return result ?? { errors: [{ message: error.message }] }
  }
}

async function resultIn(response: Response | undefined): Promise<unknown> {
  if (response === undefined || response.bodyUsed) return undefined
  try {
    return await response.json()
  } catch {
    return undefined
  }
}
