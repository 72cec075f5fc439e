import type { RequestLimits } from './authorization/request-limits.ts'
import type { CompiledRole } from './authorization/role.ts'

/** Who makes a request, as its token proved. */
export interface Caller {
  readonly username: string
  readonly roles: readonly CompiledRole[]
  /** When the account ends; undefined when it does not. */
  readonly accountExpiresAt: Date | undefined
  /** Undefined where its requests are not counted. */
  readonly limits: RequestLimits | undefined
  readonly tokenHash: string
  readonly tokenExpiresAt: Date
}

/** What somebody may give to others: what one's own roles allow and name, and everything for the program itself. */
export type Rights = 'everything' | readonly CompiledRole[]

/** Who changes a record, and by which request. */
export interface Actor {
  /** The username. */
  readonly account: string
  readonly rights: Rights
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}
