import * as v from 'valibot'
import { strictObject } from '../http/document-schema.ts'
import { parseDocument } from '../http/parse-document.ts'
import type { AccessParts } from './access-parts.ts'
import type { Actor } from './caller.ts'
import { changeRecord, missingRecord } from './change-record.ts'
import { showMoment } from './moment.ts'
import { nameSchema } from './name.ts'

/** A token as it is shown: whose it is, never what it is. */
export interface ShownToken {
  readonly username: string
  readonly created: string
  readonly expire: string
}

/** Seeing and ending authentication tokens. The query may name one `account`. */
export interface TokenManagement {
  /** Those that have not ended. */
  list(query: unknown): Promise<readonly ShownToken[]>
  /** Says how many it ended. */
  end(query: unknown, actor: Actor): Promise<{ readonly ended: number }>
}

const querySchema = strictObject({ account: v.optional(nameSchema) })

/** The management of tokens. */
export function createTokenManagement(parts: AccessParts): TokenManagement {
  const { store, now } = parts
  const { tokens, accounts } = store
  return {
    async list(query) {
      const { account } = parseDocument(querySchema, query, 'PARAMETER_INVALID')
      const stored = await store.read((connection) => tokens.list(connection, account))
      const moment = now().toISOString()
      return stored
        .filter(({ expiresAt }) => expiresAt > moment)
        .map(({ username, createdAt, expiresAt }) => ({
          username,
          created: showMoment(new Date(createdAt)),
          expire: showMoment(new Date(expiresAt)),
        }))
    },

    async end(query, actor) {
      const { account } = parseDocument(querySchema, query, 'PARAMETER_INVALID')
      return changeRecord(parts, actor, async (connection) => {
        await tokens.removeEnded(connection, now().toISOString())
        if (account === undefined) {
          const ended = await tokens.removeAll(connection)
          return { record: 'token', action: 'deleted', name: '', detail: 'all', answer: { ended } }
        }
        if ((await accounts.find(connection, account)) === undefined) throw missingRecord('account', account)
        const ended = await tokens.removeOf(connection, account)
        return { record: 'token', action: 'deleted', name: account, answer: { ended } }
      })
    },
  }
}
