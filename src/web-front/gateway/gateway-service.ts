/**
 * The gateway, as the web front uses it with its own account: to log people in, and to get tokens for those who logged in
 * elsewhere.
 */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { AppError } from '../../errors/app-error.ts'
import { parseResponse } from '../parse-response.ts'
import {
  callGateway,
  describe,
  documentOf,
  type GatewayClient,
  type GatewayCredentials,
  type GatewayResponse,
  type GatewayToken,
  isRefusal,
} from './gateway-client.ts'
import { type OwnAccountWork, ownAccountPaths } from './own-account-paths.ts'

export interface GatewayServiceSettings extends OwnAccountWork {
  readonly address: string
  /** Those of the web front's own account; called whenever it logs on. */
  readonly credentials: () => Promise<GatewayCredentials>
}

/** What a person has entered into a form, and what identifies the client. */
interface EnteredLogon {
  readonly username: string
  readonly password: string
  /** If one was entered. */
  readonly api_key?: string
  /** Network address. */
  readonly address: string
  /** Proofs that accounts have logged in with this browser before. */
  readonly browsers: readonly string[]
}

/** Gets tokens of the gateway. */
export interface GatewayService {
  /**
   * A token for an account; with the proof of an earlier login, only while the account has the same password or one of the
   * session's tokens is still valid, as after a change of the password in that session, which gives a new proof. With an
   * id, only if the account has not been created again. A login creates the account if that is configured; a renewal never does,
   * so that a deleted account stays deleted. Throws LOGIN_REFUSED if it does not exist, has expired or is disabled,
   * LOGIN_UNAVAILABLE if the gateway fails.
   */
  tokenFor(
    account: {
      readonly username: string
      readonly browser?: string
      readonly id?: string
      readonly tokens: readonly string[]
    },
    isLogIn: boolean,
  ): Promise<GatewayToken & { readonly browser?: string }>
  /**
   * A token for the account whose username and password were entered, and a proof for the browser to keep. Undefined if
   * they are wrong; throws LOGON_THROTTLED after too many failures.
   */
  checkLogon(
    entered: EnteredLogon,
  ): Promise<{ readonly token: GatewayToken; readonly browser: string } | undefined>
  /** What is wrong with the web front's own account, as a sentence; undefined if nothing is. */
  check(): Promise<string | undefined>
}

const tokenAnswer = v.object({ browser: v.optional(v.string()) })
const checkAnswer = v.object({ browser: v.string() })

/** The service of a gateway. It logs on when necessary. */
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
  async function call(path: string, body: object): Promise<GatewayResponse> {
    const used = currentToken()
    const answer = await callGateway(address, 'POST', path, { headers: tokenHeader(await used), body })
    if (answer.status !== 401 || codeOf(answer.document) === 'LOGON_REFUSED') return answer
    if (codeOf(answer.document) === undefined) {
      throw unavailable(`The role of the web front’s own account does not allow POST ${path}.`)
    }
    if (ownToken === used) ownToken = undefined
    return callGateway(address, 'POST', path, { headers: tokenHeader(await currentToken()), body })
  }

  async function createAccount(username: string, role: string): Promise<void> {
    // No one knows the password: the account is only for logins through the web front.
    const password = randomBytes(32).toString('base64url')
    const answer = await call('/manage/accounts', { username, password, role })
    if (answer.status === 403) throw notGiven()
    if (answer.status === 422)
      throw new AppError('LOGIN_REFUSED', { detail: 'The gateway does not accept this account.' })
    if (answer.status !== 409) documentOf(answer)
  }

  return {
    async tokenFor({ username, tokens, browser, ...id }, isLogIn) {
      const body = { account: username, ...id, ...(browser === undefined ? {} : { browser }) }
      let answer = await call('/manage/tokens', body)
      if (answer.status === 422 && browser !== undefined && tokens.length > 0) {
        answer = await call('/manage/tokens', { account: username, ...id, tokens })
      }
      if (answer.status === 404 && isLogIn && roleOfNewAccounts !== undefined) {
        await createAccount(username, roleOfNewAccounts)
        answer = await call('/manage/tokens', body)
      }
      if (answer.status === 403) throw notGiven()
      if (answer.status === 404 || answer.status === 422) {
        throw new AppError('LOGIN_REFUSED', {
          detail: `You have no account at the gateway, or it has expired or is disabled. Its name would be ${JSON.stringify(username)}.`,
        })
      }
      const document = documentOf(answer)
      const renewed = parseResponse(tokenAnswer, document).browser ?? browser
      const token = await describe(address, document)
      return renewed === undefined ? token : { ...token, browser: renewed }
    },

    async checkLogon(entered) {
      const answer = await call('/manage/logon-checks', entered)
      if (isRefusal(answer)) return undefined
      const document = documentOf(answer)
      const { browser } = parseResponse(checkAnswer, document)
      return { token: await describe(address, document), browser }
    },

    async check() {
      // An empty document creates nothing.
      try {
        for (const path of ownAccountPaths(settings)) await call(path, {})
        return undefined
      } catch (error) {
        return reasonOf(error)
      }
    },
  }
}

function notGiven(): AppError {
  return new AppError('LOGIN_REFUSED', {
    detail:
      'The web front may not log in accounts with your role. An administrator can add it to “gives” of the role of the web front’s own account at the gateway.',
  })
}

function reasonOf(error: unknown): string {
  const reason = error instanceof AppError && error.cause instanceof Error ? error.cause : error
  return reason instanceof Error ? reason.message : String(reason)
}

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
