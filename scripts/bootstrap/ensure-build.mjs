import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { whenNeeded } from './lock.mjs'
import { withProgress } from './progress.mjs'
import { projectPath } from './project.mjs'
import { runQuietly, tool } from './run-command.mjs'

const stamp = 'built-from'

/** What is bundled for browsers, and the folder of `dist/` it goes into. */
const pages = [
  { name: 'GraphiQL', folder: 'console/graphiql', target: 'graphiql' },
  { name: 'the page of published APIs', folder: 'console/docs', target: 'docs' },
  { name: 'the console', folder: 'console/app', target: 'console' },
]

/** The client for applications in a browser, bundled like a page. */
const client = { name: 'the client for browsers', folder: 'browser', target: 'browser' }

/**
 * Bundles `src/` into `dist/bin/` and the pages of `console/` into folders beside it, unless that is what `dist/` was built from.
 * The build is made elsewhere and moved there when it is whole; a page whose sources are the same is taken over.
 */
export async function ensureBuild() {
  await whenNeeded(
    () => !isBuiltFrom('dist', hashOf(allSources())),
    async () => {
      const wanted = hashOf(allSources())
      const fresh = projectPath('.node/build')
      rmSync(fresh, { recursive: true, force: true })
      mkdirSync(fresh, { recursive: true })
      await withProgress('Building', () =>
        allDone(
          bundleProgram(join(fresh, 'bin')),
          ...pages.map((page) => bundle(page, join(fresh, page.target))),
          buildClient(join(fresh, client.target)),
          buildGuide(join(fresh, 'guide')),
        ),
      )
      writeFileSync(join(fresh, stamp), wanted)
      rmSync(projectPath('dist'), { recursive: true, force: true })
      renameSync(fresh, projectPath('dist'))
    },
  )
}

/** Waits for all also when one fails: nothing is at work any more when the failure is told. */
async function allDone(...steps) {
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function bundleProgram(folder) {
  await bundleWith(projectPath('.'), folder, 'The build')
}

/** The client with its types, for the TypeScript of applications; its sources are not in the package. */
async function buildClient(folder) {
  // The bundler empties the folder first.
  await bundle(client, folder)
  const flags = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', folder]
  const compiler = [tool('typescript', 'tsc'), '-p', projectPath('browser/tsconfig.json'), ...flags]
  await runQuietly('The build of the types for browsers', process.execPath, compiler)
}

async function buildGuide(folder) {
  const builder = [projectPath('scripts/guide/build-guide.ts'), folder]
  await runQuietly('The build of the documentation', process.execPath, builder)
}

async function bundle(page, folder) {
  const wanted = hashOf(sourcesOf(page))
  if (isBuiltFrom(`dist/${page.target}`, wanted)) {
    cpSync(projectPath(`dist/${page.target}`), folder, { recursive: true })
    return
  }
  await bundleWith(projectPath(page.folder), folder, `The build of ${page.name}`)
  writeFileSync(join(folder, stamp), wanted)
}

/** Does what the `vite.config.ts` of a folder says. */
async function bundleWith(root, folder, name) {
  const bundler = [tool('vite'), 'build', root, '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
  await runQuietly(name, process.execPath, bundler, { env: { ...process.env, NODE_ENV: 'production' } })
}

function isBuiltFrom(folder, hash) {
  const present = projectPath(`${folder}/${stamp}`)
  return existsSync(present) && readFileSync(present, 'utf8') === hash
}

function allSources() {
  const isProgram = (name) => /\.m?[jt]s$/.test(name) && !name.endsWith('.test.ts')
  return [
    ...new Set([...pages, client].flatMap(sourcesOf)),
    'package.json',
    'vite.config.ts',
    ...filesIn('src').filter(isProgram),
    ...guideSources(),
  ]
}

/** The documents, what makes pages of them, and what they may link to. */
function guideSources() {
  const documents = filesIn('docs').filter((name) => name.endsWith('.md'))
  const atRoot = readdirSync(projectPath('.')).filter((name) => name.endsWith('.md'))
  return [...documents, ...atRoot, ...['scripts/guide', 'console/guide', 'examples'].flatMap(filesIn)]
}

function sourcesOf({ folder }) {
  return [
    'package-lock.json',
    'tsconfig.json',
    ...filesIn('console/logon'),
    'console/precompress.ts',
    'console/without-fonts.ts',
    ...filesIn('browser'),
    ...filesIn(folder),
  ]
}

function filesIn(folder) {
  return readdirSync(projectPath(folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => statSync(projectPath(name)).isFile())
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(projectPath(file)))
  return hash.digest('hex')
}
