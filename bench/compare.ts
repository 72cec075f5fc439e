/**
 * The product beside limit servers and other products, on the same data: `npm run bench`. Flags choose a part, such as
 * `--products PostgreSQL --contenders ours,wire --queries Q1,Q2 --connections 16 --rounds 3 --seconds 1`;
 * `--write docs/performance-table.md` writes the tables as Markdown, too. `--base FOLDER` compares this build with
 * nothing but another one, built in that clone; `--plain` with itself without fast reads (`db_fast_reads`).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchDatabase, benchDatabases } from './bench-databases.ts'
import { builds, type Contender, contenders, type Running, withoutFastReads } from './compare/contenders.ts'
import { makeData } from './compare/data.ts'
import { load } from './compare/load.ts'
import { memoryOf, timeBetween, timeOfProcess, timesOfThreads } from './compare/processor-time.ts'
import { type QueryName, queryNames, rowsOf } from './compare/queries.ts'
import { type Measure, tablesOf } from './compare/report.ts'
import { percentile } from './statistics.ts'

const { values: flags } = parseArgs({
  options: {
    products: { type: 'string' },
    contenders: { type: 'string' },
    queries: { type: 'string', default: queryNames.join(',') },
    connections: { type: 'string', default: '1,16,64' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    write: { type: 'string' },
    base: { type: 'string' },
    plain: { type: 'boolean', default: false },
  },
})
const listOf = (text: string | undefined) => (text === undefined ? [] : text.split(','))
const queries = queryNames.filter((name) => listOf(flags.queries).includes(name))
const stores = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
const compared = comparedOnes()
const milliseconds = Number(flags.seconds) * 1000

function comparedOnes(): readonly Contender[] {
  if (flags.plain) return withoutFastReads(stores)
  return flags.base === undefined ? contenders : builds(flags.base, stores)
}

interface Started extends Running {
  readonly contender: Contender
  readonly idle: number
}

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

async function startAll(database: BenchDatabase): Promise<readonly Started[]> {
  const started: Started[] = []
  for (const contender of compared) {
    if (contender.product !== database.product) continue
    if (flags.contenders !== undefined && !listOf(flags.contenders).includes(contender.name)) continue
    try {
      const running = await contender.start(database)
      await pause(500)
      started.push({ ...running, contender, idle: memoryOf(running.pid) })
    } catch (error) {
      console.warn(`Left out: ${contender.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return started
}

async function ask({ port, request }: Running, name: QueryName, number: number): Promise<string> {
  const { method, path, headers, body } = request(name, number)
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return text
}

/** Those whose rows are those of the first; the others are told about. */
async function agreeing(started: readonly Started[], name: QueryName): Promise<readonly Started[]> {
  const agreed: Started[] = []
  let expected: string | undefined
  for (const one of started) {
    let rows: string
    try {
      const texts: string[] = []
      for (const number of [1, 2]) texts.push(await ask(one, name, number))
      rows = JSON.stringify(texts.map((text) => rowsOf(JSON.parse(text).data)))
      if (texts.some((text) => text.includes('"errors"'))) throw new Error(texts[0])
    } catch (error) {
      console.warn(`${one.contender.name} does not answer ${name}: ${String(error).slice(0, 500)}`)
      continue
    }
    expected ??= rows
    if (rows === expected) agreed.push(one)
    else
      console.warn(
        `${one.contender.name} answers ${name} with other rows: ${rows.slice(0, 300)} instead of ${expected.slice(0, 300)}`,
      )
  }
  return agreed
}

/** Waits until no one has anything left to do, so that no one's work is counted as another's. */
async function untilQuiet(started: readonly Started[], threads: readonly number[]): Promise<void> {
  const total = () =>
    started.reduce(
      (sum, { pid }) => sum + timeOfProcess(pid),
      timeBetween(new Map(), timesOfThreads(threads)),
    )
  for (let before = total(), tries = 0; tries < 20; tries += 1) {
    await pause(60)
    const now = total()
    if (now - before < 0.011) return
    before = now
  }
}

/** Until the code that is run often has been compiled: for at least a second, and as long as it becomes faster. */
async function warmUp(one: Started, name: QueryName): Promise<void> {
  let asked = 0
  let best = 0
  for (let round = 0; round < 10; round += 1) {
    const { requests, seconds } = await load(one.port, 16, 400, () => {
      asked += 1
      return one.request(name, asked)
    })
    const rate = requests / seconds
    if (round > 1 && rate < best * 1.05) return
    best = Math.max(best, rate)
  }
}

async function measureOnce(
  one: Started,
  name: QueryName,
  connections: number,
  database: BenchDatabase,
  count: { number: number },
): Promise<Measure> {
  const next = () => {
    count.number += 1
    return one.request(name, count.number)
  }
  await load(one.port, connections, Math.min(300, milliseconds / 3), next)
  const threads = await database.threads()
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOf(one.pid))
  }, 100)
  const [server, databaseTime] = [timeOfProcess(one.pid), timesOfThreads(threads)]
  const { requests, seconds, latencies } = await load(one.port, connections, milliseconds, next)
  await pause(20)
  clearInterval(watch)
  return {
    perSecond: requests / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    server: ((timeOfProcess(one.pid) - server) / requests) * 1000,
    database:
      threads.length === 0
        ? undefined
        : (timeBetween(databaseTime, timesOfThreads(threads)) / requests) * 1000,
    memory: Math.max(memory, memoryOf(one.pid)),
  }
}

const report: string[] = []
const tell = (text: string) => {
  report.push(text)
  console.log(text)
}

tell(
  `Node.js ${process.version}, ${cpus().length} processors (${cpus()[0]?.model.trim()}), ${(totalmem() / 2 ** 30).toFixed(0)} GB of memory, ${process.platform}; ${flags.rounds} rounds of ${flags.seconds} s each, medians. The load comes from the same machine.`,
)
for (const database of await benchDatabases(listOf(flags.products))) {
  let started: readonly Started[] = []
  try {
    console.error(`Making the data on ${database.product} …`)
    const opened = await database.open()
    await makeData(opened)
    await opened.driver.close()
    await database.settle()
    started = await startAll(database)
    tell(`\n## ${await database.version()}\n`)
    tell(
      `Memory when idle: ${started.map(({ contender, idle }) => `${contender.name} ${(idle / 2 ** 20).toFixed(0)} MB`).join(', ')}.`,
    )
    for (const name of queries) {
      const agreed = await agreeing(started, name)
      for (const one of agreed) await warmUp(one, name)
      for (const connections of listOf(flags.connections).map(Number)) {
        const measures = new Map<string, Measure[]>(agreed.map(({ contender }) => [contender.name, []]))
        const count = { number: 0 }
        for (let round = 0; round < Number(flags.rounds); round += 1) {
          // Each begins in its turn, so that none is always after the same other one.
          const order = agreed.map((_, index) => agreed[(index + round) % agreed.length])
          for (const one of order) {
            if (one === undefined) continue
            await untilQuiet(started, await database.threads())
            try {
              measures
                .get(one.contender.name)
                ?.push(await measureOnce(one, name, connections, database, count))
            } catch (error) {
              tell(
                `${one.contender.name} failed at ${name} with ${connections} connections: ${String(error)}`,
              )
              measures.delete(one.contender.name)
            }
          }
        }
        for (const line of tablesOf(name, connections, measures)) tell(line)
      }
    }
  } finally {
    await Promise.all(started.map((one) => one.stop()))
    await database.remove()
  }
}
rmSync(stores, { recursive: true, force: true })
if (flags.write !== undefined) writeFileSync(flags.write, `${report.join('\n')}\n`)
