/** Names of values inside JSON columns: `meta->a.b`, `tags->0`, `meta->"odd key".c`. */
import type { Column, JsonPath } from '../database/database-schema.ts'
import { invalid } from './invalid-argument.ts'

/** Stands between the name of a field and the path inside its JSON. */
const jsonArrow = '->'

/** How many keys and indexes a path may have, and how long it may be. */
const keyLimit = 16
const lengthLimit = 1000

/** What a name says of a value inside JSON. */
interface JsonName {
  /** The name of the field, perhaps behind a path through references. */
  readonly field: string
  /** The path as it is written. */
  readonly path: string
}

/** Splits a name; undefined if it leads into no JSON. */
export function jsonNameOf(name: string): JsonName | undefined {
  const arrow = name.indexOf(jsonArrow)
  if (arrow === -1) return undefined
  return { field: name.slice(0, arrow), path: name.slice(arrow + jsonArrow.length) }
}

/** Throws PARAMETER_INVALID for what is not a path. */
function readJsonPath(text: string, label: string): JsonPath {
  const path: (string | number)[] = []
  for (let rest = text; ; ) {
    const [whole = '', quoted, bare] = /^(?:("(?:[^"\\]|\\.)*")|([^."]+))(?:\.(?=.)|$)/s.exec(rest) ?? []
    const key = quoted === undefined ? bareKey(bare) : parsed(quoted)
    if (key === undefined || String(key).includes('\0') || text.length > lengthLimit)
      throw invalid(
        label,
        `: a path into JSON takes keys and indexes of arrays with dots between them, such as a.b.0; other keys in double quotes, as in JSON; at most ${keyLimit} and ${lengthLimit} characters`,
      )
    path.push(key)
    if (path.length > keyLimit) throw invalid(label, `: a path into JSON takes at most ${keyLimit} keys`)
    rest = rest.slice(whole.length)
    if (rest === '') return path
  }
}

function bareKey(key: string | undefined): string | number | undefined {
  return key !== undefined && /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : key
}

function parsed(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined
  }
}

/** What of the values inside JSON is looked at: those of one kind; others are null. */
type JsonKind = 'string' | 'number' | 'boolean' | 'any'

const types = { string: 'json', number: 'float', boolean: 'integer', any: 'json' } as const

/** The column that stands for the values at a path inside another one. Throws PARAMETER_INVALID. */
export function jsonPart(of: Column, path: string, kind: JsonKind, label: string): Column {
  const type = types[kind]
  return {
    name: `${of.name}${jsonArrow}${path}`,
    type,
    nativeType: type,
    nullable: true,
    hasDefault: false,
    portableOrder: true,
    inside: { of, path: readJsonPath(path, label), kind },
  }
}
