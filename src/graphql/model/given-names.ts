/** The names of relations that clients know, which stay. */

/** The names of the two fields that a foreign key makes. */
export interface RelationNames {
  /** Of the field that holds the row it points to. */
  readonly reference: string
  /** Of the field that holds the rows that point here. */
  readonly collection: string
}

/** By what tells a foreign key from all others. */
export type GivenNames = Readonly<Record<string, RelationNames>>

/** The text in which they are kept. */
export function givenNamesText(names: GivenNames): string {
  return JSON.stringify(names)
}

/** What `givenNamesText` wrote; no names where nothing was kept. */
export function parseGivenNames(text: string | undefined): GivenNames {
  return text === undefined ? {} : JSON.parse(text)
}
