import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { findLayerViolations } from './check-layers.ts'
import { findNameViolations } from './check-names.ts'

/** What a check says of a small tree with these files below `src/`. */
async function on(files: Readonly<Record<string, string>>, check: (root: string) => readonly string[]) {
  const folder = await temporaryFolder()
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder.path, 'src', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    return check(folder.path)
  } finally {
    await folder.remove()
  }
}

test('a folder may import from lower layers only', async () => {
  const files = {
    'query/a.ts':
      "import { b } from '../graphql/b.ts'\nimport type { C } from '../store/c.ts'\nimport { d } from '../util/d.ts'",
    'graphql/b.ts': "export { c } from '../store/c.ts'",
    'store/c.ts': '',
    'util/d.ts': '',
    'other/e.ts': '',
  }
  expect(await on(files, findLayerViolations)).toEqual([
    'src/other/e.ts: the folder "other" is in no layer; add it in scripts/check-layers.ts.',
    'src/query/a.ts imports graphql/b.ts: graphql is in layer 6, above layer 4. Move what both need to a lower layer, or pass it as an argument.',
    'src/query/a.ts imports store/c.ts: both are in layer 4. Move what both need to a lower layer, or pass it as an argument.',
  ])
})

test('nothing imports itself in a circle, not even for its types', async () => {
  const files = {
    'util/a.ts': "import { b } from './b.ts'",
    'util/b.ts': "import {\n  type X,\n  c,\n} from './c.ts'",
    'util/c.ts': "const a = await import('./a.ts')",
    'util/d.ts': "import type { E } from './e.ts'",
    'util/e.ts': "import type { D } from './d.ts'",
  }
  expect(await on(files, findLayerViolations)).toEqual([
    'src/util/a.ts -> src/util/b.ts -> src/util/c.ts -> src/util/a.ts: a circle of imports. Pass one of them as an argument, or move what both need to a third file.',
    'src/util/d.ts -> src/util/e.ts -> src/util/d.ts: a circle of imports. Pass one of them as an argument, or move what both need to a third file.',
  ])
})

test('products, frameworks and settings are known in their places only', async () => {
  const files = {
    'rest/a.ts': "import fastify from 'fastify'",
    'rest/b.ts': "import { parse } from 'graphql'",
    'rest/c.ts': "import { DatabaseSync } from 'node:sqlite'",
    'rest/d.ts': "// works on SQLite, too\nif (product === 'postgresql') {}",
    'rest/e.ts': '/* process.env */ const home = process.env.HOME',
    'rest/f.ts': '/** Says it for SQLite and MySQL. */',
    'http/a.ts': "import fastify from 'fastify'",
    'graphql/b.ts': "import { parse } from 'graphql'",
    'database/dialects/sqlite/c.ts': "import { DatabaseSync } from 'node:sqlite'",
  }
  const violations = await on(files, findNameViolations)
  expect(violations.map((sentence) => sentence.split(';')[0])).toEqual([
    'src/rest/a.ts imports the HTTP framework',
    'src/rest/b.ts imports graphql-js',
    'src/rest/c.ts imports a database driver',
    'src/rest/c.ts names a database product',
    'src/rest/d.ts names a database product',
    'src/rest/e.ts reads the environment or the command line',
  ])
})

test('the reading of imports is not led astray by comments, strings and types before them', async () => {
  const files = {
    'util/a.ts': "export type A = number\nexport { b } from './b.ts'",
    'util/b.ts': "import { type A } from './a.ts'",
    'util/c.ts': "/*\nimport { x } from '../rest/x.ts'\n*/",
    'util/d.ts': "import {\n  x, // it's\n  y,\n} from '../rest/x.ts'",
    'rest/x.ts': '',
  }
  expect((await on(files, findLayerViolations)).map((sentence) => sentence.split(': ')[0])).toEqual([
    'src/util/d.ts imports rest/x.ts',
    'src/util/a.ts -> src/util/b.ts -> src/util/a.ts',
  ])
})

test('code between strings that look like comments is looked at; so are parts of packages', async () => {
  const files = {
    'rest/a.ts': "const all = '/apis/*'\nconst home = process.env.HOME\n/** Ends here. */",
    'rest/b.ts': "import { parse } from 'graphql/language/parser.js'",
    'rest/c.ts': "import { env } from 'node:process'",
    'rest/d.ts': 'const quote = /[\'"/*]/ // process.env',
    'web-front/session.ts': "import type { FastifyRequest } from 'fastify'",
    'web-front/session/routes.ts': "import type { FastifyRequest } from 'fastify'",
  }
  const violations = await on(files, findNameViolations)
  expect(violations.map((sentence) => sentence.split(';')[0])).toEqual([
    'src/rest/a.ts reads the environment or the command line',
    'src/rest/b.ts imports graphql-js',
    'src/rest/c.ts reads the environment or the command line',
    'src/web-front/session.ts imports the HTTP framework',
  ])
})
