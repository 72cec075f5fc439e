import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { whenNeeded } from './lock.mjs'
import { packageJson, projectPath } from './project.mjs'
import { exitWith, npm } from './run-command.mjs'

const fetchedVersion = 24
const isWindows = process.platform === 'win32'
const packageName = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
const binary = projectPath(`.node/node_modules/${packageName}/bin/node${isWindows ? '.exe' : ''}`)

/**
 * True when this Node.js is new enough. Otherwise fetches the package that holds the plain binary into
 * `.node/`, starts the same script with it, and gives false when that is done.
 */
export async function ensureNode() {
  if (isNewEnough(process.versions.node, packageJson().engines.node)) return true
  await whenNeeded(() => !isFetched(), fetchNode)
  process.env.PATH = `${dirname(binary)}${delimiter}${process.env.PATH}`
  await exitWith(binary, [...process.execArgv, ...process.argv.slice(1)])
  return false
}

/** Fetches beside the place and moves the whole there, so that half a binary is never taken for one. */
async function fetchNode() {
  console.error(
    `Node.js ${process.versions.node} is too old; fetching version ${fetchedVersion} into .node/ …`,
  )
  const fresh = projectPath('.node/fresh')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', fresh]
  await npm(['install', ...options, `${packageName}@${fetchedVersion}`])
  rmSync(projectPath('.node/node_modules'), { recursive: true, force: true })
  renameSync(projectPath('.node/fresh/node_modules'), projectPath('.node/node_modules'))
  rmSync(fresh, { recursive: true, force: true })
}

function isFetched() {
  const manifest = projectPath(`.node/node_modules/${packageName}/package.json`)
  return (
    existsSync(binary) &&
    existsSync(manifest) &&
    JSON.parse(readFileSync(manifest, 'utf8')).version.startsWith(`${fetchedVersion}.`)
  )
}

/** Whether a version satisfies a range of the form `>=22.21`. */
function isNewEnough(version, range) {
  const wanted = range.replace('>=', '').split('.').map(Number)
  const found = version.split('.').map(Number)
  for (const [index, part] of wanted.entries()) {
    if (found[index] !== part) return found[index] > part
  }
  return true
}
