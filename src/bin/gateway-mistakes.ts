import { existsSync } from 'node:fs'
import * as v from 'valibot'
import { isAcceptableApiKey } from '../access/authentication/api-key.ts'
import { passwordSchema } from '../access/authentication/password.ts'
import type { DatabaseConfig } from '../config/database-options.ts'
import type { GatewayConfig } from '../config/gateway-options.ts'
import { passkeyMistakes } from '../config/passkey-domain.ts'
import { quote } from '../config/quote.ts'
import { isFile } from './database-settings.ts'
import { issuerMistakes } from './issuer-mistakes.ts'
import { readStoredDocuments } from './stored-documents.ts'

/**
 * What a gateway would refuse at its start although each option is right, one line each. `named` is the database that
 * was named. Nothing is opened.
 */
export function gatewayMistakes(config: GatewayConfig, named = config.db_name): readonly string[] {
  return [
    ...databaseFileMistakes(config, named),
    ...workerMistakes(config),
    ...secretMistakes(config),
    ...passkeyMistakes(config),
    ...issuerMistakes(config.token_issuers ?? []),
    ...documentMistakes(config),
  ]
}

/** A database that was named is never created: its name may be misspelt. */
export function databaseFileMistakes(
  config: Pick<DatabaseConfig, 'db_product'>,
  file: string | undefined,
): readonly string[] {
  if (!isFile(config) || file === undefined || file === ':memory:' || existsSync(file)) return []
  return [
    `db_name: there is no file ${quote(file)}. A database that is named is not created: leave db_name out to get a new one, or create an empty file`,
  ]
}

function workerMistakes(config: GatewayConfig): readonly string[] {
  if (config.workers <= 1 || !(isFile(config) || config.store_url?.product === 'sqlite')) return []
  return [
    'workers: more than one needs a database server, because a SQLite database is used by one process. Its queries run in threads anyway; “read_connections” says in how many',
  ]
}

/** GraphQL documents that are stored, or would have to be. */
function documentMistakes({ persisted, graphql_persisted_only: isOnly }: GatewayConfig): readonly string[] {
  if (persisted !== undefined) return readStoredDocuments(persisted).mistakes
  return isOnly ? ['graphql_persisted_only: there are no stored documents. Name them in “persisted”'] : []
}

/** Secrets of the first account. */
function secretMistakes({ admin_password: password, admin_api_key: key }: GatewayConfig): readonly string[] {
  return [
    ...(password === undefined || v.is(passwordSchema, password)
      ? []
      : ['admin_password: takes 8 to 1,024 characters']),
    ...(key === undefined || isAcceptableApiKey(key)
      ? []
      : ['admin_api_key: takes 32 to 200 visible ASCII characters; “openssl rand -hex 32” makes one']),
  ]
}
