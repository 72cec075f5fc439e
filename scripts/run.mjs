/**
 * What every npm script goes through: `node scripts/run.mjs start|test|test:long|test:postgresql|check|build|image|format|bench|gatehouse`.
 * It fetches what a fresh clone is missing (a Node.js that is new enough, packages, the build) and then
 * does the job. Plain JavaScript without packages, readable by Node.js 18 and newer.
 */

import { pathToFileURL } from 'node:url'
import { check } from './bootstrap/check.mjs'
import { ensureBuild } from './bootstrap/ensure-build.mjs'
import { ensureNode } from './bootstrap/ensure-node.mjs'
import { ensurePackages } from './bootstrap/ensure-packages.mjs'
import { projectPath } from './bootstrap/project.mjs'
import { exitWith, run, StepFailed, tool } from './bootstrap/run-command.mjs'
import { testPostgresql } from './bootstrap/test-postgresql.mjs'

const [task = '', ...taskArguments] = process.argv.slice(2)

const tasks = {
  async start() {
    await ensureBuild()
    await becomeProgram(['up', ...taskArguments])
  },
  async gatehouse() {
    await ensureBuild()
    await becomeProgram(taskArguments)
  },
  async test() {
    await runTests()
  },
  async 'test:long'() {
    await runTests('--config', projectPath('vitest.long.config.ts'))
  },
  async 'test:postgresql'() {
    await ensureBuild()
    process.exitCode = await testPostgresql(taskArguments)
  },
  async check() {
    process.exitCode = await check()
  },
  async build() {
    await ensureBuild()
  },
  async image() {
    await ensureBuild()
    // An older Node.js that reads this file could not load it.
    const { buildImage } = await import('./image/build-image.mjs')
    process.exitCode = await buildImage(taskArguments)
  },
  async format() {
    await exitWith(process.execPath, [tool('@biomejs/biome', 'biome'), 'check', '--write', projectPath('.')])
  },
  async bench() {
    await ensureBuild()
    const isNamed = taskArguments[0] !== undefined && !taskArguments[0].startsWith('-')
    const [name, ...benchArguments] = isNamed ? taskArguments : ['compare', ...taskArguments]
    const script = projectPath(`bench/${name}.ts`)
    process.exitCode = await run(process.execPath, [script, ...benchArguments], { cwd: projectPath('.') })
  },
}

if (!Object.hasOwn(tasks, task)) {
  console.error(`Unknown task "${task}". There are: ${Object.keys(tasks).join(', ')}.`)
  process.exit(2)
}
try {
  if (await ensureNode()) {
    await ensurePackages()
    await tasks[task]()
  }
} catch (error) {
  console.error(error instanceof StepFailed ? error.message : error)
  process.exitCode = error instanceof StepFailed ? error.exitCode : 1
}

async function runTests(...flags) {
  await ensureBuild()
  const words = [tool('vitest'), 'run', '--root', projectPath('.'), ...flags, ...taskArguments]
  await exitWith(process.execPath, words)
}

/** This process becomes the program: with none in between, each signal reaches it once. */
async function becomeProgram(programArguments) {
  const program = projectPath('dist/bin/gatehouse.js')
  process.argv = [process.execPath, program, ...programArguments]
  await import(pathToFileURL(program).href)
}
