/** Makes the call that a reader has put together. */
import { type Session, withToken } from '../logon/gateway.ts'
import type { Operation } from './openapi.ts'

/** What came back, for people. */
export interface CallAnswer {
  readonly status: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

const shownHeaders = [
  'location',
  'etag',
  'link',
  'x-total-count',
  'idempotent-replayed',
  'retry-after',
  'x-request-id',
]

/** The address of a call, with the values that were filled in. */
export function addressOf(operation: Operation, values: ReadonlyMap<string, string>): string {
  const filledIn = (name: string) => values.get(name) ?? ''
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(filledIn(name)),
  )
  const query = new URLSearchParams()
  for (const { name, in: place } of operation.parameters) {
    if (place === 'query' && filledIn(name) !== '') query.append(name, filledIn(name))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** Sends a call. Never throws: what went wrong is the answer. */
export async function sendCall(
  operation: Operation,
  values: ReadonlyMap<string, string>,
  { body, session }: { readonly body: string; readonly session: Session | undefined },
): Promise<CallAnswer> {
  try {
    const headers = session === undefined ? new Headers() : withToken(session.token)
    for (const { name, in: place } of operation.parameters) {
      const value = values.get(name) ?? ''
      if (place === 'header' && value !== '') headers.set(name, value)
    }
    if (operation.body !== undefined) headers.set('content-type', operation.body.mediaType)
    const response = await fetch(addressOf(operation, values).slice(1), {
      method: operation.method,
      headers,
      ...(operation.body !== undefined && { body }),
    })
    return {
      status: `${response.status} ${response.statusText}`.trim(),
      headers: shownHeaders.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value] as const]
      }),
      body: readable(await response.text()),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { status: 'No answer', headers: [], body: reason }
  }
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
