/**
 * Calls of a backend through the web front, with a session and a token that is put in, beside @fastify/http-proxy
 * alone: `npm run bench front-proxy`. Then 1 GB in each direction, with the front's memory.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { load } from './compare/load.ts'
import { timeOfProcess } from './compare/processor-time.ts'
import { freePort, type RunningProgram, startFrontProgram } from './program.ts'
import { median } from './statistics.ts'

const rounds = 9
const roundMs = 2000
const connections = 16
const total = 2 ** 30

/** Somebody who forwards, and how they are asked. */
interface Contender {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly headers: Readonly<Record<string, string>>
  /** Of each round: requests in a second, and processor time of one request in microseconds. */
  readonly rates: number[]
  readonly costs: number[]
}

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const children: ChildProcess[] = []
const fronts: RunningProgram[] = []
try {
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Bench</title>')
  const backend = await startScript('backend')
  const rival = await startScript('http-proxy', { BENCH_BACKEND: `http://127.0.0.1:${backend.port}` })
  const contenders: Contender[] = [
    { name: '@fastify/http-proxy', ...rival, headers: {}, rates: [], costs: [] },
    await startFront('front, sessions in memory', 'memory', backend.port),
    await startFront('front, sessions in sqlite', 'sqlite', backend.port),
    await startFront('front, sessions in redis', 'redis', backend.port),
  ]
  for (let round = -1; round < rounds; round += 1) {
    for (const contender of contenders) await measure(contender, round >= 0)
  }
  report(contenders)
  const [front] = fronts
  const [, inMemory] = contenders
  if (front !== undefined && inMemory !== undefined) await large(front, inMemory, backend.port)
} finally {
  for (const front of fronts) await front.stop()
  for (const child of children) child.kill()
  await rm(folder, { recursive: true })
}

async function startScript(name: string, environment: NodeJS.ProcessEnv = {}) {
  const port = await freePort()
  const child = spawn(process.execPath, [`bench/front-proxy/${name}.ts`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment, BENCH_PORT: String(port) },
  })
  children.push(child)
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/backend/x`)
      return { port, pid: child.pid ?? 0 }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function startFront(name: string, store: string, backendPort: number): Promise<Contender> {
  const entry = JSON.stringify({ strategy: 'gateway', transparentTokens: true })
  const front = await startFrontProgram([
    ...['--content_root', folder, '--session_store', store, '--authentication', entry],
    ...['--session_file', join(folder, 'sessions.sqlite'), '--session_prefix', `bench-${process.pid}:`],
    ...['--backend_target', `http://127.0.0.1:${backendPort}`, '--backend_proxypath', '/backend'],
  ])
  fronts.push(front)
  const headers = { cookie: await logIn(front.url) }
  return { name, port: Number(new URL(front.url).port), pid: front.pid, headers, rates: [], costs: [] }
}

async function logIn(url: string): Promise<string> {
  const form = await fetch(`${url}/auth/gateway`)
  const state = /name="state" value="([^"]+)"/.exec(await form.text())?.[1] ?? ''
  const answer = await fetch(`${url}/auth/gateway`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookiesOf(form) },
    body: new URLSearchParams({ state, username: 'bench', password: 'bench', api_key: 'bench' }),
  })
  const session = /(?:^|; )(gatehouse=[^;]+)/.exec(cookiesOf(answer))?.[1]
  if (session === undefined) throw new Error(`The log-in was answered with status ${answer.status}.`)
  return session
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

async function measure({ port, pid, headers, rates, costs }: Contender, counts: boolean): Promise<void> {
  const before = timeOfProcess(pid)
  const asked = { method: 'GET', path: '/backend/apis/ports/p1', headers, body: '' }
  const { requests, seconds } = await load(port, connections, roundMs, () => asked)
  if (!counts) return
  rates.push(requests / seconds)
  costs.push(((timeOfProcess(pid) - before) / requests) * 1e6)
}

function report(contenders: readonly Contender[]): void {
  console.log(
    `Node.js ${process.version}, ${connections} connections, ${rounds} interleaved rounds of ${roundMs / 1000} s, medians`,
  )
  const [rival] = contenders
  for (const { name, rates, costs } of contenders) {
    const ratio = (own: readonly number[], others: readonly number[] = []) =>
      median(own.map((value, round) => value / (others[round] ?? Number.NaN))).toFixed(2)
    console.log(
      `${name.padEnd(26)} ${median(rates).toFixed(0).padStart(6)} requests/s, ${median(costs).toFixed(0).padStart(4)} µs of processor time each; time of a request ${ratio(rival?.rates ?? [], rates)}, processor time ${ratio(costs, rival?.costs)} of the first's`,
    )
  }
}

async function large(front: RunningProgram, contender: Contender, backendPort: number): Promise<void> {
  const base = { host: '127.0.0.1', headers: { ...contender.headers, 'x-requested-with': 'bench' } }
  const through = { ...base, port: contender.port, path: '/backend/large' }
  const past = { ...base, port: backendPort, path: '/large' }
  console.log(`memory of the front before: ${megabytes(await front.memory())} MB`)
  for (const method of ['GET', 'POST']) {
    const times = { through: [] as number[], past: [] as number[] }
    const peaks: number[] = []
    for (let round = 0; round < 3; round += 1) {
      times.past.push(await secondsOf({ ...past, method }))
      const watch = setInterval(async () => void peaks.push(await front.memory()), 50)
      times.through.push(await secondsOf({ ...through, method }))
      clearInterval(watch)
    }
    console.log(
      `1 GB ${method === 'GET' ? 'down' : 'up'}: ${median(times.through).toFixed(2)} s through the front, ${median(times.past).toFixed(2)} s past it; most memory ${megabytes(Math.max(...peaks))} MB`,
    )
  }
}

async function secondsOf(options: RequestOptions) {
  const start = performance.now()
  const outgoing = request(options)
  const answered = once(outgoing, 'response')
  if (options.method === 'POST') await pipeline(Readable.from(gigabyte(), { objectMode: false }), outgoing)
  else outgoing.end()
  const [answer] = (await answered) as [IncomingMessage]
  let text = ''
  let length = 0
  for await (const piece of answer) {
    if (options.method === 'POST') text += piece
    length += (piece as Buffer).length
  }
  const carried = options.method === 'POST' ? Number(text) : length
  if (carried !== total) throw new Error(`${carried} bytes arrived, with status ${answer.statusCode}.`)
  return (performance.now() - start) / 1000
}

function* gigabyte() {
  const piece = Buffer.alloc(65_536, 'x')
  for (let sent = 0; sent < total; sent += piece.length) yield piece
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0)
}
