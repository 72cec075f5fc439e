/**
 * The gateway, as the web front uses it with an account of its own: to log people in, and to get tokens for those who
 * logged in elsewhere.
 */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { AppError } from '../../errors/app-error.ts'
import { readAnswer } from '../read-answer.ts'
import {
  callGateway,
  describe,
  documentOf,
  type GatewayAnswer,
  type GatewayClient,
  type GatewayCredentials,
  type GatewayToken,
  isRefusal,
} from './gateway-client.ts'
import { ownAccountPaths } from './own-account-paths.ts'

export interface GatewayServiceSettings {
  readonly address: string
  /** Those of the web front's own account; asked for whenever it logs on. */
  readonly credentials: () => Promise<GatewayCredentials>
  /** Role of accounts that are made at their first log-in; without one none are made. */
  readonly roleOfNewAccounts?: string
  /** Whether people log in with their username and password of the gateway. */
  readonly checksLogons: boolean
  /** Whether it makes tokens for those who have logged in. */
  readonly makesTokens: boolean
}

/** What somebody has entered into a form, and who that is as far as the web front can see. */
export interface EnteredLogon {
  readonly username: string
  readonly password: string
  /** Where one was entered. */
  readonly api_key?: string
  /** Network address. */
  readonly address: string
  /** Proofs that accounts have logged in with this browser before. */
  readonly browsers: readonly string[]
}

/** Gives out tokens of the gateway. */
export interface GatewayService {
  /**
   * A token for an account; with the proof of an earlier log-in, only while the account has the same password, and with an
   * id, only while it was not made again. At a log-in the account is made where that is wanted; afterwards never, so that one that was deleted stays away. Throws
   * LOGIN_REFUSED when it is not there, has ended or is disabled, LOGIN_UNAVAILABLE when the gateway does not do its part.
   */
  tokenFor(
    account: { readonly username: string; readonly browser?: string; readonly id?: string },
    isLogIn: boolean,
  ): Promise<GatewayToken>
  /**
   * A token for whoever has entered the username and password of an account, and a proof for the browser to keep.
   * Undefined when they are wrong; throws LOGON_THROTTLED after too many of that.
   */
  checkLogon(
    entered: EnteredLogon,
  ): Promise<{ readonly token: GatewayToken; readonly browser: string } | undefined>
  /** What keeps the web front's own account from its work, as a sentence; undefined when nothing does. */
  check(): Promise<string | undefined>
}

const checkAnswer = v.object({ browser: v.string() })

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
    const token = await client.logOn(own).catch(asUnavailable)
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
  async function call(path: string, body: object): Promise<GatewayAnswer> {
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
    // Nobody knows the password: the account is only for log-ins through the web front.
    const password = randomBytes(32).toString('base64url')
    const answer = await call('/manage/accounts', { username, password, role })
    if (answer.status === 403) throw notGiven()
    if (answer.status === 422)
      throw new AppError('LOGIN_REFUSED', { detail: 'The gateway does not take this account.' })
    if (answer.status !== 409) documentOf(answer)
  }

  return {
    async tokenFor({ username, ...proof }, isLogIn) {
      const body = { account: username, ...proof }
      let answer = await call('/manage/tokens', body)
      if (answer.status === 404 && isLogIn && roleOfNewAccounts !== undefined) {
        await createAccount(username, roleOfNewAccounts)
        answer = await call('/manage/tokens', body)
      }
      if (answer.status === 403) throw notGiven()
      if (answer.status === 404 || answer.status === 422) {
        throw new AppError('LOGIN_REFUSED', {
          detail: `There is no account for you at the gateway, or it has ended or is disabled. Its name would be ${JSON.stringify(username)}.`,
        })
      }
      return describe(address, documentOf(answer))
    },

    async checkLogon(entered) {
      const answer = await call('/manage/logon-checks', entered)
      if (isRefusal(answer)) return undefined
      const document = documentOf(answer)
      const { browser } = readAnswer(checkAnswer, document)
      return { token: await describe(address, document), browser }
    },

    async check() {
      // Without anything in it, a document makes nothing.
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
      'The web front may not log in accounts with your role. An administrator can name it in “gives” of the role of the web front’s own account at the gateway.',
  })
}

function reasonOf(error: unknown): string {
  const reason = error instanceof AppError && error.cause instanceof Error ? error.cause : error
  return reason instanceof Error ? reason.message : String(reason)
}

/** That the front itself has to wait is nothing that whoever logs in has done. */
function asUnavailable(cause: unknown): never {
  if (cause instanceof AppError && cause.code === 'LOGON_THROTTLED') {
    throw unavailable('Too many logons with the web front’s own account failed. It has to wait for a minute.')
  }
  throw cause
}

function tokenHeader(token: string): Readonly<Record<string, string>> {
  return { 'x-xaas-auth-token': token }
}

/** A role that does not allow something is answered with an empty object; a token that has ended with a problem. */
function codeOf(document: unknown): unknown {
  return typeof document === 'object' && document !== null && 'code' in document ? document.code : undefined
}

function unavailable(explanation: string): AppError {
  return new AppError('LOGIN_UNAVAILABLE', { cause: new Error(explanation) })
}
