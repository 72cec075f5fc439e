/** Checks that each product, framework and source of settings is known in one place only. */
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readSourceFiles, type SourceFile } from './source-files.ts'

interface Rule {
  readonly what: string
  readonly where: RegExp
  /** Whether a file breaks the rule, when it is not one of those in `where`. */
  readonly brokenBy: (file: SourceFile) => boolean
}

const imports = (packages: RegExp) => (file: SourceFile) =>
  file.imports.some(({ specifier }) => packages.test(specifier))

const mentions = (words: RegExp) => (file: SourceFile) => words.test(file.code)

const rules: readonly Rule[] = [
  {
    what: 'imports the HTTP framework',
    where: /^(http\/|gateway\/(routes\/|protect\.ts|gateway\.ts)|web-front\/(.+\/)?(routes|web-front\.ts))/,
    brokenBy: imports(/^@?fastify(?!\/busboy$)/),
  },
  { what: 'imports graphql-js', where: /^graphql\//, brokenBy: imports(/^graphql(\/|$)/) },
  {
    what: 'imports a database driver',
    where: /^(database\/(dialects\/[^/]+\/|redis-notices\.ts)|web-front\/session\/)/,
    brokenBy: imports(/^(node:sqlite|pg|mysql2|@redis)/),
  },
  {
    what: 'names a database product',
    where:
      /^(database\/(dialects\/[^/]+\/|open-database\.ts|redis-notices\.ts)|web-front\/session\/|config\/|bin\/)/,
    brokenBy: mentions(/sqlite|postgres|mysql|mariadb|redis/i),
  },
  {
    what: 'reads the environment or the command line',
    where: /^bin\//,
    brokenBy: (file) => mentions(/process\.(env|argv)/)(file) || imports(/^(node:)?process$/)(file),
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

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  const violations = findNameViolations(fileURLToPath(new URL('..', import.meta.url)))
  for (const violation of violations) console.error(violation)
  process.exitCode = violations.length === 0 ? 0 : 1
}
