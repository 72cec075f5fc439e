/** Reads the GraphQL documents that a configuration names: files, and folders with files. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { quote } from '../config/quote.ts'
import { documentMistake } from '../graphql/stored-documents.ts'

/** Texts of documents by their ids, and one line for each mistake. */
export interface StoredDocumentReading {
  readonly documents: ReadonlyMap<string, string>
  readonly mistakes: readonly string[]
}

const endings: readonly string[] = ['.graphql', '.gql', '.json']

/** A file, and the id of the document in it, if it holds one. */
interface DocumentFile {
  readonly path: string
  readonly id: string
}

interface FoundDocument {
  /** Where it is, for messages. */
  readonly place: string
  readonly id: string
  readonly text: string
}

/** All documents in these files and folders. */
export function readStoredDocuments(paths: readonly string[]): StoredDocumentReading {
  const documents = new Map<string, string>()
  const mistakes: string[] = []
  const add = (place: string, id: string, text: string) => {
    const mistake = documentMistake(text)
    const known = documents.get(id)
    if (mistake !== undefined) mistakes.push(`${place}: ${mistake}`)
    else if (known !== undefined && known !== text)
      mistakes.push(`${place}: another document has the id ${quote(id)}, too`)
    else documents.set(id, text)
  }
  const attempt = <Result>(path: string, read: () => readonly Result[]): readonly Result[] => {
    try {
      return read()
    } catch (error) {
      mistakes.push(`${quote(path)}: ${sentenceOf(error)}`)
      return []
    }
  }
  for (const path of paths) {
    for (const file of attempt(path, () => filesAt(path))) {
      for (const { place, id, text } of attempt(file.path, () => documentsIn(file))) add(place, id, text)
    }
  }
  return { documents, mistakes: mistakes.map((mistake) => `persisted: ${mistake}`) }
}

/** A mistake in a file. */
class FileMistake extends Error {}

function sentenceOf(error: unknown): string {
  if (error instanceof FileMistake) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such file or folder'
  return `cannot be read${code === undefined ? '' : ` (${code})`}`
}

function filesAt(path: string): readonly DocumentFile[] {
  if (!statSync(path).isDirectory()) return [{ path, id: withoutEnding(basename(path)) }]
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.includes(extname(name)))
    .sort()
  if (names.length === 0) throw new FileMistake(`the folder has no file that ends in ${endings.join(', ')}`)
  return names.map((name) => ({
    path: join(path, name),
    id: withoutEnding(relative(path, join(path, name)).replaceAll('\\', '/')),
  }))
}

function withoutEnding(name: string): string {
  return name.slice(0, name.length - extname(name).length)
}

function documentsIn({ path, id }: DocumentFile): readonly FoundDocument[] {
  const text = readFileSync(path, 'utf8')
  if (extname(path) !== '.json') return [{ place: quote(path), id, text }]
  return documentsInManifest(text).map(([id, text]) => ({ place: `${quote(path)}, ${quote(id)}`, id, text }))
}

/** A map of ids and texts, as Relay and GraphQL Code Generator write it, or a manifest of Apollo. */
function documentsInManifest(text: string): readonly (readonly [string, string])[] {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    throw new FileMistake('is not JSON')
  }
  const { operations } = (manifest ?? {}) as { readonly operations?: unknown }
  const entries: readonly (readonly [unknown, unknown])[] = Array.isArray(operations)
    ? operations.map((operation) => [operation?.id, operation?.body])
    : Object.entries(Array.isArray(manifest) ? { manifest } : (manifest ?? {}))
  return entries.map(([id, document]) => {
    if (typeof id === 'string' && typeof document === 'string') return [id, document]
    throw new FileMistake(
      'takes documents by id, as Relay writes them, or a manifest of Apollo with an id and a body for each operation',
    )
  })
}
