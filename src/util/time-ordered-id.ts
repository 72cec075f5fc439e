import type { Clock } from './clock.ts'
import type { RandomSource } from './random-source.ts'

/**
 * Gives ids whose order as text is the order they were made in: milliseconds, a counter within one
 * millisecond (and for as long as the clock goes back), and randomness that tells the nodes apart.
 */
export function createTimeOrderedIds(now: Clock, randomBytes: RandomSource): () => string {
  let milliseconds = 0
  let counter = 0
  return () => {
    const current = now().getTime()
    if (current > milliseconds) {
      milliseconds = current
      counter = 0
    } else {
      counter += 1
    }
    const random = Buffer.from(randomBytes(8)).toString('hex')
    return `${hexadecimal(milliseconds, 12)}-${hexadecimal(counter, 6)}-${random}`
  }
}

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
