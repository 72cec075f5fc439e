import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { projectPath } from './project.mjs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** A step failed, or was interrupted, and everything a person needs to know is in the message. */
export class StepFailed extends Error {
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Runs a command in the same terminal, passes signals on, and gives its exit code. */
export function run(command, commandArguments, options = {}) {
  return ended(spawn(command, commandArguments, { stdio: 'inherit', ...options }))
}

/** Runs a command as the last thing that is done: its exit code becomes ours. */
export async function exitWith(command, commandArguments) {
  process.exitCode = await run(command, commandArguments)
}

/** Runs a command quietly. When it fails, throws with what it said. */
export async function runQuietly(what, command, commandArguments, options = {}) {
  const output = []
  const child = spawn(command, commandArguments, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  child.stdout.on('data', (text) => output.push(text))
  child.stderr.on('data', (text) => output.push(text))
  const code = await ended(child)
  if (wasInterrupted(code)) throw new StepFailed(`${what} was interrupted.`, code)
  if (code !== 0) throw new StepFailed(`${Buffer.concat(output).toString().trim()}\n\n${what} failed.`)
}

/** Whether an exit code says that a signal ended the command. */
export function wasInterrupted(code) {
  return code > 128
}

/** Runs npm with the Node.js that runs this. */
export function npm(npmArguments) {
  const what = `npm ${npmArguments[0]}`
  const cli = process.env.npm_execpath
  // Another package manager that runs our scripts puts its own path there.
  return cli !== undefined && basename(cli) === 'npm-cli.js'
    ? runQuietly(what, process.execPath, [cli, ...npmArguments])
    : runQuietly(what, 'npm', npmArguments, { shell: process.platform === 'win32' })
}

/** The JavaScript file behind a command of an installed package. */
export function tool(packageName, command = packageName) {
  const file = projectPath(`node_modules/${packageName}/package.json`)
  const { bin } = JSON.parse(readFileSync(file, 'utf8'))
  return join(dirname(file), typeof bin === 'string' ? bin : bin[command])
}

/** Passes signals on to a child until it ends, and gives its exit code: 128 and more when a signal ended it. */
function ended(child) {
  return new Promise((resolve, reject) => {
    const forward = (signal) => {
      // A terminal sends Ctrl-C to the child as well, and a second one tells a service to hurry.
      if (signal !== 'SIGINT' || !isatty(0)) child.kill(signal)
    }
    for (const signal of signals) process.on(signal, forward)
    const stop = () => {
      for (const signal of signals) process.off(signal, forward)
    }
    child.once('error', (error) => {
      stop()
      reject(error)
    })
    child.once('close', (code, signal) => {
      stop()
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}
