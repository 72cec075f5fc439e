import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { jsonObject, listOf, refuse, strictObject } from '../../documents/document-schema.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import { limitsSchema, type RequestLimits } from '../authorization/request-limits.ts'
import { nameSchema } from '../name.ts'
import { showTimestamp } from '../show-timestamp.ts'
import { passwordSchema } from './password.ts'

/** An account as it is shown: without any secret. */
export interface ShownAccount {
  readonly username: string
  /** The name of its role, or a list of names when it has several. */
  readonly role: string | readonly string[]
  /** The lifetime that was asked for, and when it is over; null when the account does not expire. */
  readonly expire_days: number | null
  readonly expire: string | null
  /** Whether nobody may log on with it. */
  readonly disabled: boolean
  readonly metadata: Readonly<Record<string, unknown>>
  /** Absent where its roles say how many requests it may make. */
  readonly limits?: RequestLimits
  readonly created: string
}

/** In days. What is no whole number is not compared. */
export const lifetime = v.config(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(36_500)), {
  abortPipeEarly: true,
})
const accountLifetime = v.config(
  v.pipe(
    v.number(),
    refuse((days) =>
      days === 0
        ? 'This must be at least 1. To keep an account out from now on, set "disabled" to true.'
        : undefined,
    ),
    lifetime,
  ),
  { abortPipeEarly: true },
)
/** What a document says of an account beside its username. */
export const accountEntries = {
  password: passwordSchema,
  /** One name or several. */
  role: v.union([nameSchema, v.pipe(listOf(nameSchema, 100), v.minLength(1))]),
  /** Null is no expiry. */
  expire_days: v.nullish(accountLifetime),
  metadata: v.optional(jsonObject),
  disabled: v.optional(v.boolean()),
  /** Null is none of its own. */
  limits: v.nullish(limitsSchema),
}

/** Reads a new account. */
export const accountSchema = strictObject({ username: nameSchema, ...accountEntries })

/** Reads a change to an account: what is left out stays as it is. */
export const accountChangeSchema = strictObject(v.partial(v.object(accountEntries)).entries)

/** When a lifetime that starts at a moment is over: ISO 8601, UTC. */
export function endOfLifetime(start: Date, days: number | null | undefined): string | undefined {
  if (days === null || days === undefined) return undefined
  return new Date(start.getTime() + days * 86_400_000).toISOString()
}

/** Tells an account from one that has its name before or after it: no secret. */
export function accountId({ username, createdAt }: Pick<StoredAccount, 'username' | 'createdAt'>): string {
  return createHash('sha256')
    .update(JSON.stringify([username, createdAt]))
    .digest('base64url')
    .slice(0, 22)
}

/** The account without its secrets. */
export function shownAccount(account: StoredAccount): ShownAccount {
  const { username, roles, expireDays, expiresAt, disabled, metadata, limits, createdAt } = account
  const [onlyRole] = roles
  return {
    username,
    role: roles.length === 1 && onlyRole !== undefined ? onlyRole : roles,
    expire_days: expireDays ?? null,
    expire: expiresAt === undefined ? null : showTimestamp(new Date(expiresAt)),
    disabled,
    metadata,
    ...(limits === undefined ? {} : { limits }),
    created: showTimestamp(new Date(createdAt)),
  }
}
