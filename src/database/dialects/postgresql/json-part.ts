/** Values inside JSON. Versions before 16 cannot ask whether a text is JSON: it is found out by regular expressions. */
import type { Column, JsonPart } from '../../database-schema.ts'
import { raw, type SqlFragment, sql } from '../../sql.ts'
import type { Syntax } from '../../syntax.ts'
import { hexadecimal, jsonPathText } from '../json-path-text.ts'
import { isArray, typeName } from './types.ts'

/** See `Syntax.jsonPart`. */
export const jsonPart: Syntax['jsonPart'] = ({ of, path, kind }, expression): SqlFragment<never> => {
  const at = raw(
    `pg_catalog.convert_from(pg_catalog.decode('${hexadecimal(`strict ${jsonPathText(path)}`)}', 'hex'), 'UTF8')::jsonpath`,
  )
  // Without `offset`, the server would compute the value as often as it is named.
  const value = sql`(select pg_catalog.jsonb_path_query_first(${jsonOf(of, expression)}, ${at}, '{}', true) as v offset 0) j`
  return sql`(select case when pg_catalog.jsonb_typeof(j.v) ${raw(readings[kind])} end from ${value})`
}

const text = "pg_catalog.jsonb_extract_path_text(j.v, variadic '{}'::text[])"
const size = `pg_catalog.abs(${text}::numeric)`

/** For each kind, the test of the type, and what is read. A double that is too large or too small would be an error. */
const readings = {
  string: `= 'string' then ${text}`,
  number: `= 'number' then case when ${size} < 1e-299 then 0 when ${size} <= 1e299 then ${text}::double precision end`,
  boolean: `= 'boolean' then case ${text} when 'true' then 1 else 0 end`,
  any: `<> 'null' then ${text}`,
} as const satisfies Readonly<Record<JsonPart['kind'], string>>

function jsonOf(column: Column, expression: SqlFragment<never>): SqlFragment<never> {
  if (isArray(column)) return sql`pg_catalog.to_jsonb(${expression})`
  if (typeName(column) === 'jsonb') return expression
  // Regular expressions refuse some collations of columns.
  const text = sql`(${expression}::text collate "C")`
  return sql`case when ${isJson(text)} then ${text}::jsonb end`
}

/** How deep arrays and objects may be nested. */
const depth = 16

/**
 * Whether a text is JSON that `jsonb` takes. Texts are replaced by a character that JSON cannot have outside of them, other
 * values by another one, and then arrays and objects of nothing else by that, from the inside out.
 */
function isJson(text: SqlFragment<never>): SqlFragment<never> {
  const [string, value] = ['\\u0001', '\\u0002']
  const any = `[${string}${value}]`
  const nested = `\\[(?:${any}(?:,${any})*)?\\]|\\{(?:${string}:${any}(?:,${string}:${any})*)?\\}`
  const escaped =
    '(?:["\\\\/bfnrt]|u(?!0000|[dD][89abAB]|[dD][c-fC-F])[0-9a-fA-F]{4}|u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2})'
  const number = '-?(?:0|[1-9][0-9]{0,254})(?:[.][0-9]{1,255})?(?:[eE][+-]?[0-9]{1,3})?(?![0-9.eE])'
  let form = replaced(text, `"(?:[^"\\\\\\u0001-\\u001f]|\\\\${escaped})*"`, string)
  form = replaced(form, `${number}|true|false|null`, value)
  form = replaced(form, '[ \\n\\r\\t]+', '')
  for (let level = 0; level < depth; level += 1) form = replaced(form, nested, value)
  return sql`(${text} !~ ${raw(literal(any))} and ${form} ~ ${raw(literal(`^${any}$`))})`
}

function replaced(text: SqlFragment<never>, pattern: string, by: string): SqlFragment<never> {
  const character = by === '' ? "''" : `pg_catalog.chr(${Number.parseInt(by.slice(2), 16)})`
  return sql`pg_catalog.regexp_replace(${text}, ${raw(literal(pattern))}, ${raw(character)}, 'g')`
}

/** A text of this file, whatever the server takes a backslash for. */
function literal(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\')}'`
}
