/**
 * The passkeys of an account: its owner registers, renames and removes them, whatever the roles allow; administrators see
 * and remove them.
 */
import * as v from 'valibot'
import type { Connection } from '../../database/driver.ts'
import { strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { AuditChanges } from '../../store/audit-store.ts'
import type { StoredPasskey } from '../../store/passkey-store.ts'
import type { AccessParts } from '../access-parts.ts'
import { confirmPassword } from '../authentication/logon.ts'
import { answerChallenge } from '../authentication/passkeys/challenges.ts'
import { requireRelyingParty } from '../authentication/passkeys/logon-options.ts'
import { passkeyIdOf, unlessAnswered } from '../authentication/passkeys/passkey-proof.ts'
import {
  creationOptions,
  invalidPasskey,
  isSameRegistrant,
  registrationEnded,
  verifyNewPasskey,
} from '../authentication/passkeys/registration.ts'
import { registrationSchema } from '../authentication/passkeys/verify.ts'
import { requireMayAct } from '../authorization/rights.ts'
import type { Actor } from '../caller.ts'
import { normalizeName } from '../name.ts'
import { showTimestamp } from '../show-timestamp.ts'
import { changeWithAudit, missingRecord } from './audited-change.ts'
import type { CountOwnChange, OwnActor } from './own-change-limit.ts'
import { passkeyNameSchema } from './passkey-name.ts'

/** A passkey as it is shown. */
interface ShownPasskey {
  readonly id: string
  readonly name: string
  readonly created: string
  /** Null if it was never used. */
  readonly last_used: string | null
  /** Whether it is kept outside the device, too, as by a password manager. */
  readonly backed_up: boolean
  /** How browsers reach the authenticator. */
  readonly transports: readonly string[]
}

/** The passkeys of the caller, and where they can be used. */
interface OwnPasskeys {
  /** Origins of the pages; none if passkeys are off. */
  readonly origins: readonly string[]
  readonly passkeys: readonly ShownPasskey[]
}

/** How many passkeys an account may have. */
const mostPasskeys = 20

/**
 * Documents come unvalidated from clients. What owners do throws PASSKEYS_OFF without configured origins, PASSWORD_WRONG,
 * CODE_WRONG, LOGON_THROTTLED, and TOO_MANY_REQUESTS.
 */
export interface PasskeyManagement {
  listOwn(actor: OwnActor): Promise<OwnPasskeys>
  /** What the browser needs to make one, by the password, and the code of the second factor if there is one. */
  begin(document: unknown, actor: OwnActor): Promise<object>
  /** Registers what the browser has made. Throws PASSKEY_INVALID, TOO_MANY_PASSKEYS. */
  register(document: unknown, actor: OwnActor): Promise<ShownPasskey>
  rename(id: string, document: unknown, actor: OwnActor): Promise<ShownPasskey>
  /** By the password. */
  removeOwn(id: string, document: unknown, actor: OwnActor): Promise<void>
  /** Those of any account. Throws RECORD_NOT_FOUND. */
  list(username: string): Promise<readonly ShownPasskey[]>
  /** Removes one of any account. Throws RECORD_NOT_FOUND, RIGHTS_NOT_HELD. */
  remove(username: string, id: string, actor: Actor): Promise<void>
}

export const passkeyStartSchema = strictObject({
  name: v.pipe(
    v.optional(passkeyNameSchema),
    v.description(
      'What it is to be called: checked here, so that no browser makes one that is then refused.',
    ),
  ),
  password: v.string(),
  code: v.optional(v.pipe(v.string(), v.maxLength(100))),
})
export const passkeySchema = strictObject({ name: passkeyNameSchema, credential: registrationSchema })
export const passkeyRemovalSchema = strictObject({ password: v.string() })
export const passkeyChangeSchema = strictObject({ name: passkeyNameSchema })

/** The management of passkeys. */
export function createPasskeyManagement(
  parts: AccessParts,
  { countChange, checkCode }: { readonly countChange: CountOwnChange; readonly checkCode: CheckOwnCode },
): PasskeyManagement {
  const { store, now } = parts
  const { accounts, passkeys } = store

  const change = <Answer>(
    actor: Actor,
    name: string,
    work: (connection: Connection) => Promise<PasskeyChange<Answer>>,
  ) =>
    changeWithAudit(parts, actor, async (connection) => ({
      record: 'account' as const,
      action: 'changed' as const,
      name,
      ...(await work(connection)),
    }))

  async function accountOf(connection: Connection, username: string): Promise<StoredAccount> {
    const account = await accounts.find(connection, username)
    if (account === undefined) throw missingRecord('account', username)
    return account
  }

  async function passkeyOf(connection: Connection, username: string, id: string): Promise<StoredPasskey> {
    const passkey = await passkeys.findLocked(connection, id)
    if (passkey?.username === username) return passkey
    throw new AppError('RECORD_NOT_FOUND', { detail: `The account "${username}" has no such passkey.` })
  }

  async function removeOne(connection: Connection, username: string, id: string) {
    const { name } = await passkeyOf(connection, username, id)
    await passkeys.remove(connection, id)
    return { detail: 'passkey removed', changes: { passkey: { before: name } }, answer: undefined }
  }

  return {
    async listOwn({ account }) {
      const stored = await store.read((connection) => passkeys.listOf(connection, account))
      return { origins: parts.relyingParty?.origins ?? [], passkeys: stored.map(shownPasskey) }
    },

    async begin(document, actor) {
      const entered = parseDocument(passkeyStartSchema, document)
      const { id, origins } = requireRelyingParty(parts)
      countChange(actor)
      const account = await confirmPassword(parts, actor, entered.password)
      if (account.hasSecondFactor) await checkCode(actor, entered.code ?? '')
      const stored = await store.read((connection) => passkeys.listOf(connection, account.username))
      refuseMore(stored)
      return {
        origins,
        options: await creationOptions(parts, { id, account, stored }),
      }
    },

    async register(document, actor) {
      const { name, credential } = parseDocument(passkeySchema, document)
      const { account: username } = actor
      countChange(actor)
      const account = await store.read((connection) => accountOf(connection, username))
      const { challenge, ...verified } = await verifyNewPasskey(parts, credential, account)
      const { transports = [] } = credential.response
      const passkey: StoredPasskey = {
        ...verified,
        id: passkeyIdOf(verified.credentialId),
        username,
        name,
        transports,
        createdAt: now().toISOString(),
        lastUsedAt: undefined,
      }
      const registered = await unlessAnswered(() =>
        change(actor, username, async (connection) => {
          const current = await accountOf(connection, username)
          if (!isSameRegistrant(current, account)) throw registrationEnded()
          refuseMore(await passkeys.listOf(connection, username))
          await answerChallenge(parts, connection, challenge)
          await passkeys.insert(connection, passkey)
          return {
            detail: 'passkey registered',
            changes: { passkey: { after: name } },
            answer: shownPasskey(passkey),
          }
        }),
      )
      if (registered === undefined) throw invalidPasskey('This passkey is registered already. Begin again.')
      return registered
    },

    async rename(id, document, actor) {
      const { name } = parseDocument(passkeyChangeSchema, document)
      countChange(actor)
      const { account: username } = actor
      return change(actor, username, async (connection) => {
        const passkey = await passkeyOf(connection, username, id)
        await passkeys.rename(connection, id, name)
        return {
          detail: 'passkey renamed',
          changes: { passkey: { before: passkey.name, after: name } },
          answer: shownPasskey({ ...passkey, name }),
        }
      })
    },

    async removeOwn(id, document, actor) {
      const { password } = parseDocument(passkeyRemovalSchema, document)
      countChange(actor)
      await confirmPassword(parts, actor, password)
      await change(actor, actor.account, (connection) => removeOne(connection, actor.account, id))
    },

    async list(givenName) {
      const username = normalizeName(givenName)
      const stored = await store.read(async (connection) => {
        await accountOf(connection, username)
        return passkeys.listOf(connection, username)
      })
      return stored.map(shownPasskey)
    },

    async remove(givenName, id, actor) {
      const username = normalizeName(givenName)
      await change(actor, username, async (connection) => {
        await requireMayAct(parts, connection, actor, await accountOf(connection, username))
        return removeOne(connection, username, id)
      })
    },
  }
}

/** A change of the passkeys of an account; the audit knows them by their names. */
interface PasskeyChange<Answer> {
  readonly detail: string
  readonly changes: AuditChanges
  readonly answer: Answer
}

/** Checks and uses up a code of the caller's second factor. Throws CODE_WRONG. */
export type CheckOwnCode = (actor: OwnActor, code: string) => Promise<void>

function refuseMore({ length }: readonly StoredPasskey[]): void {
  if (length < mostPasskeys) return
  const detail = `An account has at most ${mostPasskeys} passkeys. Delete one that is no longer used first.`
  throw new AppError('TOO_MANY_PASSKEYS', { detail })
}

function shownPasskey(passkey: StoredPasskey): ShownPasskey {
  const { id, name, createdAt, lastUsedAt, backedUp, transports } = passkey
  return {
    id,
    name,
    created: showTimestamp(new Date(createdAt)),
    last_used: lastUsedAt === undefined ? null : showTimestamp(new Date(lastUsedAt)),
    backed_up: backedUp,
    transports,
  }
}
