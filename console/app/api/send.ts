/** Every request of the console goes through here. */
import { NoAnswer, type Refusal, refusalOf } from '../../../browser/refusal.ts'

/**
 * Sends a request to the origin that the console comes from, with what protects against CSRF. Throws a `Refusal` for a
 * problem document and if there is no response; all other responses are the caller's.
 */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const what = `${init.method ?? 'GET'} ${path}`
  let response: Response
  let refusal: Refusal | undefined
  try {
    response = await sendPlainly(path, init)
    refusal = await refusalOf(response, what)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new NoAnswer(`There was no response to ${what}.`)
  }
  if (refusal !== undefined) throw refusal
  return response
}

/** The same for those who show the response, whatever it is. Throws as `fetch` does. */
export function sendPlainly(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-requested-with', 'gatehouse')
  return fetch(path, { ...init, headers })
}
