/** How fast `/healthz` answers while a query of several seconds runs: `npm run bench health-under-load`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startProgram } from './program.ts'
import { percentile } from './statistics.ts'

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const database = new DatabaseSync(join(folder, 'gatehouse.sqlite'))
database.exec(`create view "Slow" as with recursive counted(number) as
  (select 1 union all select number + 1 from counted where number < 40000000) select count(*) as "result" from counted`)
database.close()

const program = await startProgram(folder, {
  GATEHOUSE_ADMIN_PASSWORD: 'only for this bench',
  GATEHOUSE_ADMIN_API_KEY: 'ghk_bench_bench_bench_bench_bench',
})
try {
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const response = await fetch(program.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
    return (await response.json()) as Record<string, unknown>
  }
  const logon = await post(
    '/logon',
    { username: 'admin', password: 'only for this bench' },
    { 'x-xaas-api-key': 'ghk_bench_bench_bench_bench_bench' },
  )
  const start = performance.now()
  let running = true
  const slow = post(
    '/graphql',
    { query: '{ Slow { edges { node { result } } } }' },
    { 'x-xaas-auth-token': String(logon['x-xaas-auth-token']) },
  )
    .then((answer) =>
      console.log(
        `the slow query: ${((performance.now() - start) / 1000).toFixed(1)} s, ${JSON.stringify(answer)}`,
      ),
    )
    .finally(() => {
      running = false
    })
  const times: number[] = []
  while (running) {
    const asked = performance.now()
    await (await fetch(`${program.url}/healthz`)).text()
    times.push(performance.now() - asked)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await slow
  console.log(
    `/healthz meanwhile: ${times.length} answers, median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(1)} ms`,
  )
} finally {
  await program.stop()
  await rm(folder, { recursive: true })
}
