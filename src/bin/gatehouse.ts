#!/usr/bin/env -S node --max-semi-space-size=8
/**
 * The executable: hands the process to the program. Nothing else reads the process's arguments and environment. The
 * flag keeps a long answer from taking 100 MB more for what is thrown away at once; it costs no time.
 */
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
