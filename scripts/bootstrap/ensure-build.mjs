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
import { projectPath } from './project.mjs'
import { runQuietly, tool } from './run-command.mjs'

const stamp = 'built-from'

/**
 * Builds `src/` into `dist/` and the pages of `console/` below it, unless that is what `dist/` was built from.
 * The build is made elsewhere and moved there when it is whole; a page whose sources are the same is taken over.
 */
export async function ensureBuild() {
  await whenNeeded(
    () => !isBuiltFrom('dist', hashOf(allSources())),
    async () => {
      console.error('Building …')
      const wanted = hashOf(allSources())
      const fresh = projectPath('.node/build')
      rmSync(fresh, { recursive: true, force: true })
      mkdirSync(fresh, { recursive: true })
      await bothDone(compileProgram(fresh), bundleGraphiql(join(fresh, 'graphiql')))
      writeFileSync(join(fresh, stamp), wanted)
      rmSync(projectPath('dist'), { recursive: true, force: true })
      renameSync(fresh, projectPath('dist'))
    },
  )
}

/** Waits for both also when one fails: nothing is at work any more when the failure is told. */
async function bothDone(...steps) {
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function compileProgram(folder) {
  const compiler = [tool('typescript', 'tsc'), '-p', projectPath('tsconfig.build.json'), '--outDir', folder]
  await runQuietly('The build', process.execPath, compiler)
}

async function bundleGraphiql(folder) {
  const wanted = hashOf(graphiqlSources())
  if (isBuiltFrom('dist/graphiql', wanted)) {
    cpSync(projectPath('dist/graphiql'), folder, { recursive: true })
    return
  }
  const bundler = [tool('vite'), 'build', projectPath('console/graphiql'), '--outDir', folder]
  const env = { ...process.env, NODE_ENV: 'production' }
  await runQuietly('The build of GraphiQL', process.execPath, [...bundler, '--logLevel', 'warn'], { env })
  writeFileSync(join(folder, stamp), wanted)
}

function isBuiltFrom(folder, hash) {
  const present = projectPath(`${folder}/${stamp}`)
  return existsSync(present) && readFileSync(present, 'utf8') === hash
}

function allSources() {
  const isCompiled = (name) => name.endsWith('.ts') && !name.endsWith('.test.ts')
  return [...graphiqlSources(), 'package.json', 'tsconfig.build.json', ...filesIn('src').filter(isCompiled)]
}

function graphiqlSources() {
  return ['package-lock.json', 'tsconfig.json', ...filesIn('console/graphiql')]
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
