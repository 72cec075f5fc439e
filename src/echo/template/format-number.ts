import type { NamedValues } from './named-values.ts'
import { ParamRefused } from './param-refused.ts'

/**
 * Formats a number for `locale` (by default `en`): `digits` decimal places, `currency` by its code, `grouping=false`
 * without thousands separators. A text with digits keeps all of them. Throws ParamRefused.
 */
export function formatNumber(value: unknown, { digits, locale, currency, grouping }: NamedValues): string {
  if (value === undefined || value === null || value === '') return ''
  const isNumber =
    typeof value === 'number' ||
    (typeof value === 'string' && /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(value))
  if (!isNumber) throw new ParamRefused('number', value, 'a number')
  const format = new Intl.NumberFormat(typeof locale === 'string' ? locale : 'en', {
    useGrouping: grouping !== false,
    ...(typeof digits === 'number'
      ? { minimumFractionDigits: digits, maximumFractionDigits: digits }
      : { maximumFractionDigits: currency === undefined ? 100 : undefined }),
    ...(typeof currency === 'string' ? { style: 'currency', currency } : {}),
  } as Intl.NumberFormatOptions)
  return format.format(value as Intl.StringNumericLiteral)
}
