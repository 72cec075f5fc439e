/** Closes a `switch` over a union: a kind that is not handled no longer compiles. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected kind: ${JSON.stringify(value)}`)
}
