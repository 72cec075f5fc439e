/**
 * A regular expression for everything that does not begin with `front`, or continues with what `rest` matches: RE2 has no
 * negation.
 */
export function allBut(front: string, rest: string): string {
  return [...front].reduceRight((inner, character) => `(?:|[^${character}].*|${character}${inner})`, rest)
}
