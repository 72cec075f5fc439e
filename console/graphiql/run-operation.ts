import { call, Refusal, type Session, withToken } from '../logon/gateway.ts'

/** Runs a GraphQL operation. Gives its result, errors included; throws a Refusal where it was not even read. */
export async function runOperation(
  operation: unknown,
  session: Session | undefined,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  let headers: Headers
  try {
    headers = new Headers(extraHeaders)
  } catch {
    throw new Refusal('The headers beside the query hold a name or a value that cannot be sent.')
  }
  return call(
    'POST',
    'graphql',
    session === undefined ? headers : withToken(session.token, headers),
    operation,
  )
}
