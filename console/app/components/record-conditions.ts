/** The conditions of an authority on records, as the gateway writes them; what they mean is for the gateway to say. */

/** Absent parts do not restrict. */
export interface RecordConditions {
  /** A composite filter. */
  readonly rows?: readonly unknown[]
  /** Names of fields. */
  readonly fields?: { readonly read?: readonly string[]; readonly write?: readonly string[] }
  /** Values by the names of fields. */
  readonly set?: Readonly<Record<string, unknown>>
}

/** The conditions of an authority, without what else it has; undefined if it has none. */
export function conditionsOf({ rows, fields, set }: RecordConditions): RecordConditions | undefined {
  if (rows === undefined && fields === undefined && set === undefined) return undefined
  return {
    ...(rows === undefined ? {} : { rows }),
    ...(fields === undefined ? {} : { fields }),
    ...(set === undefined ? {} : { set }),
  }
}

/** A text that is the same for equal conditions, however their members are ordered; '' for none. */
export function conditionsKey(authority: RecordConditions): string {
  const conditions = conditionsOf(authority)
  if (conditions === undefined) return ''
  return JSON.stringify(conditions, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** How the parts of a composite filter are joined in a sentence. */
export interface Joints {
  readonly and: string
  readonly or: string
}

/** A composite filter in one line: a list is AND, a list inside is OR, and so on in turn. */
export function textOfRows(rows: readonly unknown[], joints: Joints): string {
  return joined(rows, 'and', joints)
}

function joined(items: readonly unknown[], joint: keyof Joints, joints: Joints): string {
  const inner = joint === 'and' ? 'or' : 'and'
  return items
    .map((item) => {
      if (!Array.isArray(item)) return textOfCondition(item)
      const text = joined(item, inner, joints)
      return item.length > 1 && items.length > 1 ? `(${text})` : text
    })
    .join(joints[joint])
}

function textOfCondition(item: unknown): string {
  const { key, op, val } = (item ?? {}) as Partial<Record<string, unknown>>
  if (typeof key !== 'string' || typeof op !== 'string') return JSON.stringify(item)
  return `${key} ${op} ${textOfRuleValue(val)}`
}

/** A value in one line; `account metadata.tenant` for one of the account, `now -P7D` for a time. */
function textOfRuleValue(value: unknown): string {
  const [entry, ...others] =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  const isRule = entry !== undefined && others.length === 0 && ['account', 'now'].includes(entry[0])
  return isRule ? `${entry[0]} ${String(entry[1])}` : JSON.stringify(value)
}
