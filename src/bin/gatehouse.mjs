#!/usr/bin/env -S node --max-semi-space-size=8
/**
 * The executable: loads the program if Node.js is new enough, and otherwise says which version it needs. The flag saves
 * 100 MB of garbage while a long response is written; it costs no time. Older versions of Node.js can run this file: it
 * is plain JavaScript, and imports nothing that they lack.
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
