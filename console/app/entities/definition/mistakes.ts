/** Mistakes that the gateway found in a definition, by where they are. */
import { Refusal } from '../../../../browser/refusal.ts'
import type { Path } from './definition.ts'

/** A mistake and the JSON pointer to it: https://www.rfc-editor.org/rfc/rfc6901 */
export interface Mistake {
  readonly pointer: string
  readonly detail: string
}

/** The mistakes that a refusal tells of. */
export function mistakesIn(error: unknown): readonly Mistake[] {
  return error instanceof Refusal ? (error.problem.errors ?? []) : []
}

/** A path as a JSON pointer. */
function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** What is wrong exactly at a path; undefined if nothing is. */
export function mistakeAt(mistakes: readonly Mistake[], path: Path): string | undefined {
  const pointer = pointerOf(path)
  const details = mistakes.filter((mistake) => mistake.pointer === pointer).map(({ detail }) => detail)
  return details.length === 0 ? undefined : details.join(' ')
}

/** How many mistakes are at a path or below it. */
export function countMistakes(mistakes: readonly Mistake[], path: Path): number {
  return mistakes.filter(({ pointer }) => isWithin(pointer, path)).length
}

/** The mistakes that are neither at a path nor below it. */
export function mistakesBeside(mistakes: readonly Mistake[], path: Path): readonly Mistake[] {
  return mistakes.filter(({ pointer }) => !isWithin(pointer, path))
}

function isWithin(pointer: string, path: Path): boolean {
  return `${pointer}/`.startsWith(`${pointerOf(path)}/`)
}
