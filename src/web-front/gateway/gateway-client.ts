/** The web front's client of the gateway: over HTTP, like any client. */
import * as v from 'valibot'
import { AppError } from '../../errors/app-error.ts'
import { ask } from '../../http/outgoing.ts'
import { spokenWait } from '../../util/spoken-duration.ts'
import { parseResponse } from '../parse-response.ts'

/** The credentials of a person or of the web front itself. */
export interface GatewayCredentials {
  readonly apiKey: string
  readonly username: string
  readonly password: string
}

/** A token of the gateway, and its account. */
export interface GatewayToken {
  readonly token: string
  /** ISO 8601. */
  readonly expires: string
  /** The first of its roles. */
  readonly role: string
  /** All of them; absent if the gateway does not send them. */
  readonly roles: readonly string[] | undefined
  readonly username: string
  /** Changes if the account is created again; absent if the gateway does not send it. */
  readonly accountId: string | undefined
  /** Expiry of the account, ISO 8601. */
  readonly accountExpires: string | undefined
  readonly metadata: unknown
}

/** The gateway's response to a call. */
export interface GatewayResponse {
  readonly status: number
  readonly document: unknown
  /** Seconds. */
  readonly retryAfter: string | undefined
}

export interface GatewayClient {
  /**
   * Undefined if key, name or password is wrong; throws LOGON_THROTTLED after too many failures. `address` is the network
   * address of the person, if it is not the web front itself.
   */
  logOn(credentials: GatewayCredentials, address?: string): Promise<GatewayToken | undefined>
  logOff(token: string): Promise<void>
  /** What a page needs to ask for a passkey; no origins if the gateway takes none. */
  passkeyOptions(): Promise<object>
  /** Whether the gateway accepts a token: it has not ended, and its account exists and is not disabled. */
  takes(token: string): Promise<boolean>
  /** Whether the role of a token's account allows a call at the gateway; undefined if the token is not valid. */
  mayCall(token: string, method: string, path: string): Promise<boolean | undefined>
  /** Changes the password of a token's account; a sentence if the new one is not accepted. */
  changePassword(token: string, password: string, next: string): Promise<string | undefined>
  /** Ends tokens of the account that a token belongs to, by their hashes. */
  endOwnTokens(token: string, hashes: readonly string[]): Promise<void>
  /**
   * Ends tokens of any account, by their hashes. Throws ROLE_NOT_ALLOWED, or RIGHTS_NOT_HELD for an account with more
   * rights than that of the token.
   */
  endTokens(token: string, username: string, hashes: readonly string[]): Promise<void>
}

/** How many tokens one call ends. */
const endedAtOnce = 20

const logonResponse = v.object({
  'x-xaas-auth-token': v.string(),
  expire: v.string(),
})
const passkeyOptionsAnswer = v.object({
  origins: v.array(v.string()),
  options: v.optional(v.record(v.string(), v.unknown())),
})
const explanationAnswer = v.object({ allowed: v.boolean() })
const mistakesAnswer = v.object({ errors: v.array(v.object({ detail: v.string() })) })
const refusalAnswer = v.object({ detail: v.string() })
const callerAnswer = v.object({
  role: v.object({ name: v.string() }),
  roles: v.nullish(v.array(v.object({ name: v.string() }))),
  username: v.string(),
  id: v.nullish(v.string()),
  account_expire: v.nullable(v.string()),
  metadata: v.unknown(),
})

/** A client of the gateway at an address. Its methods throw LOGIN_UNAVAILABLE if the gateway fails. */
export function createGatewayClient(address: string): GatewayClient {
  async function logOn(
    { apiKey, username, password }: GatewayCredentials,
    forwardedFor?: string,
  ): Promise<GatewayToken | undefined> {
    const answer = await callGateway(address, 'POST', '/logon', {
      headers: {
        'x-xaas-api-key': apiKey,
        ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      },
      body: { username, password },
    })
    return isRefusal(answer) ? undefined : describe(address, documentOf(answer))
  }

  return {
    logOn,
    async logOff(token) {
      await callGateway(address, 'POST', '/logoff', { headers: { 'x-xaas-auth-token': token } })
    },
    async passkeyOptions() {
      const answer = await callGateway(address, 'GET', '/logon/passkey', { headers: {} })
      // An older gateway knows nothing of passkeys.
      if (answer.status === 404 || answer.status === 401) return { origins: [] }
      return parseResponse(passkeyOptionsAnswer, documentOf(answer))
    },
    async takes(token) {
      const headers = { 'x-xaas-auth-token': token }
      const answer = await callGateway(address, 'GET', '/whoami', { headers })
      if (answer.status !== 401) documentOf(answer)
      return answer.status !== 401
    },

    async mayCall(token, method, path) {
      const query = new URLSearchParams({ method, path })
      const headers = { 'x-xaas-auth-token': token }
      const answer = await callGateway(address, 'GET', `/whoami/explain-access?${query}`, { headers })
      if (answer.status === 401) return undefined
      return parseResponse(explanationAnswer, documentOf(answer)).allowed
    },

    async changePassword(token, password, next) {
      const headers = { 'x-xaas-auth-token': token }
      const body = { password, new_password: next }
      const answer = await callGateway(address, 'PATCH', '/whoami/password', { headers, body })
      if (answer.status !== 422) return void documentOf(answer)
      const { errors } = parseResponse(mistakesAnswer, answer.document)
      return errors.map(({ detail }) => detail).join(' ')
    },

    async endOwnTokens(token, hashes) {
      for (const hash of chunksOf(hashes)) {
        const headers = { 'x-xaas-auth-token': token }
        documentOf(await callGateway(address, 'DELETE', `/whoami/tokens?hash=${hash}`, { headers }))
      }
    },

    async endTokens(token, username, hashes) {
      for (const hash of chunksOf(hashes)) {
        const query = new URLSearchParams({ account: username, hash })
        const headers = { 'x-xaas-auth-token': token }
        const answer = await callGateway(address, 'DELETE', `/manage/tokens?${query}`, { headers })
        if (answer.status === 401) throw new AppError('ROLE_NOT_ALLOWED')
        if (answer.status === 403) {
          const { detail } = parseResponse(refusalAnswer, answer.document)
          throw new AppError('RIGHTS_NOT_HELD', { detail })
        }
        // An account that is gone has no tokens.
        if (answer.status !== 404) documentOf(answer)
      }
    },
  }
}

function chunksOf(hashes: readonly string[]): readonly string[] {
  return Array.from({ length: Math.ceil(hashes.length / endedAtOnce) }, (_, index) =>
    hashes.slice(index * endedAtOnce, (index + 1) * endedAtOnce).join(','),
  )
}

/** The result of a logon, with the gateway's data about the account. */
export async function describe(address: string, document: unknown): Promise<GatewayToken> {
  const { 'x-xaas-auth-token': token, expire } = parseResponse(logonResponse, document)
  return describeToken(address, { token, expires: expire })
}

/** A token, with the gateway's data about the account. */
export async function describeToken(
  address: string,
  { token, expires }: Pick<GatewayToken, 'token' | 'expires'>,
): Promise<GatewayToken> {
  const answer = await callGateway(address, 'GET', '/whoami', { headers: { 'x-xaas-auth-token': token } })
  const caller = parseResponse(callerAnswer, documentOf(answer))
  return {
    token,
    expires,
    role: caller.role.name,
    roles: caller.roles?.map(({ name }) => name),
    username: caller.username,
    accountId: caller.id ?? undefined,
    accountExpires: caller.account_expire ?? undefined,
    metadata: caller.metadata,
  }
}

/** One call of the gateway. Throws LOGIN_UNAVAILABLE if there is no meaningful response. */
export async function callGateway(
  address: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body?: object },
): Promise<GatewayResponse> {
  try {
    const {
      status,
      headers: answered,
      bytes,
    } = await ask(address + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = new TextDecoder().decode(bytes)
    return {
      status,
      document: text === '' ? undefined : JSON.parse(text),
      retryAfter: answered.get('retry-after') ?? undefined,
    }
  } catch (cause) {
    throw new AppError('LOGIN_UNAVAILABLE', { cause })
  }
}

/** Whether a logon was refused for wrong credentials. Throws LOGON_THROTTLED if they were not checked any more. */
export function isRefusal({ status, retryAfter = '60' }: GatewayResponse): boolean {
  if (status === 429) {
    throw new AppError('LOGON_THROTTLED', {
      detail: `Too many logins failed. Try again in ${spokenWait(Number(retryAfter))}.`,
      headers: { 'retry-after': retryAfter },
    })
  }
  return status === 401 || status === 422
}

/** The document of a call that must have succeeded. */
export function documentOf({ status, document }: GatewayResponse): unknown {
  if (status >= 200 && status < 300) return document
  throw new AppError('LOGIN_UNAVAILABLE', {
    cause: new Error(`The gateway responded with status ${status}.`),
  })
}
