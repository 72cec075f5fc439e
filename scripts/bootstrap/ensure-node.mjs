import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { inWords, isNewEnough } from '../../src/bin/node-version.mjs'
import { whenNeeded } from './lock.mjs'
import { nodeBuilds } from './node-builds.mjs'
import { installPinned, isInstalled } from './pinned-package.mjs'
import { withProgress } from './progress.mjs'
import { packageJson, projectPath } from './project.mjs'
import { exitWith, StepFailed } from './run-command.mjs'

/**
 * True when this Node.js is new enough. Otherwise fetches the pinned package that holds the plain binary into
 * `.node/`, starts the same script with it, and gives false when that is done.
 */
export async function ensureNode() {
  const { version, platform, execArgv, arch, env, argv, versions } = process
  const wanted = packageJson().engines.node
  if (isNewEnough(versions.node, wanted)) return true
  const build = nodeBuilds[`${platform}-${arch}`]
  if (build === undefined) {
    throw new StepFailed(
      `Node.js ${version} is too old, and there is none to fetch for ${platform} on ${arch}: install Node.js ${inWords(wanted)}.`,
    )
  }
  const folder = projectPath('.node')
  const name = platform === 'win32' ? 'node.exe' : 'node'
  const binary = join(folder, 'node_modules', build.name, 'bin', name)
  await whenNeeded(
    () => !isInstalled(build, folder) || !existsSync(binary),
    async () => {
      const what = `Node.js ${versions.node} is too old; fetching version ${build.version} into .node/`
      await withProgress(what, () => installPinned(build, folder))
    },
  )
  env.PATH = `${dirname(binary)}${delimiter}${env.PATH}`
  await exitWith(binary, [...execArgv, ...argv.slice(1)])
  return false
}
