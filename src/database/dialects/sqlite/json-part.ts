import { raw, type SqlFragment, sql } from '../../sql.ts'
import type { Syntax } from '../../syntax.ts'
import { hexadecimal, jsonPathText } from '../json-path-text.ts'

/** See `Syntax.jsonPart`. */
export const jsonPart: Syntax['jsonPart'] = ({ path, kind }, expression): SqlFragment<never> => {
  const at = raw(`cast(x'${hexadecimal(jsonPathText(path))}' as text)`)
  const json = sql`iif(json_valid(${expression}), ${expression}, null)`
  const type = sql`json_type(${json}, ${at})`
  const value = sql`json_extract(${json}, ${at})`
  switch (kind) {
    case 'string':
      return sql`(case when ${type} = 'text' then ${value} end)`
    case 'number':
      return sql`(case when ${type} in ('integer', 'real') and abs(${value}) <= 1e299 then cast(${value} as real) end)`
    case 'boolean':
      return sql`(case ${type} when 'true' then 1 when 'false' then 0 end)`
    case 'any':
      return sql`(case when ${type} <> 'null' then cast(${value} as text) end)`
  }
}
