import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { packageJson, projectPath } from './project.mjs'
import { exitWith, npm } from './run-command.mjs'

const fetchedVersion = 24

/**
 * True when this Node.js is new enough. Otherwise fetches the package that holds the plain binary into
 * `.node/`, starts the same script with it, and gives false when that is done.
 */
export async function ensureNode() {
  if (isNewEnough(process.versions.node, packageJson().engines.node)) return true
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const binary = projectPath(
    `.node/node_modules/${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`,
  )
  if (!existsSync(binary)) {
    console.error(
      `Node.js ${process.versions.node} is too old; fetching version ${fetchedVersion} into .node/ …`,
    )
    const options = [
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefix',
      projectPath('.node'),
    ]
    await npm(['install', ...options, `${name}@${fetchedVersion}`])
  }
  process.env.PATH = `${dirname(binary)}${delimiter}${process.env.PATH}`
  await exitWith(binary, process.argv.slice(1))
  return false
}

/** Whether a version satisfies a range of the form `>=22.18`. */
function isNewEnough(version, range) {
  const wanted = range.replace('>=', '').split('.').map(Number)
  const found = version.split('.').map(Number)
  for (const [index, part] of wanted.entries()) {
    if (found[index] !== part) return found[index] > part
  }
  return true
}
