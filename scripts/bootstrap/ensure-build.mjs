import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from './project.mjs'
import { runQuietly, tool } from './run-command.mjs'

/**
 * Builds `src/` into `dist/`, unless that is what `dist/` was built from. The build is made beside it and
 * moved there when it is whole.
 */
export async function ensureBuild() {
  const stamp = 'built-from'
  const wanted = hashOfSources()
  const present = projectPath(`dist/${stamp}`)
  if (existsSync(present) && readFileSync(present, 'utf8') === wanted) return
  console.error('Building …')
  const fresh = projectPath(`dist.${process.pid}.tmp`)
  rmSync(fresh, { recursive: true, force: true })
  try {
    const compiler = [tool('typescript', 'tsc'), '-p', projectPath('tsconfig.build.json'), '--outDir', fresh]
    await runQuietly(process.execPath, compiler)
    writeFileSync(join(fresh, stamp), wanted)
    rmSync(projectPath('dist'), { recursive: true, force: true })
    renameSync(fresh, projectPath('dist'))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
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
