/** The gateway, as the web front uses it with an account of its own: to get tokens for those who logged in elsewhere. */
import { randomBytes } from 'node:crypto'
import { AppError } from '../../errors/app-error.ts'
import {
  callGateway,
  describe,
  documentOf,
  type GatewayClient,
  type GatewayCredentials,
  type GatewayToken,
} from './gateway-client.ts'

export interface GatewayServiceSettings {
  readonly address: string
  /** Those of the web front's own account; asked for whenever it logs on. */
  readonly credentials: () => Promise<GatewayCredentials>
  /** Role of accounts that are made at their first log-in; without one none are made. */
  readonly roleOfNewAccounts?: string
}

/** Gives out tokens of the gateway. */
export interface GatewayService {
  /**
   * A token for an account; the account is made where that is wanted. Throws LOGIN_REFUSED when it is not
   * there or has ended, LOGIN_UNAVAILABLE when the gateway does not do its part.
   */
  tokenFor(username: string): Promise<GatewayToken>
  /** What keeps the web front's own account from its work, as a sentence; undefined when nothing does. */
  check(): Promise<string | undefined>
}

/** The service of a gateway. It logs on when it has to. */
export function createGatewayService(
  settings: GatewayServiceSettings,
  client: GatewayClient,
): GatewayService {
  const { address, credentials, roleOfNewAccounts } = settings
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
    const token = await client.logOn(own)
    if (token === undefined) {
      throw unavailable(
        `The gateway does not let the web front log on with its own account “${own.username}”.`,
      )
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

  /** A call with a token of our own; when that has ended, with a new one. */
  async function call(path: string, body: object) {
    const used = currentToken()
    const answer = await callGateway(address, 'POST', path, { headers: tokenHeader(await used), body })
    if (answer.status !== 401) return answer
    if (!isProblem(answer.document)) {
      throw unavailable(`The role of the web front’s own account does not allow POST ${path}.`)
    }
    if (ownToken === used) ownToken = undefined
    return callGateway(address, 'POST', path, { headers: tokenHeader(await currentToken()), body })
  }

  async function createAccount(username: string, role: string): Promise<void> {
    // Nobody knows the password: the account is only for log-ins through the web front.
    const password = randomBytes(32).toString('base64url')
    const { status, document } = await call('/manage/accounts', { username, password, role })
    if (status === 422)
      throw new AppError('LOGIN_REFUSED', { detail: 'The gateway does not take this account.' })
    if (status !== 409) documentOf(status, document)
  }

  return {
    async tokenFor(username) {
      const body = { account: username }
      let answer = await call('/manage/tokens', body)
      if (answer.status === 404 && roleOfNewAccounts !== undefined) {
        await createAccount(username, roleOfNewAccounts)
        answer = await call('/manage/tokens', body)
      }
      const { status, document } = answer
      if (status === 404 || status === 422) {
        throw new AppError('LOGIN_REFUSED', {
          detail: `There is no account for you at the gateway, or it has ended. Its name would be ${JSON.stringify(username)}.`,
        })
      }
      return describe(address, documentOf(status, document))
    },

    async check() {
      // Without anything in it, a document makes nothing.
      const paths = ['/manage/tokens', ...(roleOfNewAccounts === undefined ? [] : ['/manage/accounts'])]
      try {
        for (const path of paths) await call(path, {})
        return undefined
      } catch (error) {
        return reasonOf(error)
      }
    },
  }
}

function reasonOf(error: unknown): string {
  const reason = error instanceof AppError && error.cause instanceof Error ? error.cause : error
  return reason instanceof Error ? reason.message : String(reason)
}

function tokenHeader(token: string): Readonly<Record<string, string>> {
  return { 'x-xaas-auth-token': token }
}

/** A role that does not allow something is answered with an empty object; a token that has ended with a problem. */
function isProblem(document: unknown): boolean {
  return typeof document === 'object' && document !== null && 'code' in document
}

function unavailable(explanation: string): AppError {
  return new AppError('LOGIN_UNAVAILABLE', { cause: new Error(explanation) })
}
