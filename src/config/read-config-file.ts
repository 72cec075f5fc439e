import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import { nearestName } from '../util/nearest-name.ts'
import {
  type ConfigMistake,
  type Given,
  type NamedOption,
  type Reading,
  type Spelling,
  spellingsIn,
} from './options.ts'
import { showName } from './quote.ts'
import { suggestion } from './suggestion.ts'

/** A configuration file that was read. */
export interface ConfigFile {
  readonly path: string
  readonly content: string
}

/** The options of a configuration file. */
export interface FileReading extends Reading {
  /** The file could not be read at all. */
  readonly unreadable: boolean
}

/** Whose options a configuration file may hold. */
export interface FileOptions {
  readonly options: readonly NamedOption[]
  /** Options of other commands. */
  readonly others: readonly NamedOption[]
  /** A part of the file whose keys may also be at its top. */
  readonly topPart?: string | undefined
}

/**
 * Reads a configuration file: YAML, which includes JSON. Every value is read as a string (YAML's failsafe schema), so
 * that `0123` and `no` mean the same as in a flag. Keys of other commands are left alone: commands share a file.
 */
export function readConfigFile(file: ConfigFile, { options, others, topPart }: FileOptions): FileReading {
  const lines = new LineCounter()
  const document = parseDocument(file.content, {
    schema: 'failsafe',
    prettyErrors: false,
    lineCounter: lines,
  })
  if (document.errors.length > 0) {
    return unreadable(
      document.errors.map(({ pos, message }) => {
        return `${file.path} line ${lines.linePos(pos[0]).line}: ${firstLine(message)}`
      }),
    )
  }
  if (document.contents === null) return { ...nothing, unreadable: false }
  if (!isMap(document.contents)) {
    return unreadable([`${file.path}: must hold keys and values, such as “gateway:”`])
  }
  const values = parseDocument(file.content, { schema: 'core', prettyErrors: false })
  const reading = readMap(document.contents, top, {
    path: file.path,
    partsOf: (node, keys, parts) =>
      parts === 'texts' ? asJson(node, document) : asJson(values.getIn(keys, true), values),
    lineOf: (offset) => lines.linePos(offset).line,
    spellings: spellingsIn('file', options),
    ofOthers: spellingsIn('file', others),
    topPart,
  })
  return { ...reading, unreadable: false }
}

function unreadable(lines: readonly string[]): FileReading {
  return { given: [], mistakes: lines.map((line) => ({ line })), unreadable: true }
}

interface FileReader {
  readonly path: string
  /** A value with parts as JSON text; undefined if there is none. */
  readonly partsOf: (node: unknown, keys: readonly string[], parts: 'texts' | 'values') => string | undefined
  readonly lineOf: (offset: number) => number
  readonly spellings: readonly Spelling[]
  readonly ofOthers: readonly Spelling[]
  readonly topPart: string | undefined
}

/** A location in a file. */
interface FilePlace {
  readonly part: string | undefined
  /** The prefix that makes a key there that of an option: `content.` */
  readonly prefix: string
  /** The keys that lead there. */
  readonly keys: readonly string[]
}

const top: FilePlace = { part: undefined, prefix: '', keys: [] }

function readMap(map: YAMLMap, place: FilePlace, reader: FileReader): Reading {
  const readings = map.items.map((pair) => readPair(pair, place, reader))
  return {
    given: readings.flatMap(({ given }) => given),
    mistakes: readings.flatMap(({ mistakes }) => mistakes),
  }
}

function readPair(pair: Pair, place: FilePlace, reader: FileReader): Reading {
  const { part, prefix } = place
  const ownKey = isScalar(pair.key) ? String(pair.key.value) : ''
  const key = prefix + ownKey
  const keys = [...place.keys, ownKey]
  const line = isScalar(pair.key) && pair.key.range ? ` line ${reader.lineOf(pair.key.range[0])}` : ''
  const origin = `${reader.path}${line}: ${part === undefined ? '' : `${part}.`}${showName(key)}`
  const hasPart = ({ option }: Spelling) => option.part === key
  if (part === undefined && reader.spellings.some(hasPart)) {
    if (isMap(pair.value)) return readMap(pair.value, { part: key, prefix: '', keys }, reader)
    return isEmpty(pair.value) ? nothing : mistake(`${origin}: takes keys and values, indented under it`)
  }
  const isHere = ({ option }: Spelling) =>
    option.part === part || (part === undefined && option.part === reader.topPart)
  const isIt = (candidate: Spelling) => candidate.name === key && isHere(candidate)
  const spelling = reader.spellings.find(isIt)
  if (spelling !== undefined) return readValue(pair.value, spelling, origin, keys, reader)
  const isUnderIt = (candidate: Spelling) => candidate.name.startsWith(`${key}.`) && isHere(candidate)
  if (reader.spellings.some(isUnderIt)) {
    if (isMap(pair.value)) return readMap(pair.value, { part, prefix: `${key}.`, keys }, reader)
    return isEmpty(pair.value) ? nothing : mistake(`${origin}: takes keys and values, indented under it`)
  }
  const isInPart = ({ name, option }: Spelling) =>
    part === undefined && `${option.part}.${name}.`.startsWith(`${key}.`)
  const ofOther = reader.ofOthers.some((other) => isIt(other) || isUnderIt(other) || isInPart(other))
  if (ofOther) return nothing
  return { given: [], mistakes: [unknownKey(key, part, origin, reader)] }
}

function readValue(
  value: unknown,
  spelling: Spelling,
  origin: string,
  keys: readonly string[],
  reader: FileReader,
): Reading {
  const { takes, parts } = spelling.option.definition.type
  const raw = parts === undefined || isScalar(value) ? undefined : reader.partsOf(value, keys, parts)
  if (raw !== undefined && !spelling.namesFile)
    return { given: [{ spelling, raw, place: 'file', origin }], mistakes: [] }
  if (!isScalar(value) || typeof value.value !== 'string') {
    const line = `${origin}: takes ${spelling.namesFile ? 'a path' : takes}, not a list or keys`
    return mistake(line, spelling.option.key)
  }
  const given: Given = { spelling, raw: value.value, place: 'file', origin }
  return { given: [given], mistakes: [] }
}

function asJson(node: unknown, document: Document): string | undefined {
  if (!isNode(node)) return undefined
  try {
    return JSON.stringify(node.toJS(document, { maxAliasCount: 100 }))
  } catch {
    return undefined
  }
}

function unknownKey(
  key: string,
  part: string | undefined,
  origin: string,
  { spellings, topPart }: FileReader,
): ConfigMistake {
  const elsewhere = spellings.find(({ name, option }) => name === key && option.part !== part)
  if (elsewhere !== undefined) {
    const { part: other } = elsewhere.option
    const place = other === undefined ? 'at the top of the file' : `under “${other}:”`
    return { line: `${origin}: belongs ${place}`, about: elsewhere.option.key }
  }
  const here = spellings.filter(
    ({ option }) => option.part === part || (part === undefined && option.part === topPart),
  )
  const known = here.flatMap(({ name }) => [name, ...name.split('.').slice(0, 1)])
  const parts = part === undefined ? spellings.flatMap(({ option }) => option.part ?? []) : []
  const meant = nearestName(key.replaceAll('-', '_'), [...new Set([...known, ...parts])])
  const about = spellings.find(({ name, option }) => name === meant && option.part === part)?.option.key
  return { line: `${origin}: unknown key${suggestion(meant)}`, about: about ?? meant }
}

const nothing: Reading = { given: [], mistakes: [] }

function mistake(line: string, about?: string): Reading {
  return { given: [], mistakes: [{ line, about }] }
}

function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.value === '')
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? ''
}
