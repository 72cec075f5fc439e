/**
 * What every account may do with itself, whatever its roles allow: change its password, and make and end its API keys.
 * Each change needs the password again, under the limits on guessing.
 */
import * as v from 'valibot'
import { strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { AccessParts } from '../access-parts.ts'
import { apiKeySchema } from '../authentication/api-key.ts'
import { confirmPassword, wrongPassword } from '../authentication/logon.ts'
import { passwordSchema } from '../authentication/password.ts'
import { nameSchema } from '../name.ts'
import { changeWithAudit } from './audited-change.ts'
import type { ApiKeyManagement, ShownApiKey } from './manage-api-keys.ts'
import type { TokenManagement } from './manage-tokens.ts'
import type { CountOwnChange, OwnActor } from './own-change-limit.ts'

/**
 * The own account of a caller. Documents come unvalidated from clients. Changes throw PASSWORD_WRONG, LOGON_THROTTLED
 * after too many wrong passwords, and TOO_MANY_REQUESTS after 30 changes a minute.
 */
export interface OwnAccountManagement {
  /** Ends the other tokens of the account; the one of the caller stays. */
  changePassword(document: unknown, actor: OwnActor): Promise<void>
  listKeys(actor: OwnActor): Promise<readonly ShownApiKey[]>
  /** As by an administrator. */
  createKey(document: unknown, actor: OwnActor): Promise<ShownApiKey & { readonly api_key: string }>
  removeKey(document: unknown, actor: OwnActor): Promise<void>
  /** Ends the tokens of the account whose hashes the query names, as those who list sessions do; needs no password. */
  endTokens(query: unknown, actor: OwnActor): Promise<{ readonly ended: number }>
}

const password = v.string()
export const passwordChangeSchema = strictObject({ password, new_password: passwordSchema })
export const ownTokenQuery = strictObject({ hash: v.string() })
export const keyRemovalSchema = strictObject({ password, name: nameSchema })

/** The management of own accounts. */
export function createOwnAccountManagement(
  parts: AccessParts,
  {
    apiKeys,
    tokens,
    countChange,
  }: {
    readonly apiKeys: Pick<ApiKeyManagement, 'list' | 'create' | 'remove'>
    readonly tokens: Pick<TokenManagement, 'end'>
    readonly countChange: CountOwnChange
  },
): OwnAccountManagement {
  const { store, passwords, now } = parts

  async function confirm(actor: OwnActor, entered: string): Promise<string> {
    countChange(actor)
    return (await confirmPassword(parts, actor, entered)).passwordHash
  }

  return {
    async changePassword(document, actor) {
      const { password: entered, new_password } = parseDocument(passwordChangeSchema, document)
      const provedHash = await confirm(actor, entered)
      if (entered.normalize('NFC') === new_password) throw sameAgain()
      const passwordHash = await passwords.hash(new_password)
      const { account: username, tokenHash } = actor
      await changeWithAudit(parts, actor, async (connection) => {
        const before = await store.accounts.find(connection, username)
        // Another call has changed it meanwhile.
        if (before?.passwordHash !== provedHash) throw wrongPassword()
        await store.accounts.update(connection, { ...before, passwordHash })
        await store.tokens.removeOf(connection, username, tokenHash)
        return { record: 'account', action: 'changed', name: username, detail: 'password', answer: undefined }
      })
    },

    listKeys: ({ account }) => apiKeys.list(account),

    async createKey(document, actor) {
      const { password: entered } = parseDocument(apiKeySchema(now(), { password }), document)
      await confirm(actor, entered)
      const { password: _, ...key } = document as Readonly<Record<string, unknown>>
      return apiKeys.create(actor.account, key, actor)
    },

    async removeKey(document, actor) {
      const { password: entered, name } = parseDocument(keyRemovalSchema, document)
      await confirm(actor, entered)
      await apiKeys.remove(actor.account, name, actor)
    },

    async endTokens(query, actor) {
      const { hash } = parseDocument(ownTokenQuery, query, 'PARAMETER_INVALID')
      countChange(actor)
      return tokens.end({ account: actor.account, hash }, actor)
    },
  }
}

function sameAgain(): AppError {
  const detail = 'This is the password that your account already has. Choose another one.'
  return new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: '/new_password', detail }] })
}
