/** Writes the documentation as static pages: `node scripts/guide/build-guide.ts FOLDER`. A broken link is a failure. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brokenLinks, linkedFiles } from './check-links.ts'
import { addressFrom, type GuideDocument, readDocuments } from './read-documents.ts'
import { writePage } from './write-page.ts'

/** How much of a section the search knows. */
const searchedCharacters = 600

function buildGuide(root: string, folder: string): void {
  const documents = readDocuments(root)
  const mistakes = brokenLinks(documents)
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  const contents = documents.find(({ page }) => page === 'index')
  if (contents === undefined) throw new Error('There is no docs/README.md, which lists all documents.')
  const place = (name: string) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    return file
  }
  for (const document of documents)
    writeFileSync(place(`${document.page}.html`), writePage(document, contents))
  for (const [path, page] of linkedFiles(root, documents)) copyFileSync(join(root, path), place(page))
  for (const name of ['guide.css', 'search.js']) copyFileSync(join(root, 'console/guide', name), place(name))
  writeFileSync(place('search.json'), JSON.stringify(documents.flatMap(sectionsOf)))
}

/** What the search finds: the sections of a document. Addresses are those of links in the first page. */
function sectionsOf({ page, title, headings }: GuideDocument): readonly object[] {
  return headings.map(({ id, text, content }, index) => ({
    address: addressFrom('index', page, index === 0 ? '' : id),
    title: index === 0 ? title : `${title}: ${text}`,
    text: content.replaceAll(/\s+/g, ' ').trim().slice(0, searchedCharacters),
  }))
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder for the pages.')
buildGuide(fileURLToPath(new URL('../..', import.meta.url)), folder)
