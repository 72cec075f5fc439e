/** Converts the JSON of one record to column values, by the rules that need no other record. */
import { isDeepStrictEqual } from 'node:util'
import type { SqlValue } from '../database/sql-value.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { segmentMistake } from '../util/path-segment.ts'
import { shortName } from '../util/short-name.ts'
import type { RecordMistakes, RecordPath } from './record-mistakes.ts'
import { type DefaultContext, type FieldRule, isForeign, type WriteRules } from './record-rules.ts'

/** Values by the names of their fields. */
export type FieldValues = ReadonlyMap<string, SqlValue>

/** A stored record: as JSON, and as column values. */
export interface CurrentRecord {
  /** Has no prototype: fields may have any names. */
  readonly json: Readonly<Record<string, unknown>>
  readonly values: FieldValues
}

/** What to do with a field that was not sent; `kept` in a new record means that the database supplies a value. */
export type Absence = 'kept' | 'refused' | { readonly value: unknown }

export interface RecordCheck {
  readonly rules: WriteRules
  /** The rules of the fields that the caller knows of; it is not told of the others. Absent means all. */
  readonly known?: WriteRules
  /** The record that is changed; undefined for a new one. */
  readonly current: CurrentRecord | undefined
  readonly absent: (rule: FieldRule) => Absence
  readonly mistakes: RecordMistakes
}

/** Of a record that needs fields which the caller does not know of. */
export const lacksRights = 'The rights of the caller do not give such a record all that it needs.'

const requiredMistake = 'This field is required: it is not nullable and has no default.'

/** The values of the fields to write. Adds mistakes to `mistakes`. */
export function checkRecord(json: unknown, path: RecordPath, check: RecordCheck): FieldValues {
  const { rules, known = rules, current, absent, mistakes } = check
  const values = new Map<string, SqlValue>()
  // One that the caller does not know of has its value from the rights.
  const refuse = (name: string, detail: string) => {
    if (known.fields.has(name)) mistakes.invalid(path, name, detail)
    else mistakes.invalid(path, undefined, lacksRights)
  }
  if (!isObject(json)) {
    mistakes.invalid(path, undefined, 'A record is a JSON object.')
    return values
  }
  for (const name of Object.keys(json)) {
    if (mistakes.areMany) return values
    if (rules.fields.has(name)) continue
    const detail = strangeKeyMistake(name, json[name], known, current)
    if (detail !== undefined) mistakes.invalid(path, name, detail)
  }
  for (const rule of rules.fields.values()) {
    const { name } = rule
    const isSent = Object.hasOwn(json, name)
    if (rule.column === undefined) {
      if (isSent) refuse(name, notKept(rule))
      continue
    }
    if (rule.isReadOnly) {
      if (!isSent) continue
      const isUnchanged = current !== undefined && isSameJson(current.json[name], json[name])
      if (!isUnchanged) refuse(name, readOnlyMistake(rule, current))
      continue
    }
    const given = isSent ? { value: json[name] } : absent(rule)
    if (given === 'kept') continue
    if (given === 'refused') {
      refuse(name, requiredMistake)
      continue
    }
    const reading = readValue(given.value, rule, current)
    if ('kept' in reading) continue
    if ('refused' in reading) refuse(name, reading.refused)
    else if (rules.key.includes(name) && !fitsIntoPath(reading.value, rules)) {
      refuse(
        name,
        'The identifier is the last part of the path of the record: it must not be empty, a dot or two, or hold a slash, backslash or control character.',
      )
    } else values.set(name, reading.value)
  }
  return values
}

function readOnlyMistake({ column }: FieldRule, current: CurrentRecord | undefined): string {
  const reason =
    column?.type === 'other'
      ? `Values of its type (${column.nativeType}) have no JSON form that can be written.`
      : 'Only the database writes this field.'
  return `${reason} Leave it out${current === undefined ? '' : ', or send it as it was read'}.`
}

function fitsIntoPath(identifier: SqlValue, rules: WriteRules): boolean {
  if (typeof identifier !== 'string' || isForeign({ rules })) return true
  return identifier !== '' && segmentMistake(identifier) === undefined
}

/** A field that was not sent gets its default, the database's value, or null if it is nullable. */
export function defaultOrNull(rule: FieldRule, context: DefaultContext): Absence {
  const { defaultOf, isFilled, nullable } = rule
  if (defaultOf !== undefined) return { value: defaultOf(context) }
  if (isFilled) return 'kept'
  return nullable ? { value: null } : 'refused'
}

function strangeKeyMistake(
  name: string,
  value: unknown,
  { fields, systemColumns }: WriteRules,
  current: CurrentRecord | undefined,
): string | undefined {
  if (systemColumns.some((system) => system === name)) {
    if (current !== undefined && current.json[name] === value) return undefined
    return `The gateway writes "${name}" itself. Leave it out${current === undefined ? '' : ', or send it as it was read'}.`
  }
  return unknownField(name, { fields })
}

/** The sentence for a name that is not the name of a field. */
export function unknownField(name: string, { fields }: Pick<WriteRules, 'fields'>): string {
  const names = [...fields.values()].flatMap((rule) => (rule.column === undefined ? [] : [rule.name]))
  return `There is no field "${shortName(name)}"${didYouMean(name, names)}. Fields are ${names.join(', ')}.`
}

function readValue(
  json: unknown,
  rule: FieldRule,
  current: CurrentRecord | undefined,
): { readonly value: SqlValue } | { readonly refused: string } | { readonly kept: true } {
  const before = current?.values.get(rule.name)
  // A value sent as it was read stays as it is stored, whatever another program wrote there.
  if (before !== undefined && isSameJson(current?.json[rule.name], json)) return { kept: true }
  if (json === null && !rule.nullable) return { refused: 'This field must not be null.' }
  const encoding = json === null ? { value: null } : rule.codec.encode(json)
  if ('refused' in encoding) return encoding
  // So does the same value in another form.
  if (before !== undefined && isSame(encoding.value, before, rule)) return { value: before }
  const { value } = encoding
  if (before !== undefined && rule.immutable) {
    return {
      refused: `This field cannot be changed after the record is created; it is ${JSON.stringify(current?.json[rule.name])}.`,
    }
  }
  if (value !== null && rule.allowed && !rule.allowed.encoded.has(value)) {
    const shown = rule.allowed.shown.map((allowed) => JSON.stringify(allowed)).join(', ')
    const texts = rule.allowed.shown.filter((allowed) => typeof allowed === 'string')
    return {
      refused: `This must be one of ${shown}${typeof json === 'string' ? didYouMean(json, texts) : ''}.`,
    }
  }
  return { value }
}

/** The order of an object's keys does not matter. */
function isSame(value: SqlValue, before: SqlValue, { codec }: FieldRule): boolean {
  if (value === before) return true
  if (value === null || before === null) return false
  return isSameJson(JSON.parse(codec.writeJson(value)), JSON.parse(codec.writeJson(before)))
}

/** Many clients cannot send -0. */
function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) || isDeepStrictEqual(withPlainZeros(one), withPlainZeros(other))
}

function withPlainZeros(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function notKept({ name, isMissing }: FieldRule): string {
  return isMissing === true
    ? `The table has no column "${name}" now: another program dropped or renamed it. Leave it out, or restore the column.`
    : 'This field is not stored: its field_persistence is false. Leave it out.'
}
