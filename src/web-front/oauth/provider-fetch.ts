/** Requests to a login provider: with limits on time and size, and without redirects. */
import { boundedFetch } from '../../http/outgoing.ts'
import { loginFailure } from '../login/login-failures.ts'

/** A `fetch` for requests to a provider. Throws LOGIN_UNAVAILABLE if the provider does not respond or fails. */
export async function providerFetch(url: string, init: unknown): Promise<Response> {
  const { origin, pathname } = new URL(url)
  const asked = `${origin}${pathname}`
  let response: Response
  try {
    response = await boundedFetch(url, init as RequestInit)
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    throw loginFailure(isLate ? 'silent' : 'unreachable', { found: `${asked}: ${reasonOf(error)}.`, error })
  }
  if (response.status >= 500 || response.status === 429) {
    throw loginFailure('failing', { found: `${asked} responded with status ${response.status}.` })
  }
  return (init as RequestInit).method === 'POST' ? withErrorInBody(response) : response
}

function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const message = inner instanceof Error ? inner.message : String(inner)
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : ''
  return (code === '' || message.includes(code) ? message : `${code} ${message}`).replace(/\.$/, '')
}

/**
 * A token endpoint's error, where the library looks for it: some providers send it with status 200, others with a
 * challenge that hides it.
 */
async function withErrorInBody(response: Response): Promise<Response> {
  const text = await response.clone().text()
  const isError = /json/i.test(response.headers.get('content-type') ?? '') && hasError(text)
  if (!isError) return response
  const headers = new Headers(response.headers)
  headers.delete('www-authenticate')
  return new Response(text, { status: response.status === 200 ? 400 : response.status, headers })
}

function hasError(text: string): boolean {
  try {
    const document: unknown = JSON.parse(text)
    return (
      typeof document === 'object' &&
      document !== null &&
      'error' in document &&
      typeof document.error === 'string'
    )
  } catch {
    return false
  }
}
