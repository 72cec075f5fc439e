import { NoAnswer, type Refusal, refusalOf } from './refusal.ts'

/** Sends a request; `what` is the call, for messages. Throws a `Refusal` as `Client.fetch` does. */
export async function send(address: string, init: RequestInit, what: string): Promise<Response> {
  let response: Response
  let refusal: Refusal | undefined
  try {
    response = await fetch(address, init)
    refusal = await refusalOf(response, what)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new NoAnswer(`There was no answer to ${what}. Is the server running, and reachable from here?`)
  }
  if (refusal !== undefined) throw refusal
  return response
}
