/** The kinds of option values that say what claims decide. */
import type { OptionType } from './option-types.ts'

/** Values by claim. */
type ClaimRule = Readonly<Record<string, readonly string[]>>

/** Rules about claims: of each rule all claims, of each claim one of its values. */
export const claimRules: OptionType<readonly ClaimRule[]> = {
  takes:
    'claims with the values that they may have, such as {hd: example.org, groups: [staff, guests]}, or a list of such rules',
  placeholder: 'JSON',
  parts: 'texts',
  parse: (raw) => {
    const value = parseJson(raw)
    const rules = (Array.isArray(value) ? value : [value]).map((rule) => mapOf(rule, textsOf))
    const read = rules.filter((rule) => rule !== undefined && Object.keys(rule).length > 0)
    return read.length > 0 && read.length === rules.length ? (read as readonly ClaimRule[]) : undefined
  },
}

/** Roles by claim and its value. */
export const rolesByClaim: OptionType<Readonly<Record<string, ClaimRule>>> = {
  takes:
    'claims, under each its values, and for each value a role or a list of roles, such as {groups: {staff: reader}}',
  placeholder: 'JSON',
  parts: 'texts',
  parse: (raw) => mapOf(parseJson(raw), (byValue) => mapOf(byValue, textsOf)),
}

/** Claims by key. */
export const claimByKey: OptionType<Readonly<Record<string, string>>> = {
  takes: 'keys, and for each the name of a claim, such as {tenant: org}',
  placeholder: 'JSON',
  parts: 'texts',
  parse: (raw) =>
    mapOf(parseJson(raw), (claim) => (typeof claim === 'string' && claim !== '' ? claim : undefined)),
}

/** An object whose values `read` takes all; undefined for anything else. */
function mapOf<Value>(
  value: unknown,
  read: (value: unknown) => Value | undefined,
): Readonly<Record<string, Value>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value).map(([key, part]) => [key, read(part)] as const)
  return entries.some(([, part]) => part === undefined)
    ? undefined
    : (Object.fromEntries(entries) as Readonly<Record<string, Value>>)
}

/** One text, number or boolean, or a list of them, as texts. */
function textsOf(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isPlain = list.every((part) => ['string', 'number', 'boolean'].includes(typeof part) && part !== '')
  return list.length > 0 && isPlain ? list.map(String) : undefined
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}
