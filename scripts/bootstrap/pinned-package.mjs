import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, StepFailed } from './run-command.mjs'

const stampName = '.gatehouse-integrity'
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund']

/** Whether the very bytes of a package were installed in a folder by `installPinned`. */
export function isInstalled({ integrity }, folder) {
  try {
    return readFileSync(join(folder, 'node_modules', stampName), 'utf8') === integrity
  } catch {
    return false
  }
}

/**
 * Fetches one version of a package and installs it into `<folder>/node_modules`, which it replaces, without running a script of
 * it. Throws StepFailed, before anything is unpacked, where what came is not what `integrity` says. It is made beside the
 * place and moved there whole, so that half a package is never taken for one.
 */
export async function installPinned(pinned, folder, runNpm = npm) {
  const { name, version, integrity } = pinned
  const fresh = join(folder, 'fresh')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  try {
    await runNpm(['pack', ...quiet, '--pack-destination', fresh, `${name}@${version}`]).catch((error) => {
      throw /\bEINTEGRITY\b/.test(error.message) ? changed(pinned) : error
    })
    const [file] = readdirSync(fresh).filter((entry) => entry.endsWith('.tgz'))
    if (file === undefined) throw new StepFailed(`npm pack ${name}@${version} gave no package.`)
    const packed = join(fresh, file)
    assertIntact(readFileSync(packed), pinned)
    await runNpm(['install', ...quiet, '--no-save', '--offline', '--prefix', fresh, packed])
    writeFileSync(join(fresh, 'node_modules', stampName), integrity)
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    renameSync(join(fresh, 'node_modules'), join(folder, 'node_modules'))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function assertIntact(bytes, pinned) {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (found !== pinned.integrity) throw changed(pinned)
}

function changed({ name, version, instead = 'install a newer Node.js yourself' }) {
  return new StepFailed(
    `The package ${name}@${version} that was fetched is not the one that is pinned here, and nothing of it was used: check the package registry that npm is set to, or ${instead}.`,
  )
}
