#!/usr/bin/env -S node --max-semi-space-size=8
/**
 * The executable: loads the program where Node.js is new enough, and otherwise says in one sentence which is. The flag
 * keeps a long answer from taking 100 MB more for what is thrown away at once; it costs no time. Older versions read
 * this file, too: it is plain JavaScript, and imports nothing that they lack.
 */
import { readFileSync } from 'node:fs'
import { inWords, isNewEnough } from './node-version.mjs'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const { node } = process.versions
if (isNewEnough(node, engines.node)) {
  await import('./main.ts')
} else {
  console.error(`Gatehouse needs Node.js ${inWords(engines.node)}; this is Node.js ${node}.`)
  process.exitCode = 1
}
