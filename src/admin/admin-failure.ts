/** The failure of a correct administration command: what to tell the user, line by line. */
export class AdminFailure extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[], cause?: unknown) {
    super(lines.join('\n'), { cause })
    this.name = 'AdminFailure'
    this.lines = lines
  }
}
