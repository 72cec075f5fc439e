const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A number of seconds as people say it: in the largest unit that fits without a rest, such as “1 day” or “90 seconds”. */
export function spokenDuration(seconds: number): string {
  for (const [unit, size] of units) {
    if (seconds >= size && seconds % size === 0) return counted(seconds / size, unit)
  }
  return counted(seconds, 'second')
}

/**
 * How long to wait, as people say it: rounded up to the largest unit of which there are two or more, such as “90 seconds” or
 * “12 hours”.
 */
export function spokenWait(seconds: number): string {
  const [unit, size] = units.find(([, length]) => seconds >= 2 * length) ?? ['second', 1]
  return counted(Math.ceil(seconds / size), unit)
}

/** A number with its noun, in the plural unless it is one: “1 request”, “1,000 requests”. */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
