import { AdminFailure } from '../admin/admin-failure.ts'
import { readLocatedDocuments } from '../config/located-document.ts'
import { quote } from '../config/quote.ts'
import type { Invocation } from './command.ts'

/** The only document of a file, YAML or JSON. Throws `AdminFailure` with every mistake. */
export function readOneDocument(file: string, { readText }: Pick<Invocation, 'readText'>): unknown {
  const { documents, mistakes } = readLocatedDocuments(readFileText(file, readText))
  if (mistakes.length > 0) {
    throw new AdminFailure(mistakes.map(({ line, detail }) => `${file} line ${line}: ${detail}`))
  }
  const [document, another] = documents
  if (document !== undefined && another === undefined) return document.value
  throw new AdminFailure([
    `${file}: one document is expected, and it holds ${document === undefined ? 'none' : 'several'}.`,
  ])
}

/** A document that is an object; the gateway validates its contents. */
export function documentOf(file: string, invocation: Pick<Invocation, 'readText'>): object {
  const document = readOneDocument(file, invocation)
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document
  throw new AdminFailure([`${file}: keys and values are expected.`])
}

/** The text of a file; throws `AdminFailure` if it cannot be read. */
export function readFileText(file: string, readText: Invocation['readText']): string {
  try {
    return readText(file)
  } catch (error) {
    throw unreadableFile(file, error)
  }
}

/** The error for a file or folder that cannot be read. */
export function unreadableFile(file: string, error: unknown): AdminFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  return new AdminFailure([`The file ${quote(file)} ${reason}.`], error)
}
