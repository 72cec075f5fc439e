import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'

/** One file of `src/`, with what it imports. */
export interface SourceFile {
  /** From `src/`, with forward slashes: `graphql/model/naming.ts`. */
  readonly path: string
  readonly text: string
  readonly imports: readonly SourceImport[]
}

export interface SourceImport {
  /** As it is written: `./naming.ts`, `fastify`, `node:fs`. */
  readonly specifier: string
  /** The file of `src/` that is meant; undefined for packages. */
  readonly file?: string
  /** Only types are imported: gone when the program runs. */
  readonly typeOnly: boolean
}

/** All files below `<root>/src` but tests. */
export function readSourceFiles(root: string): readonly SourceFile[] {
  const folder = join(root, 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      return { path, text, imports: importsOf(path, text) }
    })
}

const statement = /^(?:import|export)\s+(type\s+)?([^'"`;]*?\s+from\s+)?['"]([^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(path: string, text: string): readonly SourceImport[] {
  const found: SourceImport[] = []
  for (const [, typeKeyword, names = '', specifier = ''] of text.matchAll(statement)) {
    const typeOnly = typeKeyword !== undefined || (names.includes('{') && onlyTypes(names))
    found.push({ specifier, typeOnly, ...fileOf(path, specifier) })
  }
  for (const [, specifier = ''] of text.matchAll(dynamic)) {
    found.push({ specifier, typeOnly: false, ...fileOf(path, specifier) })
  }
  return found
}

/** Whether every name in `{ … }` is marked as a type. */
function onlyTypes(names: string): boolean {
  const inside = /\{([^}]*)\}/.exec(names)?.[1] ?? ''
  const outside = names
    .replace(/\{[^}]*\}/, '')
    .replace(/\s+from\s+$/, '')
    .replace(/,/g, '')
    .trim()
  const each = inside
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return outside === '' && each.length > 0 && each.every((name) => name.startsWith('type '))
}

function fileOf(path: string, specifier: string): { readonly file?: string } {
  return specifier.startsWith('.') ? { file: posix.join(dirname(path), specifier) } : {}
}
