/**
 * The kinds of values that have parts: lists and keys in a configuration file, JSON text as a flag or an
 * environment variable.
 */
import { nearestName } from '../util/nearest-name.ts'
import type { OptionType, PartsReading, ReadText } from './option-types.ts'
import {
  type ConfigOf,
  fileKeyOf,
  type NamedOption,
  namedOptionsOf,
  type OptionTable,
  type Spelling,
  spellingsIn,
} from './options.ts'
import { quote, showName } from './quote.ts'
import { suggestion } from './suggestion.ts'
import { withoutLineEnd } from './without-line-end.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

/** A JSON object, taken as it is. */
export const jsonObject: OptionType<JsonObject> = {
  takes: 'keys and values, or a JSON object',
  placeholder: 'JSON',
  parts: 'values',
  parse: (raw) => {
    const value = parseJson(raw)
    return isObject(value) ? value : undefined
  },
}

/** One text or a list of them, each of which `isRight` takes. */
export function textList(takes: string, isRight: (text: string) => boolean): OptionType<readonly string[]> {
  return {
    takes,
    placeholder: 'TEXT|JSON',
    parts: 'texts',
    parse: (raw) => {
      const value = raw.startsWith('[') ? parseJson(raw) : raw
      const list = Array.isArray(value) ? value : [value]
      return list.length > 0 && list.every((text) => typeof text === 'string' && isRight(text))
        ? list
        : undefined
    },
    show: (value) => value.join(', '),
  }
}

/** Texts by key. */
export const textByKey: OptionType<Readonly<Record<string, string>>> = {
  takes: 'keys and texts, or a JSON object of texts',
  placeholder: 'JSON',
  parts: 'texts',
  parse: (raw) => {
    const value = parseJson(raw)
    if (!isObject(value)) return undefined
    const texts = Object.entries(value)
    if (texts.some(([, text]) => typeof text === 'object')) return undefined
    return Object.fromEntries(texts.map(([key, text]) => [key, String(text)]))
  },
}

/** One entry or a list of entries that are made of the same options; `show` says in a word which one it is. */
export function entriesOf<const Table extends OptionTable>(
  table: Table,
  show: (entry: ConfigOf<Table>) => string,
): OptionType<readonly ConfigOf<Table>[]> {
  const options = namedOptionsOf({ entry: { heading: '', options: table } })
  const readParts = (raw: string, readText: ReadText): PartsReading<readonly ConfigOf<Table>[]> => {
    const value = parseJson(raw)
    const list = Array.isArray(value) ? value : [value]
    if (!list.every(isObject)) return { mistakes: [': takes keys and values, or a list of such entries'] }
    const readings = list.map((entry, index) =>
      readEntry(entry, Array.isArray(value) ? `[${index}]` : '', options, readText),
    )
    const mistakes = readings.flatMap((reading) => reading.mistakes)
    const entries = readings
      .filter((reading) => reading.mistakes.length === 0)
      .map((reading) => Object.fromEntries(reading.values) as ConfigOf<Table>)
    return mistakes.length > 0 ? { mistakes, rest: entries } : { value: entries }
  }
  return {
    takes: 'an entry with keys and values, or a list of entries; as JSON text outside of a file',
    placeholder: 'JSON',
    parts: 'texts',
    parse: () => undefined,
    readParts,
    show: (entries) => (entries.length === 0 ? 'none' : entries.map(show).join(', ')),
  }
}

/** Entries by name that are made of the same options; `isName` says which names they may have. */
export function entriesByName<const Table extends OptionTable>(
  table: Table,
  isName: (name: string) => boolean,
): OptionType<Readonly<Record<string, ConfigOf<Table>>>> {
  const options = namedOptionsOf({ entry: { heading: '', options: table } })
  const readParts = (
    raw: string,
    readText: ReadText,
  ): PartsReading<Readonly<Record<string, ConfigOf<Table>>>> => {
    const value = parseJson(raw)
    if (!isObject(value)) return { mistakes: [': takes names, and under each an entry with keys and values'] }
    const mistakes: string[] = []
    const entries = Object.entries(value).flatMap(([name, entry]) => {
      const where = `.${showName(name)}`
      if (!isName(name)) mistakes.push(`${where}: a name has letters, digits, “-”, “_” and points`)
      if (!isObject(entry)) {
        mistakes.push(`${where}: takes an entry with keys and values`)
        return []
      }
      const reading = readEntry(entry, where, options, readText)
      mistakes.push(...reading.mistakes)
      return reading.mistakes.length > 0
        ? []
        : [[name, Object.fromEntries(reading.values) as ConfigOf<Table>]]
    })
    const read: Readonly<Record<string, ConfigOf<Table>>> = Object.fromEntries(entries)
    return mistakes.length > 0 ? { mistakes, rest: read } : { value: read }
  }
  return {
    takes: 'names, and under each an entry with keys and values; as JSON text outside of a file',
    placeholder: 'JSON',
    parts: 'values',
    parse: () => undefined,
    readParts,
    show: (entries) => Object.keys(entries).join(', ') || 'none',
  }
}

interface EntryReading {
  readonly values: readonly (readonly [string, unknown])[]
  readonly mistakes: readonly string[]
}

function readEntry(
  entry: JsonObject,
  where: string,
  options: readonly NamedOption[],
  readText: ReadText,
): EntryReading {
  const spellings = spellingsIn('file', options)
  const given = new Map<string, Json>()
  const mistakes: string[] = []
  for (const [key, value] of flatten(entry, '', spellings)) {
    const known = spellings.map(({ name }) => name)
    if (known.includes(key)) given.set(key, value)
    else mistakes.push(`${where}.${showName(key)}: unknown key${suggestion(nearestName(key, known))}`)
  }
  const values: [string, unknown][] = []
  for (const option of options) {
    const found = readOption(option, given, where, readText)
    if (found === undefined) continue
    if ('mistakes' in found) mistakes.push(...found.mistakes)
    else values.push([option.key, found.value])
  }
  return { values, mistakes }
}

/** The keys of an entry, joined where options are named so: `config.issuer`. */
function flatten(
  entry: JsonObject,
  prefix: string,
  spellings: readonly Spelling[],
): readonly (readonly [string, Json])[] {
  return Object.entries(entry).flatMap(([ownKey, value]) => {
    const key = prefix + ownKey
    const isOver = spellings.some(({ name }) => name.startsWith(`${key}.`))
    return isOver && isObject(value) ? flatten(value, `${key}.`, spellings) : [[key, value] as const]
  })
}

function readOption(
  option: NamedOption,
  given: ReadonlyMap<string, Json>,
  where: string,
  readText: ReadText,
): PartsReading<unknown> | undefined {
  const { type, default: defaultText, required, secret } = option.definition
  const [first, second] = spellingsIn('file', [option]).filter(({ name }) => given.has(name))
  if (first !== undefined && second !== undefined) {
    return { mistakes: [`${where}.${first.name} and ${where}.${second.name}: give one of them, not both`] }
  }
  const place = `${where}.${first?.name ?? fileKeyOf(option)}`
  const value = given.get(first?.name ?? '')
  let raw = value === undefined ? defaultText : textOf(value)
  if (first?.namesFile) {
    try {
      raw = withoutLineEnd(readText(String(value)))
    } catch {
      return { mistakes: [`${place}: the file it names cannot be read`] }
    }
  }
  if (raw === undefined)
    return required ? { mistakes: [`${place}: missing; it takes ${type.takes}`] } : undefined
  const parsed = type.parse(raw)
  if (parsed !== undefined) return { value: parsed }
  return { mistakes: [`${place}: takes ${type.takes}${secret ? '' : `, not ${quote(raw)}`}`] }
}

function textOf(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function parseJson(raw: string): Json | undefined {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
