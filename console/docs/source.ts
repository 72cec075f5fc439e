import { call, Refusal, type Session, withToken } from '../logon/gateway.ts'
import type { ApiSource } from '../openapi/apis-context.ts'

/** The most calls that one question may be about. */
const mostCalls = 200

/** The gateway that this page comes from. `onRefused` is called when the reader may not see the page, or no longer. */
export function sourceFor(session: Session | undefined, onRefused: (why: string) => void): ApiSource {
  const headers = () => (session === undefined ? new Headers() : withToken(session.token))
  let mayOpen: Promise<unknown> | undefined

  async function read(path: string): Promise<unknown> {
    try {
      // Who may not see the page is shown nothing of it.
      mayOpen ??= call('GET', 'docs', headers())
      await mayOpen
      return await call('GET', path.slice(1), headers())
    } catch (error) {
      if (isRefused(error, path)) onRefused(error.message)
      throw error
    }
  }

  async function allowed(calls: Parameters<ApiSource['allowed']>[0]): Promise<readonly boolean[]> {
    if (session === undefined) return calls.map(() => false)
    const found: boolean[] = []
    for (let start = 0; start < calls.length; start += mostCalls) {
      const document = { calls: calls.slice(start, start + mostCalls) }
      const answer = await call('POST', 'whoami/access', headers(), document)
      found.push(...(answer as Access).calls.map((one) => one.allowed))
    }
    return found
  }

  return {
    language: 'en',
    read,
    allowed,
    send({ method, path, headers: own, body = null }, signal) {
      const all = headers()
      for (const [name, value] of own) all.set(name, value)
      return fetch(path.slice(1), { method, headers: all, body, signal })
    },
    gatewayUrl: new URL('.', document.baseURI).href.replace(/\/$/, ''),
  }
}

interface Access {
  readonly calls: readonly { readonly allowed: boolean }[]
}

/** Whether the page can show nothing: the token has ended, or the role does not allow what it needs. */
function isRefused(error: unknown, path: string): error is Refusal {
  if (!(error instanceof Refusal)) return false
  return error.needsLogon || (error.status === 401 && path.startsWith('/openapi.json'))
}
