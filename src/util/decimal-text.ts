/**
 * A decimal number as canonical text: no exponent, no `+`, no redundant zeros; two texts are equal
 * exactly if the numbers are. Undefined for what is not a number or has more digits than
 * `mostDigits`. Reads https://www.rfc-editor.org/rfc/rfc8259#section-6, and also a leading `+` or
 * zeros.
 */
export function parseDecimal(text: string, mostDigits = digitLimit): string | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const exponent = Number(exponentText)
  const digits = whole + fraction
  const point = whole.length + exponent
  if (Math.abs(exponent) > mostDigits * 2) return undefined
  const before = point > 0 ? digits.slice(0, point).padEnd(point, '0') : ''
  const after = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits
  const canonicalWhole = before.replace(/^0+/, '')
  const canonicalFraction = withoutZerosAfter(after)
  if (canonicalWhole.length + canonicalFraction.length > mostDigits) return undefined
  if (canonicalWhole === '' && canonicalFraction === '') return '0'
  return `${sign === '-' ? '-' : ''}${canonicalWhole || '0'}${canonicalFraction === '' ? '' : `.${canonicalFraction}`}`
}

const digitLimit = 65

/** Whether two JSON numbers of any length have the same value. */
export function isSameNumber(one: string, other: string): boolean {
  return significantDigits(one) === significantDigits(other)
}

/**
 * `-1200e3` as `-12e5`: digits without leading and trailing zeros, and the power of ten of the last
 * one.
 */
function significantDigits(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const trimmed = withoutZerosAfter(digits)
  if (trimmed === '') return '0'
  return `${sign}${trimmed}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - trimmed.length)}`
}

/** A regular expression would take quadratic time. */
function withoutZerosAfter(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}
