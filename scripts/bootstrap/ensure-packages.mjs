import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { projectPath } from './project.mjs'
import { npm } from './run-command.mjs'

/** Installs the packages of `package-lock.json`, unless those are what is installed. No package runs a script. */
export async function ensurePackages() {
  const stamp = projectPath('node_modules/.gatehouse-installed')
  const wanted = createHash('sha256')
    .update(readFileSync(projectPath('package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Installing packages …')
  await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', projectPath('.')])
  writeFileSync(stamp, wanted)
}
