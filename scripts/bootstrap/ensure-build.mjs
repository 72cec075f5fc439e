import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { whenNeeded } from './lock.mjs'
import { projectPath } from './project.mjs'
import { runQuietly, tool } from './run-command.mjs'

const stamp = 'built-from'

/**
 * Builds `src/` into `dist/`, unless that is what `dist/` was built from. The build is made elsewhere and
 * moved there when it is whole.
 */
export async function ensureBuild() {
  await whenNeeded(
    () => !isBuiltFrom(hashOfSources()),
    async () => {
      console.error('Building …')
      const wanted = hashOfSources()
      const fresh = projectPath('.node/build')
      rmSync(fresh, { recursive: true, force: true })
      mkdirSync(fresh, { recursive: true })
      const compiler = [
        tool('typescript', 'tsc'),
        '-p',
        projectPath('tsconfig.build.json'),
        '--outDir',
        fresh,
      ]
      await runQuietly('The build', process.execPath, compiler)
      writeFileSync(join(fresh, stamp), wanted)
      rmSync(projectPath('dist'), { recursive: true, force: true })
      renameSync(fresh, projectPath('dist'))
    },
  )
}

function isBuiltFrom(hash) {
  const present = projectPath(`dist/${stamp}`)
  return existsSync(present) && readFileSync(present, 'utf8') === hash
}

function hashOfSources() {
  const hash = createHash('sha256')
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
  for (const name of readdirSync(projectPath('src'), { recursive: true })) {
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) files.push(join('src', name))
  }
  for (const file of files.sort()) hash.update(`${file}\n`).update(readFileSync(projectPath(file)))
  return hash.digest('hex')
}
