/** Checks that each product, framework and source of settings is known in one place only. */
import { pathToFileURL } from 'node:url'
import { readSourceFiles, type SourceFile } from './source-files.ts'

interface Rule {
  readonly what: string
  readonly where: RegExp
  /** Whether a file breaks the rule, when it is not one of those in `where`. */
  readonly brokenBy: (file: SourceFile) => boolean
}

const imports = (packages: RegExp) => (file: SourceFile) =>
  file.imports.some(({ specifier }) => packages.test(specifier))

const mentions = (words: RegExp) => (file: SourceFile) => words.test(withoutComments(file.text))

const rules: readonly Rule[] = [
  {
    what: 'imports the HTTP framework',
    where: /^(http\/|gateway\/(routes\/|protect\.ts|gateway\.ts)|web-front\/)/,
    brokenBy: imports(/^@?fastify/),
  },
  { what: 'imports graphql-js', where: /^graphql\//, brokenBy: imports(/^graphql$/) },
  {
    what: 'imports a database driver',
    where: /^database\/dialects\/[^/]+\//,
    brokenBy: imports(/^(node:sqlite|pg|mysql2)/),
  },
  {
    what: 'names a database product',
    where: /^(database\/(dialects\/[^/]+\/|open-database\.ts)|config\/|bin\/)/,
    brokenBy: mentions(/sqlite|postgres|mysql|mariadb/i),
  },
  {
    what: 'reads the environment or the command line',
    where: /^bin\//,
    brokenBy: mentions(/process\.(env|argv)/),
  },
]

/** One sentence for each violation. */
export function findNameViolations(root: string): readonly string[] {
  return readSourceFiles(root).flatMap((file) =>
    rules
      .filter(({ where, brokenBy }) => !where.test(file.path) && brokenBy(file))
      .map(
        ({ what, where }) =>
          `src/${file.path} ${what}; only ${where.source} may. Ask the dialect, or pass what is needed as an argument.`,
      ),
  )
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const violations = findNameViolations(new URL('..', import.meta.url).pathname)
  for (const violation of violations) console.error(violation)
  process.exitCode = violations.length === 0 ? 0 : 1
}
