/** The query parameters of a call by name: a text, or a list if it was repeated. */
export type Query = Readonly<Record<string, string | readonly string[]>>

/** Names of fields, in one parameter with commas or in several. */
export function namesIn(query: Query, name: string): readonly string[] {
  const value = query[name] ?? []
  const names = (typeof value === 'string' ? [value] : value).flatMap((text) => text.split(','))
  return names.map((field) => field.trim()).filter((field) => field !== '')
}
