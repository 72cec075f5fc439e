/** From the JSON of one record to the values of its columns, by the rules that need no other record. */
import { isDeepStrictEqual } from 'node:util'
import type { SqlValue } from '../database/driver.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { segmentMistake } from '../util/path-segment.ts'
import { shortName } from '../util/short-name.ts'
import type { RecordMistakes, RecordPath } from './record-mistakes.ts'
import { type DefaultContext, type FieldRule, isForeign, type WriteRules } from './record-rules.ts'

/** Values by the names of their fields. */
export type FieldValues = ReadonlyMap<string, SqlValue>

/** A record as it is in the table: as JSON, and as its columns hold it. */
export interface CurrentRecord {
  readonly json: Readonly<Record<string, unknown>>
  readonly values: FieldValues
}

/** What becomes of a field that was not sent; `kept` says of a new record that the database gives it a value. */
export type Absence = 'kept' | 'refused' | { readonly value: unknown }

export interface RecordCheck {
  readonly rules: WriteRules
  /** The record that is changed; undefined for a new one. */
  readonly current: CurrentRecord | undefined
  readonly absent: (rule: FieldRule) => Absence
  readonly mistakes: RecordMistakes
}

/** The values of the fields that are to be written. What is wrong is added to `mistakes`. */
export function checkRecord(json: unknown, path: RecordPath, check: RecordCheck): FieldValues {
  const { rules, current, absent, mistakes } = check
  const values = new Map<string, SqlValue>()
  if (!isObject(json)) {
    mistakes.invalid(path, undefined, 'A record is a JSON object.')
    return values
  }
  for (const name of Object.keys(json)) {
    if (mistakes.areMany) return values
    if (rules.fields.has(name)) continue
    const detail = strangeKeyMistake(name, json[name], rules, current)
    if (detail !== undefined) mistakes.invalid(path, name, detail)
  }
  for (const rule of rules.fields.values()) {
    const { name } = rule
    const isSent = Object.hasOwn(json, name)
    if (rule.column === undefined) {
      if (isSent) mistakes.invalid(path, name, notKept(rule))
      continue
    }
    if (rule.isReadOnly) {
      const isUnchanged = current !== undefined && isSameJson(current.json[name], json[name])
      if (isSent && !isUnchanged) mistakes.invalid(path, name, readOnlyMistake(rule, current))
      continue
    }
    const given = isSent ? { value: json[name] } : absent(rule)
    if (given === 'kept') continue
    if (given === 'refused') {
      mistakes.invalid(path, name, 'This field is required: it is not nullable and has no default.')
      continue
    }
    const reading = readValue(given.value, rule, current)
    if ('refused' in reading) mistakes.invalid(path, name, reading.refused)
    else if (rules.key.includes(name) && !fitsIntoPath(reading.value, rules)) {
      mistakes.invalid(
        path,
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
      ? `Values of its type (${column.nativeType}) have no form in JSON that could be written.`
      : 'Only the database writes this field.'
  return `${reason} Leave it out${current === undefined ? '' : ', or send it as it was read'}.`
}

function fitsIntoPath(identifier: SqlValue, rules: WriteRules): boolean {
  if (typeof identifier !== 'string' || isForeign({ rules })) return true
  return identifier !== '' && segmentMistake(identifier) === undefined
}

/** A field that was not sent gets its default, what the database gives it, or null where it may be null. */
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
  const names = [...fields.values()].flatMap((rule) => (rule.column === undefined ? [] : [rule.name]))
  return `There is no field "${shortName(name)}"${didYouMean(name, names)}. Fields are ${names.join(', ')}.`
}

function readValue(
  json: unknown,
  rule: FieldRule,
  current: CurrentRecord | undefined,
): { readonly value: SqlValue } | { readonly refused: string } {
  const before = current?.values.get(rule.name)
  // What is sent as it was read stays as it is stored, whatever another program wrote there.
  if (before !== undefined && isSameJson(current?.json[rule.name], json)) return { value: before }
  if (json === null && !rule.nullable) return { refused: 'This field must not be null.' }
  const encoding = json === null ? { value: null } : rule.codec.encode(json)
  if ('refused' in encoding) return encoding
  // So does the same value in another form.
  if (before !== undefined && isSame(encoding.value, before, rule)) return { value: before }
  const { value } = encoding
  if (before !== undefined && rule.immutable) {
    return {
      refused: `This field cannot be changed once the record is there; it is ${JSON.stringify(current?.json[rule.name])}.`,
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

/** Objects are the same whatever the order of their keys. */
function isSame(value: SqlValue, before: SqlValue, { codec }: FieldRule): boolean {
  if (value === before) return true
  if (value === null || before === null) return false
  return isSameJson(JSON.parse(codec.writeJson(value)), JSON.parse(codec.writeJson(before)))
}

/** Many clients cannot write the sign of a zero. */
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
    ? `The table has no column "${name}" now: something else than an upload took it away, or renamed it. Leave it out, or put the column back.`
    : 'This field is not kept: its field_persistence is false. Leave it out.'
}
