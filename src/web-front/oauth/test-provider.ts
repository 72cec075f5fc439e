/** Tries a login provider step by step, without a person. */
import * as oauth from 'openid-client'
import { AppError } from '../../errors/app-error.ts'
import { type LoginFailureCause, loginFailure } from '../login/login-failures.ts'
import { beginAuthorization } from './authorization-code.ts'
import { OauthClient } from './oauth-client.ts'
import type { OauthSettings } from './oauth-settings.ts'
import { printed } from './printed.ts'
import { codeRefusals, isClientRefusal, providerFailure } from './provider-failure.ts'
import { providerFetch } from './provider-fetch.ts'

/** One step, and what came of it. */
export interface ProviderCheck {
  readonly step: 'discovery' | 'keys' | 'authorization' | 'client'
  /** The request. */
  readonly asked: string
  /** `unknown` if only a login by a person can tell. */
  readonly result: 'ok' | 'failed' | 'unknown'
  /** What was answered; of a failed step also what to change. */
  readonly answer: string
}

/**
 * Asks everything of a provider that a login needs: its metadata and keys, whether it accepts the callback address, and
 * the credentials of the client. It logs no one in, and ends at the first step that the others need. Never throws.
 */
export async function testProvider(
  settings: OauthSettings,
  callback: string,
): Promise<readonly ProviderCheck[]> {
  const client = new OauthClient(settings)
  const { server } = settings
  if (server.kind === 'given')
    return [await authorization(client, callback), await credentials(client, callback)]
  const found = await checked(
    'discovery',
    `GET ${server.issuer}/.well-known/openid-configuration`,
    async () => {
      const { issuer } = await client.server()
      return ok(`The provider is ${issuer}.`)
    },
  )
  if (found.result !== 'ok') return [found]
  return [
    found,
    await keys(client),
    await authorization(client, callback),
    await credentials(client, callback),
  ]
}

type Finding = Pick<ProviderCheck, 'result' | 'answer'>

async function checked(
  step: ProviderCheck['step'],
  asked: string,
  work: () => Promise<Finding>,
): Promise<ProviderCheck> {
  try {
    return { step, asked, ...(await work()) }
  } catch (error) {
    return { step, asked, ...failed(error) }
  }
}

const ok = (answer: string): Finding => ({ result: 'ok', answer })
const unknown = (answer: string): Finding => ({ result: 'unknown', answer })

function failed(error: unknown): Finding {
  const cause = error instanceof AppError && error.cause instanceof Error ? error.cause : error
  return { result: 'failed', answer: cause instanceof Error ? cause.message : String(cause) }
}

async function keys(client: OauthClient): Promise<ProviderCheck> {
  const { jwks_uri: address = '' } = await client.server()
  return checked('keys', `GET ${address}`, async () => {
    const response = await providerFetch(address, { headers: { accept: 'application/json' } })
    const text = await response.text()
    const usable = response.status === 200 ? usableKeys(text) : 0
    if (usable > 0) return ok(`It has ${usable === 1 ? '1 key' : `${usable} keys`} for signatures.`)
    const found = `The response with status ${response.status} holds no key for signatures.`
    return failed(loginFailure('unverified', { found }))
  })
}

function usableKeys(text: string): number {
  try {
    const { keys: list }: { readonly keys?: unknown } = JSON.parse(text)
    const all: readonly { readonly kty?: unknown; readonly use?: unknown }[] = Array.isArray(list) ? list : []
    return all.filter(({ kty, use }) => kty !== 'oct' && use !== 'enc').length
  } catch {
    return 0
  }
}

/** With `prompt=none` an OpenID provider sends the browser back at once, if it knows the callback address. */
async function authorization(client: OauthClient, callback: string): Promise<ProviderCheck> {
  const { authorization_endpoint: address = '' } = await client.server()
  return checked('authorization', `GET ${address} with the callback address ${callback}`, async () => {
    const { url } = await beginAuthorization(client, { redirectUri: callback, state: 'provider-test' })
    const request = new URL(url)
    if (client.settings.server.kind === 'discovered') request.searchParams.set('prompt', 'none')
    const response = await providerFetch(request.href, { headers: { accept: 'text/html' } })
    const header = response.headers.get('location')
    const location = header === null ? null : URL.parse(header, address)
    if (location !== null) return readRedirect(location, callback)
    return readPage(response.status, await response.text())
  })
}

/** What providers say if no one is logged in there. */
const expectedErrors = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
  'access_denied',
]

function readRedirect(location: URL, callback: string): Finding {
  const code = location.searchParams.get('error')
  const description = location.searchParams.get('error_description')
  const said = `${code}${description === null ? '' : ` (“${printed(description)}”)`}`
  if (location.origin + location.pathname === callback) {
    if (code === null || expectedErrors.includes(code)) {
      return ok('It redirects back to the callback address, so that is registered.')
    }
    return refused(
      code === 'unauthorized_client' ? 'clientRefused' : 'requestRefused',
      `It answered ${said}.`,
    )
  }
  // Google puts the reason into a parameter, encoded.
  const hidden = Buffer.from(location.searchParams.get('authError') ?? '', 'base64').toString('latin1')
  if (hidden !== '' || /\/error(\/|$)/.test(location.pathname)) {
    return refused(
      causeIn(hidden),
      `It redirects to an error page (${printed(hidden) || location.pathname}).`,
    )
  }
  return unknown(
    'It asks the person to log in. Whether it knows the callback address shows only after that; compare the registered one.',
  )
}

function readPage(status: number, text: string): Finding {
  const words = printed(
    text.replace(/^.*<body[^>]*>/is, '').replaceAll(/<(script|style).*?<\/\1>|<[^>]+>/gis, ' '),
  )
  const reason = /redirect[ _]ur[il]|redirect_uri|callback url|AADSTS\d+|unknown client|invalid_client/i.exec(
    text,
  )
  if (status < 400 && reason === null) {
    return unknown('It shows a page. Whether it knows the callback address shows only in a browser.')
  }
  return refused(causeIn(reason?.[0] ?? text), `It shows a page with status ${status}: ${words}`)
}

function causeIn(text: string): LoginFailureCause {
  if (/redirect|callback|AADSTS50011/i.test(text)) return 'redirectRefused'
  if (/invalid_client|unknown client|AADSTS700016|client/i.test(text)) return 'clientRefused'
  return 'requestRefused'
}

function refused(cause: LoginFailureCause, found: string): Finding {
  return failed(loginFailure(cause, { found }))
}

/** A provider that accepts the client refuses the code. */
async function credentials(client: OauthClient, callback: string): Promise<ProviderCheck> {
  const { token_endpoint: address = '' } = await client.server()
  return checked('client', `POST ${address} with an invalid code`, async () => {
    try {
      const parameters = {
        code: 'gatehouse-provider-test',
        redirect_uri: callback,
        code_verifier: oauth.randomPKCECodeVerifier(),
      }
      await client.authenticated((configuration) =>
        oauth.genericGrantRequest(configuration, 'authorization_code', parameters),
      )
      return unknown('It accepted an invalid code.')
    } catch (error) {
      const isTold = error instanceof oauth.ResponseBodyError && !isClientRefusal(error)
      if (!isTold) throw providerFailure(error, 'login')
      const said = printed(error.error)
      if (codeRefusals.includes(error.error)) {
        return ok(`It refuses only the code (${said}), so it accepts the credentials of the client.`)
      }
      const { detail } = providerFailure(error, 'login')
      return error.error === 'redirect_uri_mismatch'
        ? failed(providerFailure(error, 'login'))
        : unknown(`It answered ${said}, which says nothing about the credentials. ${detail ?? ''}`.trim())
    }
  })
}
