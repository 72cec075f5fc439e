/** How much longer than the program itself the server waits before it ends a statement, in milliseconds. */
const graceMs = 5000

/** How long the server lets a statement run, in milliseconds: it ends what a program left behind that stopped, or lost its way to it. */
export function serverLimitOf(statementTimeoutMs: number): number {
  return statementTimeoutMs + graceMs
}
