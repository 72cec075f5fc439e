/** A query that was saved under a name. */
export interface SavedQuery {
  readonly name: string
  readonly query: string
  /** JSON text; '' for none. */
  readonly variables: string
}

function keyOf(account: string): string {
  return `gatehouse.graphql-saved.${encodeURIComponent(account)}`
}

/** The saved queries of an account in this browser, by name. */
export function readSaved(account: string): readonly SavedQuery[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(keyOf(account)) ?? '[]')
    return Array.isArray(read) ? read.filter(isSaved) : []
  } catch {
    return []
  }
}

/** Keeps the saved queries of an account. */
export function writeSaved(account: string, saved: readonly SavedQuery[]): void {
  localStorage.setItem(keyOf(account), JSON.stringify(saved))
}

/** A list with one more query, in the place of one of the same name. */
export function withQuery(saved: readonly SavedQuery[], query: SavedQuery): readonly SavedQuery[] {
  const others = saved.filter(({ name }) => name !== query.name)
  return [...others, query].sort((a, b) => a.name.localeCompare(b.name))
}

function isSaved(one: unknown): one is SavedQuery {
  const { name, query, variables } = (one ?? {}) as Readonly<Record<string, unknown>>
  return [name, query, variables].every((text) => typeof text === 'string')
}
