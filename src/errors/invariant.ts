/**
 * Asserts what the surrounding code relies on. A failure is a bug: it is logged with its stack, the
 * client gets 500, and never the text.
 */
export function invariant(condition: unknown, explanation: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${explanation}`)
}
