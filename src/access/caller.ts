import type { AccountAttributes } from './authorization/record-conditions.ts'
import type { RequestLimits } from './authorization/request-limits.ts'
import type { CompiledRole } from './authorization/role.ts'

/** The authenticated caller of a request. */
export interface Caller {
  /** Of its account; of a caller with a token of another issuer, the name that this token gives. */
  readonly username: string
  readonly roles: readonly CompiledRole[]
  /** What conditions of its roles may name. */
  readonly attributes: AccountAttributes
  /** When the account expires; undefined if it does not. */
  readonly accountExpiresAt: Date | undefined
  /** Undefined if its requests are not counted. */
  readonly limits: RequestLimits | undefined
  readonly tokenHash: string
  readonly tokenExpiresAt: Date
  /** The name of the issuer of its token, if that is not the gateway: then it needs no account, and uses none. */
  readonly issuer?: string
}

/**
 * The rights that an actor may grant: those of its own roles and their `gives`, and everything for the program itself.
 */
export type Rights = 'everything' | readonly CompiledRole[]

/** Who changes a record, and in which request. */
export interface Actor {
  /** The username. */
  readonly account: string
  readonly rights: Rights
  /** What conditions of its rights may name; absent for the program itself. */
  readonly attributes?: AccountAttributes
  /** Network address of the caller. */
  readonly address: string
  readonly requestId: string
}
