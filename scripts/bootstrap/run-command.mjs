import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectPath } from './project.mjs'

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs a command in the same terminal, passes signals on, and gives its exit code. */
export function run(command, commandArguments, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArguments, { stdio: 'inherit', ...options })
    const forward = (signal) => child.kill(signal)
    for (const signal of forwarded) process.on(signal, forward)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of forwarded) process.off(name, forward)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}

/** Runs a command as the last thing that is done: its exit code becomes ours. */
export async function exitWith(command, commandArguments) {
  process.exitCode = await run(command, commandArguments)
}

/** Runs a command quietly. When it fails, throws with what it said. */
export async function runQuietly(command, commandArguments, options = {}) {
  const output = []
  const code = await new Promise((resolve, reject) => {
    const child = spawn(command, commandArguments, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    child.stdout.on('data', (text) => output.push(text))
    child.stderr.on('data', (text) => output.push(text))
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) {
    throw new Error(`${Buffer.concat(output).toString().trim()}\n\n"${commandArguments.join(' ')}" failed.`)
  }
}

/** Runs npm with the Node.js that runs this. */
export function npm(npmArguments) {
  const cli = process.env.npm_execpath
  return cli?.endsWith('.js')
    ? runQuietly(process.execPath, [cli, ...npmArguments])
    : runQuietly('npm', npmArguments, { shell: process.platform === 'win32' })
}

/** The JavaScript file behind a command of an installed package. */
export function tool(packageName, command = packageName) {
  const file = projectPath(`node_modules/${packageName}/package.json`)
  const { bin } = JSON.parse(readFileSync(file, 'utf8'))
  return join(dirname(file), typeof bin === 'string' ? bin : bin[command])
}
