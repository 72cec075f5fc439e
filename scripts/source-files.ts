import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'

/** One file of `src/`, with what it imports. */
export interface SourceFile {
  /** From `src/`, with forward slashes: `graphql/model/naming.ts`. */
  readonly path: string
  /** Without comments. */
  readonly code: string
  readonly imports: readonly SourceImport[]
}

export interface SourceImport {
  /** As it is written: `./naming.ts`, `fastify`, `node:fs`. */
  readonly specifier: string
  /** The file of `src/` that is meant; undefined for packages. */
  readonly file?: string
}

/** All files below `<root>/src` but tests. */
export function readSourceFiles(root: string): readonly SourceFile[] {
  const folder = join(root, 'src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => /\.(?:ts|mjs)$/.test(name) && !name.endsWith('.test.ts'))
    .sort()
    .map((path) => {
      const code = withoutComments(readFileSync(join(folder, path), 'utf8'))
      return { path, code, imports: importsOf(path, code) }
    })
}

const statement =
  /^(?:import|export)\s+(?:type\s+(?=[\w${*]))?(?:(?:[\w$]+\s*,?\s*)?(?:\*(?:\s*as\s+[\w$]+)?|\{[^}]*\})?\s*from\s*)?['"]([^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(path: string, text: string): readonly SourceImport[] {
  const found: SourceImport[] = []
  for (const [, specifier = ''] of text.matchAll(statement)) {
    found.push({ specifier, ...fileOf(path, specifier) })
  }
  for (const [, specifier = ''] of text.matchAll(dynamic)) {
    found.push({ specifier, ...fileOf(path, specifier) })
  }
  return found
}

const quoted = /(['"])(?:\\.|(?!\1)[^\\\n])*\1|`(?:\\[\s\S]|[^\\`])*`/
const regularExpression = /(?<=[(=,:[!&|?{}]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\\/\n[])+\//
const comment = /\/\*[\s\S]*?\*\/|\/\/.*/
const piece = new RegExp(
  `(${quoted.source.replaceAll('\\1', '\\2')}|${regularExpression.source})|${comment.source}`,
  'g',
)

/** The code alone. What looks like a comment inside a string or a regular expression stays. */
function withoutComments(text: string): string {
  return text.replace(piece, (_, kept: string | undefined) => kept ?? '')
}

function fileOf(path: string, specifier: string): { readonly file?: string } {
  return specifier.startsWith('.') ? { file: posix.join(dirname(path), specifier) } : {}
}
