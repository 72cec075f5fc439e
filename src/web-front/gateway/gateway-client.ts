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
  /** End of the account, ISO 8601. */
  readonly accountExpires: string | undefined
  readonly metadata: unknown
}

export interface GatewayClient {
  /**
   * Undefined when key, name or password is wrong. `address` is the network address of whoever shows them, where it is
   * not the web front itself.
   */
  logOn(credentials: GatewayCredentials, address?: string): Promise<GatewayToken | undefined>
  logOff(token: string): Promise<void>
}

const logonAnswer = v.object({
  'x-xaas-auth-token': v.string(),
  expire: v.string(),
  role: v.object({ name: v.string() }),
})
const callerAnswer = v.object({
  username: v.string(),
  account_expire: v.nullable(v.string()),
  metadata: v.unknown(),
})

/** A client of the gateway at an address. Its methods throw LOGIN_UNAVAILABLE when the gateway does not do its part. */
export function createGatewayClient(address: string): GatewayClient {
  async function logOn(
    { apiKey, username, password }: GatewayCredentials,
    forwardedFor?: string,
  ): Promise<GatewayToken | undefined> {
    const { status, document } = await callGateway(address, 'POST', '/logon', {
      headers: {
        'x-xaas-api-key': apiKey,
        ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      },
      body: { username, password },
    })
    if (status === 401 || status === 422) return undefined
    return describe(address, documentOf(status, document))
  }

  return {
    logOn,
    async logOff(token) {
      await callGateway(address, 'POST', '/logoff', { headers: { 'x-xaas-auth-token': token } })
    },
  }
}

/** What a logon answered, with what the gateway says of the account. */
export async function describe(address: string, document: unknown): Promise<GatewayToken> {
  const logon = readAnswer(logonAnswer, document)
  const token = logon['x-xaas-auth-token']
  const answer = await callGateway(address, 'GET', '/whoami', { headers: { 'x-xaas-auth-token': token } })
  const caller = readAnswer(callerAnswer, documentOf(answer.status, answer.document))
  return {
    token,
    expires: logon.expire,
    role: logon.role.name,
    username: caller.username,
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
): Promise<{ readonly status: number; readonly document: unknown }> {
  try {
    const { status, bytes } = await ask(address + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = new TextDecoder().decode(bytes)
    return { status, document: text === '' ? undefined : JSON.parse(text) }
  } catch (cause) {
    throw new AppError('LOGIN_UNAVAILABLE', { cause })
  }
}

/** The document of a call that must have gone well. */
export function documentOf(status: number, document: unknown): unknown {
  if (status >= 200 && status < 300) return document
  throw new AppError('LOGIN_UNAVAILABLE', { cause: new Error(`The gateway answered with status ${status}.`) })
}
