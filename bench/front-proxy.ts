/**
 * Small calls of a backend through the web front, with a session and a token that is put in, beside @fastify/http-proxy
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
import { freePort } from '../test/support/free-port.ts'
import { load } from './compare/load.ts'
import { timeOfProcess } from './compare/processor-time.ts'
import { type RunningProgram, startFrontProgram } from './program.ts'
import { median } from './statistics.ts'

const rounds = 9
const roundMs = 1000
/** So many of each kind come before the rounds: code that is seldom run is not yet compiled. */
const warmRequests = 25_000
const connections = 16
const total = 2 ** 30

/** Someone who forwards, and how they are asked. */
interface Contender {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly headers: Readonly<Record<string, string>>
  readonly measured: Readonly<Record<Call, Measured>>
}

/** Of each round: requests in a second, and processor time of one request in microseconds. */
interface Measured {
  readonly rates: number[]
  readonly costs: number[]
}

type Call = 'GET' | 'POST'

const calls: readonly Call[] = ['GET', 'POST']
const body = JSON.stringify({ query: '{ Port(first: 10) { edges { node { id name } } } }' })

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
const children: ChildProcess[] = []
const fronts: RunningProgram[] = []
try {
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Bench</title>')
  const backend = await startScript('backend')
  const rival = await startScript('http-proxy', { BENCH_BACKEND: `http://127.0.0.1:${backend.port}` })
  const contenders: Contender[] = [
    { name: '@fastify/http-proxy', ...rival, headers: {}, measured: nothingYet() },
    await startFront('front, sessions in memory', 'memory', backend.port),
    await startFront('front, sessions in sqlite', 'sqlite', backend.port),
    await startFront('front, sessions in redis', 'redis', backend.port),
  ]
  for (const contender of contenders) for (const call of calls) await warm(contender, call)
  for (let round = 0; round < rounds; round += 1) {
    for (const call of calls) for (const contender of contenders) await measure(contender, call)
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
  return { name, port: Number(new URL(front.url).port), pid: front.pid, headers, measured: nothingYet() }
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

function nothingYet(): Contender['measured'] {
  return { GET: { rates: [], costs: [] }, POST: { rates: [], costs: [] } }
}

function ask({ port, headers }: Contender, call: Call) {
  const json = { ...headers, 'content-type': 'application/json', 'x-requested-with': 'bench' }
  const asked =
    call === 'GET'
      ? { method: call, path: '/backend/apis/ports/p1', headers, body: '' }
      : { method: call, path: '/backend/graphql', headers: json, body }
  return load(port, connections, roundMs, () => asked)
}

async function warm(contender: Contender, call: Call): Promise<void> {
  for (let sent = 0; sent < warmRequests; ) sent += (await ask(contender, call)).requests
}

async function measure(contender: Contender, call: Call): Promise<void> {
  const before = timeOfProcess(contender.pid)
  const { requests, seconds } = await ask(contender, call)
  const { rates, costs } = contender.measured[call]
  rates.push(requests / seconds)
  costs.push(((timeOfProcess(contender.pid) - before) / requests) * 1e6)
}

function report(contenders: readonly Contender[]): void {
  console.log(
    `Node.js ${process.version}, ${connections} connections, ${rounds} interleaved rounds of ${roundMs / 1000} s, medians`,
  )
  for (const call of calls) {
    const rival = contenders[0]?.measured[call]
    for (const { name, measured } of contenders) reportOne(`${call} ${name}`, measured[call], rival)
  }
}

function reportOne(name: string, { rates, costs }: Measured, rival: Measured | undefined): void {
  const ratio = (own: readonly number[], others: readonly number[] = []) =>
    median(own.map((value, round) => value / (others[round] ?? Number.NaN))).toFixed(2)
  console.log(
    `${name.padEnd(31)} ${median(rates).toFixed(0).padStart(6)} requests/s, ${median(costs).toFixed(0).padStart(4)} µs of processor time each; time of a request ${ratio(rival?.rates ?? [], rates)}, processor time ${ratio(costs, rival?.costs)} of the first's`,
  )
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
