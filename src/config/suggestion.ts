/** `; did you mean X?` to end a line on the terminal, with a name as it is written there; or ''. */
export function suggestion(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
