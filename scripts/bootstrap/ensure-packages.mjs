import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { whenNeeded } from './lock.mjs'
import { withProgress } from './progress.mjs'
import { projectPath } from './project.mjs'
import { npm } from './run-command.mjs'

/** Installs the packages of `package-lock.json`, unless those are what is installed. No package runs a script. */
export async function ensurePackages() {
  const stamp = projectPath('node_modules/.gatehouse-installed')
  const wanted = createHash('sha256')
    .update(readFileSync(projectPath('package-lock.json')))
    .digest('hex')
  const isNeeded = () => !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted
  await whenNeeded(isNeeded, async () => {
    // The compiler is among the development packages, which NODE_ENV=production would leave out.
    const flags = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']
    await withProgress('Installing packages', () => npm(['ci', ...flags, '--prefix', projectPath('.')]))
    writeFileSync(stamp, wanted)
  })
}
