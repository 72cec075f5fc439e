/** The name under which `decimalKey` is known to SQL on every connection. */
export const decimalKeyFunction = 'gatehouse_decimal_key'

const lengthDigits = 4

/**
 * A text that sorts, by code point, as the decimal number sorts by value. SQLite has no exact
 * decimals: ours are kept as canonical text (`-12.5`, no leading or trailing zeros), and this is what
 * they are compared by. Null for what is not such a number.
 */
export function decimalKey(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value)
  if (match === null) return null
  const [, sign, whole = '', fraction = ''] = match
  const digits = whole === '0' ? '' : whole
  const magnitude = `${String(digits.length).padStart(lengthDigits, '0')}${digits}.${fraction}`
  if (sign === '') return `1${magnitude}`
  const complement = magnitude.replace(/\d/g, (digit) => String(9 - Number(digit)))
  return `0${complement}~`
}
