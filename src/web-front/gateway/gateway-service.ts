/**
 * The gateway, as the web front uses it with its own account: to log people in, and to get tokens for those who logged in
 * elsewhere.
 */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { AppError } from '../../errors/app-error.ts'
import type { AccountGrants } from '../../util/claim-rules.ts'
import { loginFailure } from '../login/login-failures.ts'
import { parseResponse } from '../parse-response.ts'
import { changesFor, withUsualRole } from './account-grants.ts'
import { accepted, mistakenRoles } from './account-refusal.ts'
import {
  describe,
  describeToken,
  documentOf,
  type GatewayClient,
  type GatewayCredentials,
  type GatewayResponse,
  type GatewayToken,
  isRefusal,
} from './gateway-client.ts'
import { createOwnAccount } from './own-account.ts'
import { type OwnAccountWork, ownAccountCalls, ownAccountRoles } from './own-account-calls.ts'

export interface GatewayServiceSettings extends OwnAccountWork {
  readonly address: string
  /** Those of the web front's own account; called whenever it logs on. */
  readonly credentials: () => Promise<GatewayCredentials>
}

/** What a person has entered into a form, and what identifies the client. */
interface EnteredLogon {
  readonly username: string
  /** Or `challenge`, which an earlier answer gave for it, with the code of the second factor. */
  readonly password?: string
  readonly challenge?: string
  readonly code?: string
  /** If one was entered. */
  readonly api_key?: string
  /** Network address. */
  readonly address: string
  /** Proofs that accounts have logged in with this browser before. */
  readonly browsers: readonly string[]
}

/** What an authenticator has answered, and what identifies the client. */
interface EnteredPasskey extends Pick<EnteredLogon, 'address' | 'browsers'> {
  readonly passkey: unknown
}

/** What is wrong with the web front's own account, or with the roles that it is to give. */
export interface OwnAccountProblem {
  readonly concerns: 'account' | 'roles'
  readonly sentence: string
}

/** A logon that is right. */
interface CheckedLogon {
  readonly token: GatewayToken
  /** Proves that the browser has logged in with the account. */
  readonly browser: string
  /** If a second factor was set up with it: to be shown once. */
  readonly recoveryCodes?: readonly string[]
}

/** What replaces the password in the call with the code. With a secret, the second factor is to be set up first. */
interface LogonChallenge {
  readonly challenge: string
  /** For an authenticator app, in Base32. */
  readonly secret?: string
  /** The same as an address, for a QR code. */
  readonly uri?: string
}

/** Why a logon was refused: a sentence for the person. */
interface RefusedLogon {
  readonly refusal: string
}

/** Gets tokens of the gateway. */
export interface GatewayService {
  /**
   * A token for an account; with the proof of an earlier login, only while the account has the same password or one of the
   * session's tokens is still valid, as after a change of the password in that session, which gives a new proof. With an
   * id, only if the account has not been created again. A login comes with grants: it creates the account if that is
   * configured, and gives it the roles and metadata that claims decide about. A renewal never does, so that a deleted
   * account stays deleted. Throws LOGIN_REFUSED if it does not exist, has expired or is disabled, or may not have its
   * roles; LOGIN_UNAVAILABLE if the gateway fails.
   */
  tokenFor(
    account: {
      readonly username: string
      readonly browser?: string
      readonly id?: string
      readonly tokens: readonly string[]
    },
    grants?: AccountGrants,
  ): Promise<GatewayToken & { readonly browser?: string }>
  /**
   * A token for the account whose username and password were entered, and a proof for the browser to keep; or what the
   * code of its second factor needs; or a sentence that says that the account needs its passkey. Undefined if they are wrong;
   * throws LOGON_THROTTLED after too many failures.
   */
  checkLogon(entered: EnteredLogon): Promise<CheckedLogon | LogonChallenge | RefusedLogon | undefined>
  /**
   * A token for the account of a passkey, and a proof for the browser to keep; or a sentence that says why it was refused.
   * Throws LOGON_THROTTLED after too many failures.
   */
  checkPasskey(entered: EnteredPasskey): Promise<CheckedLogon | RefusedLogon>
  /** What keeps people from logging in; undefined if nothing does. */
  check(): Promise<OwnAccountProblem | undefined>
}

const tokenAnswer = v.object({ browser: v.optional(v.string()) })
const checkAnswer = v.object({ browser: v.string(), recovery_codes: v.optional(v.array(v.string())) })
const passkeyRefusal = v.object({ code: v.literal('PASSKEY_REFUSED'), detail: v.string() })
const passkeyNeeded = v.object({ code: v.literal('PASSKEY_NEEDED'), detail: v.string() })
const challengeAnswer = v.variant('code', [
  v.object({ code: v.literal('SECOND_FACTOR_NEEDED'), challenge: v.string() }),
  v.object({
    code: v.literal('SECOND_FACTOR_REQUIRED'),
    challenge: v.string(),
    secret: v.string(),
    uri: v.string(),
  }),
])

/** The service of a gateway. It logs on when necessary. */
export function createGatewayService(
  settings: GatewayServiceSettings,
  client: GatewayClient,
): GatewayService {
  const { address, roleOfNewAccounts } = settings
  const own = createOwnAccount(settings, client)
  const { call } = own

  async function createAccount(username: string, { roles = [], metadata }: AccountGrants): Promise<void> {
    // No one knows the password: the account is only for logins through the web front.
    const password = randomBytes(32).toString('base64url')
    const body = { username, password, role: roles, ...(metadata === undefined ? {} : { metadata }) }
    const answer = await call('POST', '/manage/accounts', body)
    if (answer.status !== 409) documentOf(accepted(answer))
  }

  /** Gives an account what claims decide about. If that fails, the new token ends. */
  async function withGrants(token: GatewayToken, grants: AccountGrants): Promise<GatewayToken> {
    const changes = changesFor(token, grants)
    if (Object.keys(changes).length === 0) return token
    try {
      const path = `/manage/accounts/${encodeURIComponent(token.username)}`
      documentOf(accepted(await call('PATCH', path, changes)))
      return await describeToken(address, token)
    } catch (error) {
      await client.logOff(token.token).catch(() => undefined)
      throw error
    }
  }

  return {
    async tokenFor({ username, tokens, browser, ...id }, entering) {
      const grants = entering === undefined ? undefined : withUsualRole(entering, roleOfNewAccounts)
      const body = { account: username, ...id, ...(browser === undefined ? {} : { browser }) }
      let answer = await call('POST', '/manage/tokens', body)
      if (answer.status === 422 && browser !== undefined && tokens.length > 0) {
        answer = await call('POST', '/manage/tokens', { account: username, ...id, tokens })
      }
      if (answer.status === 404 && grants?.roles !== undefined) {
        await createAccount(username, grants)
        answer = await call('POST', '/manage/tokens', body)
      }
      if (answer.status === 404 || answer.status === 422) {
        throw loginFailure('noAccount', { named: `Its name would be ${JSON.stringify(username)}.` })
      }
      const document = documentOf(accepted(answer))
      const renewed = parseResponse(tokenAnswer, document).browser ?? browser
      const token = await describe(address, document)
      // The usual role is only for new accounts.
      const given = entering?.roles === undefined ? entering : grants
      const current = given === undefined ? token : await withGrants(token, given)
      return renewed === undefined ? current : { ...current, browser: renewed }
    },

    async checkLogon(entered) {
      const answer = await call('POST', '/manage/logon-checks', entered)
      const asked = v.safeParse(challengeAnswer, answer.document)
      if (asked.success) {
        const { code: _, ...challenge } = asked.output
        return challenge
      }
      const needed = v.safeParse(passkeyNeeded, answer.document)
      if (needed.success) return { refusal: needed.output.detail }
      return isRefusal(answer) ? undefined : checkedLogon(answer)
    },

    async checkPasskey(entered) {
      const answer = await call('POST', '/manage/logon-checks', entered)
      // Passkeys may be turned off, and what was sent may be nothing that the gateway reads.
      if ([400, 404, 413].includes(answer.status) || isRefusal(answer)) {
        const told = v.safeParse(passkeyRefusal, answer.document)
        return { refusal: told.success ? told.output.detail : 'The passkey was not accepted.' }
      }
      return checkedLogon(answer)
    },

    async check() {
      try {
        // An empty document creates nothing, and no account has this name.
        for (const { method, path } of ownAccountCalls(settings)) {
          await call(method, path.replace('[^/]+', 'no-such-account'), {})
        }
        const sentence = await wrongRoles()
        return sentence === undefined ? undefined : { concerns: 'roles', sentence }
      } catch (error) {
        return { concerns: 'account', sentence: reasonOf(error, address) }
      }
    },
  }

  async function checkedLogon(answer: GatewayResponse): Promise<CheckedLogon> {
    const document = documentOf(answer)
    const { browser, recovery_codes: recoveryCodes } = parseResponse(checkAnswer, document)
    const token = await describe(address, document)
    return { token, browser, ...(recoveryCodes === undefined ? {} : { recoveryCodes }) }
  }

  /** The gateway checks roles before it finds that the name is taken, so nothing is created. */
  async function wrongRoles(): Promise<string | undefined> {
    const roles = ownAccountRoles(settings)
    if (roles.length === 0) return undefined
    const { username } = await own.credentials()
    const password = randomBytes(32).toString('base64url')
    const { status, document } = await call('POST', '/manage/accounts', { username, password, role: roles })
    const names = mistakenRoles(document, roles)
      .map((name) => JSON.stringify(name))
      .join(', ')
    if (status === 422 && names !== '') {
      return `No one can log in with the role ${names}: it does not exist at the gateway. Create it there, or correct gateway.role and account.roles.`
    }
    if (status === 403) {
      return `No one can log in with the role ${names || roles.join(', ')}: the role of the web front’s own account does not list it in “gives”. Add it there.`
    }
    return undefined
  }
}

function reasonOf(error: unknown, address: string): string {
  const reason = error instanceof AppError && error.cause instanceof Error ? error.cause : error
  if (!(reason instanceof TypeError)) return reason instanceof Error ? reason.message : String(reason)
  // What `fetch` throws says only that it failed.
  const { cause } = reason
  const why = cause instanceof Error ? cause.message : reason.message
  return `The gateway at ${address} cannot be reached (${why}), so its roles were not checked.`
}
