const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A number of seconds in the words of a language, in the largest unit that fits without a rest. */
export function spokenDuration(seconds: number, language: string): string {
  const [unit, size] = units.find(([, length]) => seconds >= length && seconds % length === 0) ?? [
    'second',
    1,
  ]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}
