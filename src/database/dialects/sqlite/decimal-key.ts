/** The name of `decimalKey` in SQL, on every connection. */
export const decimalKeyFunction = 'gatehouse_decimal_key'

const lengthDigits = 4

/**
 * A text that sorts, by code point, as the decimal number sorts by value. SQLite has no exact decimals: ours are
 * stored as canonical text (`-12.5`, no leading or trailing zeros) and compared by this key. Anything else sorts above
 * all numbers: other texts, then bytes.
 */
export function decimalKey(value: unknown): string | null {
  if (value === null) return null
  if (value instanceof Uint8Array) return `3${Buffer.from(value).toString('hex')}`
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (match === null) return `2${text}`
  const [, sign, whole = '', fraction = ''] = match
  const digits = whole === '0' ? '' : whole
  const magnitude = `${String(digits.length).padStart(lengthDigits, '0')}${digits}.${fraction}`
  if (sign === '') return `1${magnitude}`
  const complement = magnitude.replace(/\d/g, (digit) => String(9 - Number(digit)))
  return `0${complement}~`
}

/** The name of `decimalOf` in SQL, on every connection. */
export const decimalOfKeyFunction = 'gatehouse_decimal_of_key'

/** The value that `decimalKey` has made a key of; of bytes, their hexadecimal digits. */
export function decimalOf(key: unknown): string | null {
  if (typeof key !== 'string') return null
  const rest = key.slice(1)
  if (key[0] === '2' || key[0] === '3') return rest
  const isNegative = key[0] === '0'
  const magnitude = isNegative ? rest.slice(0, -1).replace(/\d/g, (digit) => String(9 - Number(digit))) : rest
  const [whole = '', fraction = ''] = magnitude.slice(lengthDigits).split('.')
  return `${isNegative ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`
}
