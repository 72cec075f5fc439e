/** Ends a `switch` over a union: if a case is not handled, the code does not compile. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected kind: ${JSON.stringify(value)}`)
}
