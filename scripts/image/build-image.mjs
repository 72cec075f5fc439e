import { spawnSync } from 'node:child_process'
import { packageJson, projectPath } from '../bootstrap/project.mjs'
import { run, StepFailed } from '../bootstrap/run-command.mjs'
import { collectFiles } from './collect-files.mjs'

/** Each builds an image from a folder and a Containerfile; the first that is installed does it. */
const builders = {
  // A health check is part of this format only.
  buildah: ['build', '--format', 'docker', '--layers=false'],
  podman: ['build', '--format', 'docker', '--layers=false'],
  docker: ['build'],
}

/**
 * `npm run image -- [--tag NAME] [flags of the builder]`: builds the image of what `dist/` holds. The tag is `gatehouse` and
 * the version, unless another is given. Gives the exit code.
 */
export async function buildImage(words) {
  const name = Object.keys(builders).find((builder) => spawnSync(builder, ['--version']).status === 0)
  if (name === undefined) {
    throw new StepFailed(
      'An image is built by buildah, podman or docker, and none is installed. On Debian: apt-get install buildah',
    )
  }
  const folder = projectPath('.node/image')
  await collectFiles(folder)
  const tag = words.includes('--tag') ? [] : ['--tag', `gatehouse:${packageJson().version}`]
  const file = projectPath('scripts/image/Containerfile')
  return run(name, [...builders[name], '--file', file, ...tag, ...words, folder])
}
