import type { JsonPath } from '../../database-schema.ts'
import { join, raw, type SqlFragment, sql } from '../../sql.ts'
import type { Syntax } from '../../syntax.ts'
import { hexadecimal, jsonPathText } from '../json-path-text.ts'

/** See `Syntax.jsonPart`. */
export const jsonPart: Syntax['jsonPart'] = ({ path, kind }, expression): SqlFragment<never> => {
  const json = sql`if(json_valid(${expression}), ${expression}, null)`
  const value = at(json, path)
  const text = sql`json_unquote(${value})`
  const inArrays = arraysOn(path).map((array) => sql`json_type(${at(json, array)}) = 'ARRAY' and `)
  const isType = (test: string) => sql`${join(inArrays, '')}json_type(${value}) ${raw(test)}`
  switch (kind) {
    case 'string':
      return sql`(case when ${isType("= 'STRING'")} then ${text} end)`
    case 'number':
      return sql`(case when ${isType("in ('INTEGER', 'UNSIGNED INTEGER', 'DECIMAL', 'DOUBLE')")} and abs(${text} + 0e0) <= 1e299 then ${text} + 0e0 end)`
    case 'boolean':
      return sql`(case when ${isType("= 'BOOLEAN'")} then ${text} = 'true' end)`
    case 'any':
      return sql`(case when ${isType("<> 'NULL'")} then ${text} end)`
  }
}

function at(json: SqlFragment<never>, path: JsonPath): SqlFragment<never> {
  return sql`json_extract(${json}, convert(0x${raw(hexadecimal(jsonPathText(path)))} using utf8mb4))`
}

/** The paths to what has to be an array: elsewhere the server takes the index 0 for the value itself. */
function arraysOn(path: JsonPath): readonly JsonPath[] {
  return path.flatMap((step, index) => (typeof step === 'number' ? [path.slice(0, index)] : []))
}
