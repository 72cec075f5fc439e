import { filePageOf, type GuideDocument, isFile } from './read-documents.ts'

/** A sentence for each link of the documents that leads nowhere: to no document, heading or file. */
export function brokenLinks(documents: readonly GuideDocument[]): readonly string[] {
  const ids = new Map(documents.map(({ path, headings }) => [path, new Set(headings.map(({ id }) => id))]))
  return documents.flatMap(({ path, links }) =>
    links.flatMap((link) => {
      const known = ids.get(link.path)
      if (link.path.endsWith('.md') && known === undefined) {
        return [`${path} links to ${link.target}, which is not in the guide.`]
      }
      if (link.id !== '' && known?.has(link.id) !== true) {
        return [`${path} links to ${link.target}, and there is no such heading.`]
      }
      return []
    }),
  )
}

/** The files that are no documents and that documents link to, with their place in the guide. */
export function linkedFiles(root: string, documents: readonly GuideDocument[]): ReadonlyMap<string, string> {
  const paths = documents.flatMap(({ links }) => links.map(({ path }) => path))
  const files = paths.filter((path) => !path.endsWith('.md') && isFile(root, path))
  return new Map(files.map((path) => [path, filePageOf(path)]))
}
