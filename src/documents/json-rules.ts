/** What is refused in JSON from clients, besides invalid JSON. */
import { AppError } from '../errors/app-error.ts'
import { isSameNumber } from '../util/decimal-text.ts'
import { jsonPointer } from './parse-document.ts'

/** How deep objects and lists may be nested. */
export const depthLimit = 64

/** Refuses a number that is not finite. */
export function refuseTooLarge(value: number): void {
  if (!Number.isFinite(value)) throw unreadable('A number is too large for JSON.')
}

/** No number needs this many characters. */
const longestNumber = 1000

/** The number that a JSON text stands for. Refuses one that would lose digits. */
export function readNumber(source: string): number {
  if (source.length > longestNumber) throw lostDigits(source)
  const value = Number(source)
  refuseTooLarge(value)
  // Shorter ones are kept exactly.
  if (source.length >= 16 && !isSameNumber(String(value), source)) throw lostDigits(source)
  return value
}

function lostDigits(source: string): AppError {
  return unreadable(
    `The number ${shortened(source, 60)} has more digits than a JSON number can hold. Send it as a text.`,
  )
}

/** The error for a key that occurs twice; `path` leads to its object. */
export function duplicateMistake({
  key,
  path,
}: {
  readonly key: string
  readonly path: readonly string[]
}): AppError {
  const place = path.length === 0 ? 'the body' : jsonPointer(path)
  return unreadable(
    `The key ${JSON.stringify(shortened(key, 200))} occurs twice in ${shortened(place, 200)}. Remove one of them.`,
  )
}

/** The error for a body that cannot be read. */
export function unreadable(detail: string, cause?: unknown): AppError {
  return new AppError('BODY_UNREADABLE', { detail, cause })
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}
