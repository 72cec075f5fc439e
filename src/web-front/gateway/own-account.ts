/** The web front's own account at the gateway: it logs on when necessary. */
import { AppError } from '../../errors/app-error.ts'
import {
  callGateway,
  type GatewayClient,
  type GatewayCredentials,
  type GatewayResponse,
} from './gateway-client.ts'

/** Calls the gateway with the web front's own token. */
export interface OwnAccount {
  /** Throws LOGIN_UNAVAILABLE if they cannot be had. */
  credentials(): Promise<GatewayCredentials>
  /** The response to a call. Throws LOGIN_UNAVAILABLE if there is none, or the account may not make it. */
  call(method: 'POST' | 'PATCH', path: string, body: object): Promise<GatewayResponse>
}

/** The own account at the gateway of an address. */
export function createOwnAccount(
  {
    address,
    credentials,
  }: { readonly address: string; readonly credentials: () => Promise<GatewayCredentials> },
  client: GatewayClient,
): OwnAccount {
  let ownToken: Promise<string> | undefined

  async function ownCredentials(): Promise<GatewayCredentials> {
    try {
      return await credentials()
    } catch (cause) {
      throw new AppError('LOGIN_UNAVAILABLE', { cause })
    }
  }

  async function logOn(): Promise<string> {
    const own = await ownCredentials()
    const token = await client.logOn(own).catch(asUnavailable)
    if (token === undefined) {
      throw unavailable(`The gateway refused the logon of the web front’s own account “${own.username}”.`)
    }
    return token.token
  }

  function currentToken(): Promise<string> {
    ownToken ??= logOn().catch((error: unknown) => {
      ownToken = undefined
      throw error
    })
    return ownToken
  }

  /** A call with the web front's own token; if that has ended, with a new one. */
  async function call(method: 'POST' | 'PATCH', path: string, body: object): Promise<GatewayResponse> {
    const used = currentToken()
    const answer = await callGateway(address, method, path, { headers: tokenHeader(await used), body })
    if (answer.status !== 401 || checkCodes.includes(codeOf(answer.document))) return answer
    if (codeOf(answer.document) === undefined) {
      throw unavailable(`The role of the web front’s own account does not allow ${method} ${path}.`)
    }
    if (ownToken === used) ownToken = undefined
    return callGateway(address, method, path, { headers: tokenHeader(await currentToken()), body })
  }

  return { credentials: ownCredentials, call }
}

/** Codes of a 401 that is about the credentials in the call, not about the web front's own token. */
const checkCodes: readonly unknown[] = [
  'LOGON_REFUSED',
  'SECOND_FACTOR_NEEDED',
  'SECOND_FACTOR_REQUIRED',
  'PASSKEY_REFUSED',
  'PASSKEY_NEEDED',
]

/** That the web front itself is throttled is not the fault of the person who logs in. */
function asUnavailable(cause: unknown): never {
  if (cause instanceof AppError && cause.code === 'LOGON_THROTTLED') {
    throw unavailable('Too many logons with the web front’s own account failed. It has to wait for a minute.')
  }
  throw cause
}

function tokenHeader(token: string): Readonly<Record<string, string>> {
  return { 'x-xaas-auth-token': token }
}

/** If the role does not allow a call, the body is an empty object; if the token has ended, it is a problem document. */
function codeOf(document: unknown): unknown {
  return typeof document === 'object' && document !== null && 'code' in document ? document.code : undefined
}

function unavailable(explanation: string): AppError {
  return new AppError('LOGIN_UNAVAILABLE', { cause: new Error(explanation) })
}
