/** How much longer than the program the server waits before it ends a statement, in milliseconds. */
const graceMs = 5000

/**
 * The server's time limit for a statement, in milliseconds: it ends statements of a program that stopped or lost its
 * connection.
 */
export function serverLimitOf(statementTimeoutMs: number): number {
  return statementTimeoutMs + graceMs
}
