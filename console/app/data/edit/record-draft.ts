/** What was entered in a form for a record, and what of it would be written. */
import { Refusal } from '../../../../browser/refusal.ts'
import { type Entered, enteredOf, readEntered } from './entered.ts'
import { isSame } from './same.ts'
import type { RecordValues, StoredRecord, WritableField } from './stored-record.ts'

/** By the names of fields in the published API. */
export type RecordDraft = Readonly<Record<string, Entered>>

/** What a form shows at first: nothing of a new record. */
export function draftOf(fields: readonly WritableField[], stored: StoredRecord | undefined): RecordDraft {
  if (stored === undefined) return {}
  return Object.fromEntries(
    fields.map((field) => [field.api_name, enteredOf(stored.values[field.api_name], field)]),
  )
}

/** The values that would be written, and why some cannot be read. */
export interface ReadDraft {
  readonly values: RecordValues
  readonly mistakes: Readonly<Record<string, string>>
}

/** Reads what differs from the stored record; of a new one, everything that is not left out. */
export function readDraft(
  fields: readonly WritableField[],
  draft: RecordDraft,
  stored: StoredRecord | undefined,
): ReadDraft {
  const values: Record<string, unknown> = {}
  const mistakes: Record<string, string> = {}
  for (const field of fields) {
    const { api_name: name } = field
    const entered = draft[name]
    const before = stored?.values[name]
    if (entered === undefined || (stored !== undefined && entered === enteredOf(before, field))) continue
    const read = readEntered(entered, field)
    if ('mistake' in read) mistakes[name] = read.mistake
    else if (stored === undefined || !isSame(read.value, before)) values[name] = read.value
  }
  return { values, mistakes }
}

/** Whether anything was entered that would be lost. */
export function isEntered({ values, mistakes }: ReadDraft): boolean {
  return Object.keys(values).length + Object.keys(mistakes).length > 0
}

/** The mistakes that the gateway found, by field; those of no field are left out. */
export function mistakesOf(
  error: unknown,
  fields: readonly WritableField[],
): Readonly<Record<string, string>> {
  const mistakes = error instanceof Refusal ? (error.problem.errors ?? []) : []
  const found = new Map<string, string>()
  for (const { pointer, detail } of mistakes) {
    const name = pointer.slice(1).split('/')[0]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? ''
    if (pointer === '' || !fields.some((field) => field.api_name === name)) continue
    found.set(name, found.has(name) ? `${found.get(name)} ${detail}` : detail)
  }
  return Object.fromEntries(found)
}

/** Whether all that the gateway says stands beside the fields. */
export function isToldBesideFields(error: unknown, fields: readonly WritableField[]): boolean {
  const mistakes = error instanceof Refusal ? (error.problem.errors ?? []) : []
  const names = new Set(
    fields.map((field) => `/${field.api_name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return mistakes.length > 0 && mistakes.every(({ pointer }) => names.has(pointer))
}
