import { nearestName } from './nearest-name.ts'

/** `; did you mean "X"` with the known name that was probably meant, to end a sentence; or ''. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const meant = nearestName(name, [...known])
  return meant === undefined ? '' : `; did you mean "${meant}"`
}
