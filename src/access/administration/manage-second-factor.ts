/**
 * The second factor of an account: its owner sets it up, activates it with a right code and turns it off, whatever the
 * roles allow; administrators remove it for a person who has lost the authenticator app and the recovery codes.
 */
import * as v from 'valibot'
import type { Connection } from '../../database/driver.ts'
import { strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { AccessParts } from '../access-parts.ts'
import { confirmPassword } from '../authentication/logon.ts'
import { checkCode } from '../authentication/second-factor/check-code.ts'
import { oneTimeSecretUri } from '../authentication/second-factor/one-time-password.ts'
import {
  activateSecondFactor,
  newSecondFactor,
  putRecoveryCodes,
} from '../authentication/second-factor/set-up.ts'
import { requireMayAct } from '../authorization/rights.ts'
import type { Actor } from '../caller.ts'
import { normalizeName } from '../name.ts'
import { showTimestamp } from '../show-timestamp.ts'
import { changeWithAudit, missingRecord } from './audited-change.ts'
import type { CountOwnChange, OwnActor } from './own-change-limit.ts'

/** A second factor as it is shown: without any secret. */
interface ShownSecondFactor {
  readonly active: boolean
  /** When it was set up; null if it is not active. */
  readonly created: string | null
  /** How many recovery codes are left. */
  readonly recovery_codes: number
}

/** What an authenticator app needs: to be shown once. */
interface NewSecondFactor {
  readonly secret: string
  /** The same as an address, for a QR code. */
  readonly uri: string
}

/** Recovery codes: to be shown once. */
interface NewRecoveryCodes {
  readonly recovery_codes: readonly string[]
}

/**
 * Documents come unvalidated from clients. Changes of one's own throw PASSWORD_WRONG, CODE_WRONG, SECOND_FACTOR_STATE,
 * LOGON_THROTTLED after too many wrong ones, and TOO_MANY_REQUESTS.
 */
export interface SecondFactorManagement {
  find(actor: OwnActor): Promise<ShownSecondFactor>
  /** A new secret, by the password. It is not asked for before it is active. */
  setUp(document: unknown, actor: OwnActor): Promise<NewSecondFactor>
  /** Activates it, by a code of the authenticator app. */
  activate(document: unknown, actor: OwnActor): Promise<NewRecoveryCodes>
  /** Replaces the recovery codes, by password and code. */
  renewRecoveryCodes(document: unknown, actor: OwnActor): Promise<NewRecoveryCodes>
  /** Turns it off, by password and code. */
  turnOff(document: unknown, actor: OwnActor): Promise<void>
  /** Uses up a code of an active one, for another change. */
  checkOwnCode(actor: OwnActor, code: string): Promise<void>
  /** Removes that of any account. Throws RECORD_NOT_FOUND, RIGHTS_NOT_HELD. */
  remove(username: string, actor: Actor): Promise<void>
}

const password = v.string()
const code = v.pipe(v.string(), v.maxLength(100))
export const setUpSchema = strictObject({ password })
export const activationSchema = strictObject({ code })
export const confirmationSchema = strictObject({ password, code })

/** The management of second factors. */
export function createSecondFactorManagement(
  parts: AccessParts,
  countChange: CountOwnChange,
): SecondFactorManagement {
  const { store } = parts
  const { secondFactors } = store

  const change = <Answer>(
    actor: Actor,
    name: string,
    detail: string,
    work: (connection: Connection) => Promise<Answer>,
  ) =>
    changeWithAudit(parts, actor, async (connection) => ({
      record: 'account' as const,
      action: 'changed' as const,
      name,
      detail: `second factor: ${detail}`,
      answer: await work(connection),
    }))

  /** Password and code; the code is used up, or counted as wrong, whatever follows. */
  async function confirm(document: unknown, actor: OwnActor): Promise<void> {
    const entered = parseDocument(confirmationSchema, document)
    countChange(actor)
    await confirmPassword(parts, actor, entered.password)
    await checkOwnCode(actor, entered.code)
  }

  async function checkOwnCode({ account: username }: OwnActor, entered: string): Promise<void> {
    const isRight = await store.transaction(async (connection) => {
      const factor = await secondFactors.findLocked(connection, username)
      if (factor === undefined || !factor.active) throw notActive()
      return checkCode(parts, connection, { username, code: entered, canWrite: true })
    })
    if (!isRight) throw wrongCode()
  }

  return {
    async find({ account: username }) {
      return store.read(async (connection) => {
        const factor = await secondFactors.find(connection, username)
        if (factor === undefined || !factor.active) return { active: false, created: null, recovery_codes: 0 }
        const recovery_codes = await secondFactors.countRecoveryCodes(connection, username)
        return { active: true, created: showTimestamp(new Date(factor.createdAt)), recovery_codes }
      })
    },

    async setUp(document, actor) {
      const entered = parseDocument(setUpSchema, document)
      const { account: username } = actor
      countChange(actor)
      await confirmPassword(parts, actor, entered.password)
      return change(actor, username, 'set up', async (connection) => {
        await store.accounts.lock(connection, username, 'exclusive')
        const before = await secondFactors.findLocked(connection, username)
        if (before?.active) throw alreadyActive()
        const factor = newSecondFactor(parts, username)
        await secondFactors.put(connection, factor)
        const { secret } = factor
        return { secret, uri: oneTimeSecretUri(secret, username) }
      })
    },

    async activate(document, actor) {
      const entered = parseDocument(activationSchema, document)
      const { account: username } = actor
      countChange(actor)
      return change(actor, username, 'activated', async (connection) => {
        const factor = await secondFactors.findLocked(connection, username)
        if (factor === undefined) throw notSetUp()
        if (factor.active) throw alreadyActive()
        const recovery_codes = await activateSecondFactor(parts, connection, factor, entered.code)
        if (recovery_codes === undefined) throw wrongCode()
        return { recovery_codes }
      })
    },

    async renewRecoveryCodes(document, actor) {
      await confirm(document, actor)
      const { account: username } = actor
      return change(actor, username, 'new recovery codes', async (connection) => ({
        recovery_codes: await putRecoveryCodes(parts, connection, username),
      }))
    },

    async turnOff(document, actor) {
      await confirm(document, actor)
      const { account: username } = actor
      await change(actor, username, 'turned off', (connection) => secondFactors.remove(connection, username))
    },

    checkOwnCode,

    async remove(givenName, actor) {
      const username = normalizeName(givenName)
      await change(actor, username, 'removed', async (connection) => {
        const account = await store.accounts.find(connection, username)
        if (account === undefined) throw missingRecord('account', username)
        await requireMayAct(parts, connection, actor, account)
        const isRemoved = await secondFactors.remove(connection, username)
        if (isRemoved) return
        throw new AppError('RECORD_NOT_FOUND', { detail: `The account "${username}" has no second factor.` })
      })
    },
  }
}

function wrongCode(): AppError {
  const detail =
    'This is not the code that the authenticator app shows, or it was used before. Wait for the next one.'
  return new AppError('CODE_WRONG', { detail, mistakes: [{ pointer: '/code', detail }] })
}

function alreadyActive(): AppError {
  return new AppError('SECOND_FACTOR_STATE', {
    detail: 'The account has a second factor already. Turn it off first.',
  })
}

function notSetUp(): AppError {
  return new AppError('SECOND_FACTOR_STATE', {
    detail: 'No second factor was set up. Send the password to POST /whoami/second-factor first.',
  })
}

function notActive(): AppError {
  return new AppError('SECOND_FACTOR_STATE', { detail: 'The account has no second factor.' })
}
