/**
 * Hands the process to the program; `gatehouse.mjs` loads it. Nothing else reads the process's arguments and
 * environment.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { outputFormOf } from '../config/output-options.ts'
import { exitCodes } from './exit-codes.ts'
import { hasTerminal } from './has-terminal.ts'
import { runProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

// The flag would override the limits of threads. The main thread has applied it by now; 0 unsets it.
setFlagsFromString('--max-semi-space-size=0')

/** `-` is the input. */
const readText = (path: string | URL) => readFileSync(path === '-' ? 0 : path, 'utf8')

let outputIsLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader closed the pipe.
  outputIsLost ||= error.code !== 'EPIPE'
})
process.stderr.on('error', () => {})

const words = process.argv.slice(2)
const terminal = openTerminal(process, outputFormOf(words.slice(1), process.env).color)
const exitCode = await runProgram({
  words,
  environment: process.env,
  terminal,
  readText,
  print: (text) => process.stdout.write(`${text}\n`),
  isTerminal: process.stdout.isTTY === true,
  warn: (text) => process.stderr.write(`${text}\n`),
  onEndSignal: (listener) => {
    process.on('SIGTERM', listener)
    process.on('SIGINT', listener)
  },
  onReloadSignal: (listener) => {
    if (!hasTerminal()) process.on('SIGHUP', listener)
  },
  version: JSON.parse(readText(new URL('../../package.json', import.meta.url))).version,
})

/** A pipe takes 64 kB at once; what it has not taken is lost when the process exits. */
const taken = (stream: NodeJS.WriteStream) =>
  new Promise<void>((resolve) => {
    stream.write('', () => resolve())
  })
await taken(process.stdout)
// The log of a service goes there too: a reader that has stopped must not prevent the exit.
await Promise.race([taken(process.stderr), wait(2000)])
process.exit(exitCode === exitCodes.fine && outputIsLost ? exitCodes.failed : exitCode)
