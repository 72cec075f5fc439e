import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AdminFailure } from '../admin/admin-failure.ts'
import type { DeclarationFile } from '../admin/declarations/declaration.ts'
import { quote } from '../config/quote.ts'
import type { Invocation } from './command.ts'
import { readFileText, unreadableFile } from './read-one-document.ts'

const endings = /\.(ya?ml|json)$/i

/**
 * A file, standard input as `-`, or all YAML and JSON files of a folder and its subfolders, by path, except those whose
 * names start with a dot. Throws `AdminFailure` for what cannot be read.
 */
export function readDeclarationFiles(
  path: string,
  readText: Invocation['readText'],
): readonly DeclarationFile[] {
  const paths = path !== '-' && isFolder(path) ? filesIn(path) : [path]
  return paths.map((file) => ({ path: file, text: readFileText(file, readText) }))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    throw unreadableFile(path, error)
  }
}

function filesIn(folder: string): readonly string[] {
  const found = filesBelow(folder).toSorted()
  if (found.length === 0)
    throw new AdminFailure([`The folder ${quote(folder)} has no .yaml, .yml or .json file.`])
  return found
}

/** Links to files are followed, links to folders are not: they may be circular. */
function filesBelow(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesBelow(path)
      return endings.test(path) && !isFolder(path) ? [path] : []
    })
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    throw unreadableFile(folder, error)
  }
}
