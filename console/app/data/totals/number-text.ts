/** A number with its digits in groups; it keeps all its digits. */
export function numberText(value: unknown, language: string): string {
  const text = String(value)
  const [isPlain, fraction = ''] = /^-?\d+(?:\.(\d+))?$/.exec(text) ?? []
  if (isPlain === undefined) return text
  const digits = Math.min(fraction.length, 100)
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(text as Intl.StringNumericLiteral)
}

/** An average, as exactly as people read it: seven digits, and never fewer than those before the point. */
export function averageText(value: unknown, language: string): string {
  const number = Number(value)
  if (!Number.isFinite(number)) return String(value)
  const whole = Math.trunc(Math.abs(number)).toLocaleString('en', { useGrouping: false }).length
  return numberText(Number(number.toPrecision(Math.min(100, Math.max(7, whole)))), language)
}
