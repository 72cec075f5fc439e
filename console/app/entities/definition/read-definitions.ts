/** Definitions in files. */
import { parseAllDocuments } from 'yaml'
import { type Definition, isObject } from './definition.ts'

/** A file's name and its text. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

/** A definition with the name of its file. */
export interface DefinitionInFile {
  readonly file: string
  readonly definition: Definition
}

/** Why a file cannot be read; without a message, it holds something that is no definition. */
interface FileMistake {
  readonly file: string
  readonly message: string | undefined
}

/** What some files hold. */
export interface FilesReading {
  readonly definitions: readonly DefinitionInFile[]
  readonly mistakes: readonly FileMistake[]
}

/** Reads JSON and YAML, of several documents too: each is a definition or a list of them. */
export function readDefinitions(files: readonly TextFile[]): FilesReading {
  const definitions: DefinitionInFile[] = []
  const mistakes: FileMistake[] = []
  for (const { name: file, text } of files) {
    try {
      const found = documentsIn(file, text).flat()
      const wrong = found.length === 0 || !found.every(isObject)
      if (wrong) mistakes.push({ file, message: undefined })
      definitions.push(...found.filter(isObject).map((definition) => ({ file, definition })))
    } catch (error) {
      mistakes.push({ file, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return { definitions, mistakes }
}

function documentsIn(file: string, text: string): readonly unknown[] {
  if (/\.json$/i.test(file)) return [JSON.parse(text)]
  const documents = parseAllDocuments(text)
  return [...documents].map((document) => {
    const [first] = document.errors
    if (first !== undefined) throw first
    return document.toJS() as unknown
  })
}
