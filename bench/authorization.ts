/**
 * What it costs to find out who may do what: `npm run bench authorization`. First the decision alone, then requests to a
 * gateway, with a token and by a public route in turn.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAllowed } from '../src/access/authorization/authorize.ts'
import { noPath, type PathPattern } from '../src/access/authorization/path-automaton.ts'
import { compilePathPattern } from '../src/access/authorization/path-pattern.ts'
import { compileRole } from '../src/access/authorization/role.ts'
import { startProgram } from './program.ts'
import { median, percentile } from './statistics.ts'

const authorityCount = 1000
const authorities = Array.from({ length: authorityCount }, (_, index) => ({
  regex: `/apis/resource${index}(/[^/]+)?`,
  methods: ['GET', 'POST'],
}))

function microsecondsOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return (performance.now() - start) * 1000
}

function patternOf(regex: string): PathPattern {
  const pattern = compilePathPattern(regex)
  return typeof pattern === 'function' ? pattern : noPath
}

function decisions(): void {
  const compiled = microsecondsOf(() => compileRole({ name: 'many', authorities }, patternOf))
  const roles = [compileRole({ name: 'many', authorities }, patternOf)]
  const times = Array.from({ length: 10_000 }, (_, index) =>
    microsecondsOf(() => isAllowed(roles, 'GET', `/apis/resource${index % 2000}/${index}`)),
  )
  console.log(
    `${authorityCount} authorities: compiled in ${(compiled / 1000).toFixed(0)} ms; a decision takes ${median(times).toFixed(1)} µs, p99 ${percentile(times, 0.99).toFixed(1)} µs, slowest ${Math.max(...times).toFixed(0)} µs`,
  )
  const patterns = [
    '^(a+)+$',
    '(a|a)*b',
    '(.*a){25}',
    '([a-z]+)*@',
    '.*\\bports\\b.*',
    '[\\pL\\pN_/-]+/\\pL+!',
  ]
  const path = `/${'a'.repeat(50_000)}!`
  const slowest = patterns.map((regex) => {
    const pattern = patternOf(regex)
    return Math.max(...Array.from({ length: 20 }, () => microsecondsOf(() => pattern(path))))
  })
  console.log(
    `a path of 50,000 characters and one authority: at most ${Math.max(...slowest).toFixed(0)} µs for ${patterns.join('  ')}`,
  )
  const refused = ['(a|b)*a(a|b){120}c', '(.*a.{200})+c', '((a?){40}){6}b', '\\pL{50}', '(((a{10}){10}){10})']
  const refusals = refused.map((regex) => microsecondsOf(() => compilePathPattern(regex)))
  console.log(
    `an expression that is too large is refused within ${(Math.max(...refusals) / 1000).toFixed(1)} ms`,
  )
}

const apiKey = 'ghk_bench_bench_bench_bench_bench'
const password = 'only for this bench'

async function call(
  url: string,
  method: string,
  path: string,
  body: object,
  headers: Record<string, string>,
) {
  const response = await fetch(url + path, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Record<string, string>
}

/** Sends one request after the other over its own connection; gives the milliseconds that all took. */
async function send(url: string, headers: readonly string[], count: number): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const body = '{"query":"{ __typename }"}'
  const request = [
    'POST /graphql HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n')
  try {
    await exchange(socket, request)
    const start = performance.now()
    for (let number = 0; number < count; number += 1) await exchange(socket, request)
    return performance.now() - start
  } finally {
    socket.destroy()
  }
}

function exchange(socket: Socket, request: string): Promise<void> {
  return new Promise((resolve) => {
    let text = ''
    const read = (piece: Buffer) => {
      text += piece.toString('latin1')
      if (!text.endsWith('{"data":{"__typename":"Query"}}')) return
      socket.off('data', read)
      resolve()
    }
    socket.on('data', read)
    socket.write(request)
  })
}

/** Other readings of the records that a change brings about are over by then. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1500))

async function requests(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
  const { url, stop } = await startProgram(folder, {
    GATEHOUSE_ADMIN_PASSWORD: password,
    GATEHOUSE_ADMIN_API_KEY: apiKey,
    GATEHOUSE_LOG_LEVEL: 'error',
  })
  try {
    const logon = async (username: string, secret: string, key: string) => {
      const answer = await call(
        url,
        'POST',
        '/logon',
        { username, password: secret },
        { 'x-xaas-api-key': key },
      )
      return answer['x-xaas-auth-token'] ?? ''
    }
    const manage = { 'x-xaas-auth-token': await logon('admin', password, apiKey) }
    // As many authorities as one role may have, of which the last one allows it.
    const many = [...authorities.slice(1), { regex: '/graphql', methods: ['POST'] }]
    await call(url, 'POST', '/manage/roles', { name: 'many', authorities: many }, manage)
    const account = { username: 'robin', password: 'a long pass phrase', role: 'many' }
    const { api_key = '' } = await call(url, 'POST', '/manage/accounts', account, manage)
    const robin = await logon(account.username, account.password, api_key)
    const scoped = async (scope: string) => {
      const route = { path: '/graphql', methods: ['POST'], scope }
      await call(url, 'PUT', '/manage/routes/scope', route, manage)
      await settled()
    }

    const header = (token: string) => [`X-Xaas-Auth-Token: ${token}`]
    const ways = [
      { name: 'a public route', scope: 'public', headers: [] as string[], times: [] as number[] },
      {
        name: 'a token and a role of one authority',
        scope: 'protected',
        headers: header(manage['x-xaas-auth-token']),
        times: [] as number[],
      },
      {
        name: `a token and a role of ${authorityCount} authorities`,
        scope: 'protected',
        headers: header(robin),
        times: [] as number[],
      },
    ]
    const [rounds, warmUp, each] = [16, 1000, 4000]
    for (let round = 0; round < rounds; round += 1) {
      for (const scope of ['public', 'protected']) {
        await scoped(scope)
        for (const way of ways.filter((way) => way.scope === scope)) {
          await send(url, way.headers, warmUp)
          const milliseconds = await send(url, way.headers, each)
          if (round > 0) way.times.push((milliseconds / each) * 1000)
        }
      }
    }
    const base = median(ways[0]?.times ?? [])
    console.log(
      `{ __typename }, one request after the other over one connection, medians of ${rounds - 1} rounds in turn:`,
    )
    for (const { name, times } of ways) {
      const time = median(times)
      console.log(`  ${name}: ${time.toFixed(1)} µs (${(time / base).toFixed(3)} times the public route)`)
    }
  } finally {
    await stop()
    await rm(folder, { recursive: true })
  }
}

decisions()
await requests()
