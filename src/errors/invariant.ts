/**
 * States what the code around it relies on. A failure is a bug of ours: it is logged with its stack
 * and answered with 500, and the text never reaches a client.
 */
export function invariant(condition: unknown, explanation: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${explanation}`)
}
