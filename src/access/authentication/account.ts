import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { jsonObject, listOf, refuse, strictObject } from '../../documents/document-schema.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import { limitsSchema, type RequestLimits } from '../authorization/request-limits.ts'
import { nameSchema } from '../name.ts'
import { notATimestamp, readTimestamp } from '../read-timestamp.ts'
import { showTimestamp } from '../show-timestamp.ts'
import { passwordSchema } from './password.ts'

/** An account as it is shown: without any secret. */
export interface ShownAccount {
  readonly username: string
  /** The name of its role, or a list of names if it has several. */
  readonly role: string | readonly string[]
  /** The requested lifetime, and when it ends; null if the account does not expire. */
  readonly expire_days: number | null
  readonly expire: string | null
  /** Whether it is disabled. */
  readonly disabled: boolean
  readonly metadata: Readonly<Record<string, unknown>>
  /** Absent if its roles set its rate limit. */
  readonly limits?: RequestLimits
  /** Absent without an active second factor. */
  readonly second_factor?: true
  /** How many passkeys it has; absent without any. */
  readonly passkeys?: number
  readonly created: string
}

/** In days. Only whole numbers are compared. */
export const lifetime = v.config(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(36_500)), {
  abortPipeEarly: true,
})
const accountLifetime = v.config(
  v.pipe(
    v.number(),
    refuse((days) =>
      days === 0 ? 'This must be at least 1. To disable an account, set "disabled" to true.' : undefined,
    ),
    lifetime,
  ),
  { abortPipeEarly: true },
)
/** The members of an account's document besides its username. */
export const accountEntries = {
  password: passwordSchema,
  /** One name or several. */
  role: v.pipe(
    v.union([nameSchema, v.pipe(listOf(nameSchema, 100), v.minLength(1))]),
    v.description('The name of its role, or a list of names.'),
  ),
  /** Null is no expiry. */
  expire_days: v.pipe(
    v.nullish(accountLifetime),
    v.description('In how many days the account expires; null or left out if it does not.'),
  ),
  metadata: v.pipe(v.optional(jsonObject), v.description('Anything about the account.')),
  disabled: v.pipe(
    v.optional(v.boolean()),
    v.description('Whether it can neither log on nor use its tokens.'),
  ),
  /** Null is none of its own. */
  limits: v.nullish(limitsSchema),
}

/** Reads a new account. */
export const accountSchema = strictObject({ username: nameSchema, ...accountEntries })

/** When an account expires; null is never. A time that has passed ends it at once. */
const expire = v.pipe(
  v.nullish(
    v.pipe(
      v.string(),
      refuse((text) => (readTimestamp(text) === undefined ? notATimestamp : undefined)),
      v.transform(readTimestamp),
    ),
  ),
  v.description(
    'When the account expires, as a date and time; null if it does not. It decides if `expire_days` is sent, too.',
  ),
)

/** Reads a change to an account: what is left out stays as it is. */
export const accountChangeSchema = v.pipe(
  strictObject({ ...v.partial(v.object(accountEntries)).entries, expire }),
  refuse(
    ({ expire_days, expire: end }) =>
      end === null && typeof expire_days === 'number'
        ? 'With "expire": null the account does not expire: leave "expire_days" out.'
        : undefined,
    'expire_days',
  ),
)

/** The end of an account after a change, and the lifetime that is shown with it. */
export function changedEnd(
  { expire: end, expire_days: days }: v.InferOutput<typeof accountChangeSchema>,
  { expireDays, expiresAt }: Pick<StoredAccount, 'expireDays' | 'expiresAt'>,
  timestamp: Date,
): Pick<StoredAccount, 'expireDays' | 'expiresAt'> {
  if (end === null) return { expireDays: undefined, expiresAt: undefined }
  const changed = days === undefined ? expireDays : (days ?? undefined)
  if (end !== undefined) return { expireDays: changed, expiresAt: end.toISOString() }
  return { expireDays: changed, expiresAt: days === undefined ? expiresAt : endOfLifetime(timestamp, days) }
}

/** When a lifetime that starts at a time ends: ISO 8601, UTC. */
export function endOfLifetime(start: Date, days: number | null | undefined): string | undefined {
  if (days === null || days === undefined) return undefined
  return new Date(start.getTime() + days * 86_400_000).toISOString()
}

/** Distinguishes an account from earlier or later ones of the same name; not a secret. */
export function accountId({ username, createdAt }: Pick<StoredAccount, 'username' | 'createdAt'>): string {
  return createHash('sha256')
    .update(JSON.stringify([username, createdAt]))
    .digest('base64url')
    .slice(0, 22)
}

/** The account without its secrets. */
export function shownAccount(account: StoredAccount): ShownAccount {
  const {
    username,
    roles,
    expireDays,
    expiresAt,
    disabled,
    metadata,
    limits,
    hasSecondFactor,
    passkeyCount,
  } = account
  const { createdAt } = account
  const [onlyRole] = roles
  return {
    username,
    role: roles.length === 1 && onlyRole !== undefined ? onlyRole : roles,
    expire_days: expireDays ?? null,
    expire: expiresAt === undefined ? null : showTimestamp(new Date(expiresAt)),
    disabled,
    metadata,
    ...(limits === undefined ? {} : { limits }),
    ...(hasSecondFactor ? { second_factor: true } : {}),
    ...(passkeyCount === undefined ? {} : { passkeys: passkeyCount }),
    created: showTimestamp(new Date(createdAt)),
  }
}
