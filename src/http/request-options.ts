/**
 * The headers of the gateway's own prefix that clients may send: what they ask of a request. They say nothing about who
 * calls, so the web front passes them on. All other headers of the prefix are dropped on the way.
 */
export const requestOptionHeaders: readonly string[] = ['X-Gatehouse-Explain', 'X-Gatehouse-Fresh']

const names: ReadonlySet<string> = new Set(requestOptionHeaders.map((name) => name.toLowerCase()))

/** Whether a header is one of them, by its exact name in any case: `x_gatehouse_explain` is another one. */
export function isRequestOption(name: string): boolean {
  return names.has(name.toLowerCase())
}
