import { nearestName } from './nearest-name.ts'

/** `; did you mean "X"` for the known name that was probably meant, for the end of a sentence; or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const meant = nearestName(name, [...known])
  return meant === undefined ? '' : `; did you mean "${meant}"`
}
