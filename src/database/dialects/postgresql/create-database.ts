import type pg from 'pg'
import { DatabaseError } from '../../database-error.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { apart } from './apart.ts'
import { clientConfig, type PostgresqlDriverOptions } from './connect.ts'

/** Copying the template takes a while on a busy server. */
const timeoutMs = 60_000

/** Databases that exist on every server, unless someone removed the first one. */
const maintenance = ['postgres', 'template1']

/** SQLSTATEs of a database that another program has created meanwhile. */
const alreadyThere: readonly unknown[] = ['42P04', '23505']

/** Creates the database, in UTF-8. Returns false if it exists already. Throws `DatabaseError`. */
export async function createPostgresqlDatabase(options: PostgresqlDriverOptions): Promise<boolean> {
  const sql = `create database ${standardSyntax.quoteIdentifier(options.name)} encoding 'UTF8' template template0`
  const create = (name: string) =>
    apart(clientConfig({ ...options, name }), (client: pg.Client) => client.query(sql), timeoutMs)
  const [first = '', second = ''] = maintenance
  try {
    await create(first).catch((error: unknown) => {
      if (error instanceof DatabaseError && error.accessFailure === 'unknownDatabase') return create(second)
      throw error
    })
    return true
  } catch (error) {
    if (!alreadyThere.includes(stateOf(error))) throw error
    return false
  }
}

function stateOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? cause.code : undefined
}
