import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** A path inside the project, whatever the current folder is. */
export function projectPath(path) {
  return join(root, path)
}

/** The content of `package.json`. */
export function packageJson() {
  return JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))
}
