/**
 * Whether the time of a refused logon tells why it was refused, and what a flood of logons does to others:
 * `npm run bench logon-times`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchAdministrator, logOn } from './logon.ts'
import { startProgram } from './program.ts'
import { median, percentile } from './statistics.ts'

const rounds = 200

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const { url, stop } = await startProgram(folder, {
  ...benchAdministrator,
  GATEHOUSE_LOG_LEVEL: 'silent',
  // Each attempt comes from its own client, so that none is refused for those before it.
  GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1',
})

let clients = 0
async function attempt(username: string, password: string, apiKey: string): Promise<number> {
  clients += 1
  const address = `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`
  const response = await fetch(`${url}/logon`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-xaas-api-key': apiKey, 'x-forwarded-for': address },
    body: JSON.stringify({ username, password }),
  })
  await response.arrayBuffer()
  return response.status
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Two-sided p of the Mann-Whitney U test, by the normal approximation: small where one list tends to be greater. */
function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const all = [
    ...one.map((value) => ({ value, own: true })),
    ...other.map((value) => ({ value, own: false })),
  ]
  all.sort((a, b) => a.value - b.value)
  const rankSum = all.reduce((sum, { own }, index) => sum + (own ? index + 1 : 0), 0)
  const u = rankSum - (one.length * (one.length + 1)) / 2
  const mean = (one.length * other.length) / 2
  const deviation = Math.sqrt((one.length * other.length * (one.length + other.length + 1)) / 12)
  return 2 * (1 - normal(Math.abs(u - mean) / deviation))
}

/** The normal distribution (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const tail = factors.reduce((sum, factor, index) => sum + factor * t ** (index + 1), 0)
  return 1 - (tail * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}

try {
  const { GATEHOUSE_ADMIN_API_KEY: apiKey, GATEHOUSE_ADMIN_PASSWORD: password } = benchAdministrator
  const ways = {
    'wrong password': () => attempt('admin', 'a wrong pass phrase', apiKey),
    'unknown name': () => attempt('nobody', 'a wrong pass phrase', apiKey),
    'wrong key': () => attempt('admin', password, `ghk_${'A'.repeat(43)}`),
  }
  const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds + 10; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const milliseconds = await millisecondsOf(way)
      if (round >= 10) times.get(name)?.push(milliseconds)
    }
  }
  const base = times.get('wrong password') ?? []
  for (const [name, list] of times) {
    console.log(
      `${name}: median ${median(list).toFixed(2)} ms (${(median(list) / median(base)).toFixed(3)} times a wrong password, p = ${mannWhitney(list, base).toFixed(3)})`,
    )
  }

  const headers = await logOn(url)
  const read = () => millisecondsOf(async () => (await fetch(`${url}/graphql`, { headers })).arrayBuffer())
  const readFor = async (until: () => boolean) => {
    const list: number[] = []
    while (!until()) list.push(await read())
    return list
  }
  const quietEnd = performance.now() + 2000
  const quiet = await readFor(() => performance.now() > quietEnd)
  let isOver = false
  const flood = Promise.all(
    Array.from({ length: 400 }, () => attempt('nobody', 'a wrong pass phrase', apiKey)),
  ).finally(() => {
    isOver = true
  })
  const busy = await readFor(() => isOver)
  const statuses = await flood
  const counts = [...new Set(statuses)].map(
    (status) => `${status}: ${statuses.filter((s) => s === status).length}`,
  )
  console.log(
    `GET /graphql: median ${median(quiet).toFixed(1)} ms, p99 ${percentile(quiet, 0.99).toFixed(1)} ms; while 400 logons come at once (${counts.join(', ')}): median ${median(busy).toFixed(1)} ms, p99 ${percentile(busy, 0.99).toFixed(1)} ms`,
  )
} finally {
  await stop()
  await rm(folder, { recursive: true })
}
