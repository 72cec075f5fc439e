/** `; did you mean X?` for the end of a message, or nothing. */
export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
