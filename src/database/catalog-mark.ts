/** What a look at the catalogue has seen: the same text as long as nobody changes tables, views, columns, keys or references. */
export interface CatalogMark {
  readonly text: string
  /** Present where looking takes the server long: what says cheaply that nothing can have changed, for so many looks more. */
  readonly quick?: { readonly text: string; readonly looksLeft: number }
}
