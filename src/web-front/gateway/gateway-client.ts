/** The gateway, as the web front uses it: over HTTP, like any client. */
import * as v from 'valibot'
import { AppError } from '../../errors/app-error.ts'
import { ask } from '../../http/outgoing.ts'
import { readAnswer } from '../read-answer.ts'

/** What somebody, or the web front itself, logs on with. */
export interface GatewayCredentials {
  readonly apiKey: string
  readonly username: string
  readonly password: string
}

/** A token of the gateway, and whose it is. */
export interface GatewayToken {
  readonly token: string
  /** ISO 8601. */
  readonly expires: string
  readonly role: string
  readonly username: string
  /** Another one where the account is made again; absent where the gateway does not say. */
  readonly accountId: string | undefined
  /** End of the account, ISO 8601. */
  readonly accountExpires: string | undefined
  readonly metadata: unknown
}

/** What the gateway answered to a call. */
export interface GatewayAnswer {
  readonly status: number
  readonly document: unknown
  /** Seconds. */
  readonly retryAfter: string | undefined
}

export interface GatewayClient {
  /**
   * Undefined when key, name or password is wrong; throws LOGON_THROTTLED after too many of that. `address` is the network
   * address of whoever shows them, where it is not the web front itself.
   */
  logOn(credentials: GatewayCredentials, address?: string): Promise<GatewayToken | undefined>
  logOff(token: string): Promise<void>
  /** Whether the gateway takes a token: it has not ended, and its account is there and not disabled. */
  takes(token: string): Promise<boolean>
}

const logonAnswer = v.object({
  'x-xaas-auth-token': v.string(),
  expire: v.string(),
  role: v.object({ name: v.string() }),
})
const callerAnswer = v.object({
  username: v.string(),
  id: v.nullish(v.string()),
  account_expire: v.nullable(v.string()),
  metadata: v.unknown(),
})

/** A client of the gateway at an address. Its methods throw LOGIN_UNAVAILABLE when the gateway does not do its part. */
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
    async takes(token) {
      const headers = { 'x-xaas-auth-token': token }
      const answer = await callGateway(address, 'GET', '/whoami', { headers })
      if (answer.status !== 401) documentOf(answer)
      return answer.status !== 401
    },
  }
}

/** What a logon answered, with what the gateway says of the account. */
export async function describe(address: string, document: unknown): Promise<GatewayToken> {
  const logon = readAnswer(logonAnswer, document)
  const token = logon['x-xaas-auth-token']
  const answer = await callGateway(address, 'GET', '/whoami', { headers: { 'x-xaas-auth-token': token } })
  const caller = readAnswer(callerAnswer, documentOf(answer))
  return {
    token,
    expires: logon.expire,
    role: logon.role.name,
    username: caller.username,
    accountId: caller.id ?? undefined,
    accountExpires: caller.account_expire ?? undefined,
    metadata: caller.metadata,
  }
}

/** One call of the gateway. Throws LOGIN_UNAVAILABLE when there is no answer that could be meant. */
export async function callGateway(
  address: string,
  method: string,
  path: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body?: object },
): Promise<GatewayAnswer> {
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

/** Whether a logon was refused for what was shown. Throws LOGON_THROTTLED when that was looked at no more. */
export function isRefusal({ status, retryAfter = '60' }: GatewayAnswer): boolean {
  if (status === 429) {
    throw new AppError('LOGON_THROTTLED', {
      detail: `Too many log-ins failed. Try again in ${retryAfter} seconds.`,
      headers: { 'retry-after': retryAfter },
    })
  }
  return status === 401 || status === 422
}

/** The document of a call that must have gone well. */
export function documentOf({ status, document }: GatewayAnswer): unknown {
  if (status >= 200 && status < 300) return document
  throw new AppError('LOGIN_UNAVAILABLE', { cause: new Error(`The gateway answered with status ${status}.`) })
}
