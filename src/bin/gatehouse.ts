#!/usr/bin/env node
/** The executable: hands the process to the program. Nothing else reads the process's arguments and environment. */
import { readFileSync } from 'node:fs'
import { runProgram } from './program.ts'

const readText = (path: string | URL) => readFileSync(path, 'utf8')

process.exit(
  await runProgram({
    words: process.argv.slice(2),
    environment: process.env,
    readText,
    print: (text) => process.stdout.write(`${text}\n`),
    warn: (text) => process.stderr.write(`${text}\n`),
    onEndSignal: (listener) => {
      process.on('SIGTERM', listener)
      process.on('SIGINT', listener)
    },
    version: JSON.parse(readText(new URL('../../package.json', import.meta.url))).version,
  }),
)
