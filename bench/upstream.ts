/** 1 GB through a published upstream API in each direction, with the gateway's memory: `npm run bench upstream`. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type RunningProgram, startProgram } from './program.ts'
import { median } from './statistics.ts'

const piece = Buffer.alloc(65_536, 'x')
const total = 2 ** 30
const rounds = 3
const oneGigabyte = () =>
  Readable.from(
    Array.from({ length: total / piece.length }, () => piece),
    { objectMode: false },
  )

const upstream = createServer(async (incoming, outgoing) => {
  if (incoming.method === 'GET' && incoming.url === '/shop/large') oneGigabyte().pipe(outgoing)
  else outgoing.end(String(await lengthOf(incoming)))
})
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const direct = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

async function lengthOf(stream: IncomingMessage): Promise<number> {
  let length = 0
  for await (const part of stream) length += (part as Buffer).length
  return length
}

async function call(url: string, method: string, body?: Readable): Promise<IncomingMessage> {
  const outgoing = request(url, { method })
  const answered = once(outgoing, 'response')
  if (body === undefined) outgoing.end()
  else await pipeline(body, outgoing)
  const [answer] = await answered
  return answer as IncomingMessage
}

const download = async (base: string) => lengthOf(await call(`${base}/shop/large`, 'GET'))
const upload = async (base: string) => {
  const answer = await call(`${base}/shop/large`, 'POST', oneGigabyte())
  return Number((await answer.toArray()).join(''))
}

async function secondsOf(work: () => Promise<number>): Promise<number> {
  const start = performance.now()
  const length = await work()
  if (length !== total) throw new Error(`${length} bytes arrived.`)
  return (performance.now() - start) / 1000
}

async function small(base: string): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < 1000; count += 1) await (await fetch(`${base}/shop/small`)).text()
  return (performance.now() - start) / 1000
}

async function publish(url: string): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const response = await fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Record<string, string>
  }
  const account = { username: 'admin', password: 'only for this bench' }
  const logon = await post('/logon', account, { 'x-xaas-api-key': apiKey })
  const token = logon['x-xaas-auth-token'] ?? ''
  const route = { name: 'shop', path: '/shop/*', methods: ['GET', 'POST'], target: direct, scope: 'public' }
  await post('/manage/routes', route, { 'x-xaas-auth-token': token })
}

/** Runs something and gives the most memory that the program had meanwhile. */
async function peakDuring(program: RunningProgram, work: () => Promise<unknown>): Promise<number> {
  let peak = 0
  const timer = setInterval(async () => {
    peak = Math.max(peak, await program.memory())
  }, 50)
  await work()
  clearInterval(timer)
  return peak
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
const apiKey = 'ghk_bench_bench_bench_bench_bench'
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const program = await startProgram(folder, {
  GATEHOUSE_ADMIN_PASSWORD: 'only for this bench',
  GATEHOUSE_ADMIN_API_KEY: apiKey,
  GATEHOUSE_LOG_LEVEL: 'warn',
})
try {
  await publish(program.url)
  console.log(
    `Node.js ${process.version}; memory of the gateway before: ${megabytes(await program.memory())} MB`,
  )
  for (const [name, work] of [
    ['1 GB down', download],
    ['1 GB up', upload],
  ] as const) {
    const times = { gateway: [] as number[], direct: [] as number[] }
    const peaks: string[] = []
    for (let round = 0; round < rounds; round += 1) {
      times.direct.push(await secondsOf(() => work(direct)))
      const measured = await peakDuring(program, async () => {
        times.gateway.push(await secondsOf(() => work(program.url)))
      })
      peaks.push(megabytes(measured))
    }
    const [through, past] = [median(times.gateway), median(times.direct)]
    console.log(
      `${name}: ${through.toFixed(2)} s through the gateway, ${past.toFixed(2)} s past it (${(through / past).toFixed(2)} times); most memory in each round ${peaks.join(', ')} MB`,
    )
  }
  const times = { gateway: [] as number[], direct: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    times.direct.push(await small(direct))
    times.gateway.push(await small(program.url))
  }
  console.log(
    `a small request: ${median(times.gateway).toFixed(2)} ms through the gateway, ${median(times.direct).toFixed(2)} ms past it, one after the other`,
  )
} finally {
  await program.stop()
  upstream.close()
  upstream.closeAllConnections()
  await rm(folder, { recursive: true })
}
