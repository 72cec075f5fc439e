import { LoginNeeded, TokenRefused } from './refusal.ts'
import { send } from './send.ts'
import type { Session } from './session.ts'

export interface ClientOptions {
  /** The header for tokens that the web front does not add itself; `Authorization` sends a bearer token. */
  readonly tokenHeader?: string
}

/** The web front and its backend. Everything that fails throws a `Refusal`. */
export interface Client {
  /** Reads the session of this browser anew. Throws `LoginNeeded` if no one is logged in. */
  session(): Promise<Session>
  /** The same, with a new access token. */
  refresh(): Promise<Session>
  /** Sends the browser to log in; it comes back to `returnTo`, by default the current address. */
  login(options?: {
    readonly provider?: string
    readonly returnTo?: string
    /** Who probably logs in: the provider, or the form, may fill in the name. */
    readonly loginHint?: string
  }): void
  /** Ends the session of this browser, in all its tabs. */
  logout(): Promise<void>
  /**
   * Calls the backend at a path that starts with a slash, like `fetch`: with the token, with what protects against CSRF,
   * and once more with a new token if the first has ended. Throws a `Refusal` for a problem document and for each 401 of
   * Gatehouse; all other responses are the caller's.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/** A client of the web front that this page comes from. */
export function connect({ tokenHeader = 'X-Xaas-Auth-Token' }: ClientOptions = {}): Client {
  let known: Promise<Session> | undefined
  let renewing: Promise<Session> | undefined

  function read(query: string): Promise<Session> {
    const reading = readSession(query)
    known = reading
    reading.catch(() => {
      if (known === reading) known = undefined
    })
    return reading
  }

  /** Calls that are refused at the same time share one renewal. */
  function renew(refused: Session): Promise<Session> {
    const renewed = async () => {
      const current = await known
      const isNewer = current !== undefined && current.auth?.accessToken !== refused.auth?.accessToken
      return isNewer ? current : read('&refresh=true')
    }
    renewing ??= renewed().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  return {
    session: () => read(''),
    refresh: () => read('&refresh=true'),

    login({ provider, returnTo = location.pathname + location.search, loginHint } = {}) {
      const path = provider === undefined ? '/auth' : `/auth/${encodeURIComponent(provider)}`
      const hint = loginHint === undefined ? '' : `&login_hint=${encodeURIComponent(loginHint)}`
      location.assign(`${path}?returnTo=${encodeURIComponent(returnTo)}${hint}`)
    },

    async logout() {
      known = undefined
      await send(
        '/logout',
        { method: 'POST', headers: { 'x-requested-with': 'gatehouse' } },
        'POST on /logout',
      )
    },

    async fetch(path, init = {}) {
      const session = await (known ?? read(''))
      try {
        return await callBackend(session, path, init, tokenHeader)
      } catch (error) {
        if (error instanceof LoginNeeded) known = undefined
        // The gateway checks a token before it does anything: nothing happens twice.
        if (!(error instanceof TokenRefused) || init.body instanceof ReadableStream) throw error
        return callBackend(await renew(session), path, init, tokenHeader)
      }
    },
  }
}

async function readSession(query: string): Promise<Session> {
  // Without a login this is no error, of which browsers would tell in their console.
  const response = await send(`/session?optional=true${query}`, { cache: 'no-store' }, 'GET on /session')
  const read = (await response.json()) as Session | { readonly login: string }
  if ('login' in read) throw new LoginNeeded(read.login)
  return read
}

function callBackend(
  { backend, auth }: Session,
  path: string,
  init: RequestInit,
  tokenHeader: string,
): Promise<Response> {
  const address = addressOf(backend, path)
  const headers = new Headers(init.headers)
  const token = auth?.accessToken
  if (token !== undefined) {
    headers.set(tokenHeader, /^authorization$/i.test(tokenHeader) ? `Bearer ${token}` : token)
  }
  // Another origin checks the token alone, and would have to allow the header.
  if (address.origin === location.origin) headers.set('x-requested-with', 'gatehouse')
  const what = `${init.method ?? 'GET'} on ${path.replace(/[?#].*/, '')}`
  return send(address.href, { ...init, headers }, what)
}

/** Throws a `TypeError` for an address that is not below the backend: it must not get the token. */
function addressOf(backend: string, path: string): URL {
  const base = new URL(`${backend.replace(/\/+$/, '')}/`, location.origin)
  const address = new URL(base.href + path.slice(1))
  if (!path.startsWith('/') || !address.href.startsWith(base.href)) {
    throw new TypeError(`"${path}" is no path of the backend; it starts with a slash and stays below it.`)
  }
  return address
}
