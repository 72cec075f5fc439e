/** How long the built program takes until it is ready, and how much memory it then uses: `npm run bench start`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from './program.ts'
import { median } from './statistics.ts'

const runs = 9

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const first: number[] = []
const again: number[] = []
const memory: number[] = []
try {
  for (let run = 0; run < runs; run += 1) {
    const data = join(folder, String(run))
    for (const times of [first, again]) {
      const program = await startProgram(data)
      times.push(program.readyMilliseconds)
      await new Promise((resolve) => setTimeout(resolve, 500))
      memory.push(await program.memory())
      await program.stop()
    }
  }
} finally {
  await rm(folder, { recursive: true })
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
console.log(`Node.js ${process.version}, ${runs} runs each, medians`)
console.log(
  `first start, empty folder: ready after ${median(first).toFixed(0)} ms (slowest ${Math.max(...first).toFixed(0)} ms)`,
)
console.log(
  `later start:               ready after ${median(again).toFixed(0)} ms (slowest ${Math.max(...again).toFixed(0)} ms)`,
)
console.log(
  `memory when idle:          ${megabytes(median(memory))} MB (most ${megabytes(Math.max(...memory))} MB)`,
)
