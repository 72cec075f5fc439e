import { DatabaseError } from './database-error.ts'

/** What a database is for: the tables that are served, or the gateway's own records. */
export type DatabasePurpose = 'tables' | 'store'

/** A database that was needed cannot be used, for the reason in `cause`. */
export class UnusableDatabase extends Error {
  readonly purpose: DatabasePurpose
  override readonly cause: DatabaseError

  constructor(purpose: DatabasePurpose, cause: DatabaseError) {
    super(cause.message, { cause })
    this.name = 'UnusableDatabase'
    this.purpose = purpose
    this.cause = cause
  }
}

/** Work with a database that is needed; throws `UnusableDatabase` for an error of the database. */
export async function usable<Result>(purpose: DatabasePurpose, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof DatabaseError ? new UnusableDatabase(purpose, error) : error
  }
}
