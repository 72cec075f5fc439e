/** The state of the catalogue: the same text as long as no one changes tables, views, columns, keys or references. */
export interface CatalogMark {
  readonly text: string
  /**
   * Present if reading the state is slow: a cheap indicator that nothing can have changed, valid for so many more
   * checks.
   */
  readonly quick?: { readonly text: string; readonly looksLeft: number }
}
