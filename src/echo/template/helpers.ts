/** The helpers that templates can call. A helper computes a value from values; it has access to nothing else. */
import type { TextFormat } from '../formats.ts'
import { csvCell, EscapedText, jsonText, textOf } from './escape.ts'
import { formatDate } from './format-date.ts'
import { formatNumber } from './format-number.ts'
import type { NamedValues } from './named-values.ts'

/** `{{name value value name=value}}` */
export type Helper = (values: readonly unknown[], named: NamedValues, format: TextFormat) => unknown

/** The helpers by name. A helper is called only with arguments: `{{date}}` alone is the param of that name. */
export const helpers: Readonly<Record<string, Helper>> = {
  date: ([value, pattern], named) => formatDate(value, pattern, named),
  number: ([value], named) => formatNumber(value, named),
  json: ([value], { indent }) => new EscapedText(jsonText(value, typeof indent === 'number' ? indent : 0)),
  csv: (values, { separator }, format) => {
    const text = values.map(csvCell).join(typeof separator === 'string' ? separator : ',')
    return format === 'csv' || format === 'txt' ? new EscapedText(text) : text
  },
  url: ([value]) => encodeURIComponent(textOf(value).toWellFormed()),
  join: ([list, separator]) =>
    Array.isArray(list) ? list.map(textOf).join(typeof separator === 'string' ? separator : ', ') : list,
  eq: ([one, other]) => one === other,
  gt: ([one, other]) => Number(one) > Number(other),
  and: (values) => values.every(Boolean),
  or: (values) => values.some(Boolean),
  not: ([value]) => !value,
}
