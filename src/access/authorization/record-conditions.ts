/**
 * Conditions of an authority on records: which rows it admits, which of their fields it gives, and which values it
 * sets. Here they are only data; `gateway/rights/` compiles them against the tables.
 */

/** See the head of this file. Absent parts do not restrict. */
export interface RecordConditions {
  /** A composite filter, as in lists. A value may be `{account}` or `{now}`, which are known when a request comes. */
  readonly rows?: readonly unknown[] | undefined
  /** Names of fields. Absent `read` gives all, absent `write` those of `read`. */
  readonly fields?:
    | { readonly read?: readonly string[] | undefined; readonly write?: readonly string[] | undefined }
    | undefined
  /** Values, or what they may be in `rows`, that a write gets, by the names of fields. */
  readonly set?: Readonly<Record<string, unknown>> | undefined
}

/** The conditions of an authority; undefined if it has none. */
export function conditionsOf({ rows, fields, set }: RecordConditions): RecordConditions | undefined {
  if (rows === undefined && fields === undefined && set === undefined) return undefined
  return { rows, fields, set }
}

/** A text that is the same for equal conditions, however their members are ordered. */
export function conditionsKey(conditions: RecordConditions | undefined): string {
  return JSON.stringify(conditions ?? null, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** The values of an account that conditions may name. */
export interface AccountAttributes {
  readonly username: string
  /** The names of its roles. */
  readonly roles: readonly string[]
  /** Only the members that a condition of a role of its or of a public route names; an object without a prototype. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** Whose values conditions are compared with: of one account, or of one that is not known. */
export type ConditionHolder = AccountAttributes | 'anyone' | 'nobody'

/** Conditions with the values of an account beside their names, so that equal ones of two accounts admit the same. */
export function withAccountValues<Conditions extends RecordConditions>(
  conditions: Conditions,
  holder: ConditionHolder,
): Conditions {
  const { rows, set } = conditions
  const filled = (part: unknown) => fill(part, holder)
  return {
    ...conditions,
    ...(rows === undefined ? {} : { rows: rows.map(filled) }),
    ...(set === undefined
      ? {}
      : { set: Object.fromEntries(Object.entries(set).map(([key, value]) => [key, filled(value)])) }),
  }
}

/** Whether conditions name a value of the account. */
export function namesAccount({ rows, set }: RecordConditions): boolean {
  const names = (part: unknown): boolean =>
    typeof part === 'object' && part !== null && ('account' in part || Object.values(part).some(names))
  return names(rows) || Object.values(set ?? {}).some(names)
}

function fill(part: unknown, holder: ConditionHolder): unknown {
  if (Array.isArray(part)) return part.map((item) => fill(item, holder))
  if (typeof part !== 'object' || part === null) return part
  if ('val' in part) return { ...part, val: fill(part.val, holder) }
  if (!('account' in part)) return part
  const { account } = part
  if (typeof holder === 'string') return { [holder]: account }
  return { account, value: accountValue(holder, String(account)) }
}

function accountValue({ username, roles, metadata }: AccountAttributes, name: string): unknown {
  if (name === 'username') return username
  if (name === 'roles') return roles
  const key = metadataKeyIn(name)
  return key !== undefined && Object.hasOwn(metadata, key) ? metadata[key] : undefined
}

const metadataPrefix = 'metadata.'

/** The members of the account's metadata that the conditions of some authorities name. */
export function metadataKeysOf(authorities: readonly RecordConditions[]): ReadonlySet<string> {
  return new Set(authorities.flatMap(({ rows, set }) => [...namedIn(rows), ...namedIn(set)]))
}

function namedIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([member, value]) => {
    const key = member === 'account' && typeof value === 'string' ? metadataKeyIn(value) : undefined
    return key === undefined ? namedIn(value) : [key]
  })
}

function metadataKeyIn(name: string): string | undefined {
  return name.startsWith(metadataPrefix) ? name.slice(metadataPrefix.length) : undefined
}
