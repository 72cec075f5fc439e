import type { CompiledRole } from './role.ts'

/** Who makes a request, as its token proved. */
export interface Caller {
  readonly username: string
  readonly roles: readonly CompiledRole[]
  /** When the account ends; undefined when it does not. */
  readonly accountExpiresAt: Date | undefined
  readonly tokenHash: string
  readonly tokenExpiresAt: Date
}

/** Who changes a record, and by which request. */
export interface Actor {
  /** The username. */
  readonly account: string
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}
