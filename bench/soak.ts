/**
 * A long mixed load at a fixed rate, with an upload each minute; after the first sixth of the time, attackers beside it:
 * `npm run bench soak [minutes] [rate]`, 60 minutes at 40 requests a second unless said otherwise. Tells for each kind of
 * request how much longer it takes beside the attackers, and how memory and open files develop.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { definition, field, reference } from '../test/support/temporary-entities.ts'
import { benchAdministrator, logOn } from './logon.ts'
import { startProgram } from './program.ts'
import { percentile } from './statistics.ts'

const [minutes = 60, rate = 40] = process.argv.slice(2).map(Number)
const children = 300

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-soak-'))
const { url, frontUrl, pid, memory, stop } = await startProgram(folder, {
  ...benchAdministrator,
  GATEHOUSE_LOG_LEVEL: 'silent',
})
const headers = await logOn(url)

async function call(path: string, method = 'GET', body?: unknown, more: Record<string, string> = {}) {
  return fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const upload = (...more: ReturnType<typeof field>[]) =>
  call('/manage/entities?allow_destructive=true', 'POST', [
    definition('Tenant', { local: [field('name', 'string')] }),
    definition('Port', {
      local: [field('name', 'string'), ...more],
      refs: [reference('tenantId', 'Tenant')],
    }),
  ])

async function mustSucceed(response: Promise<Response>): Promise<void> {
  const { ok, status, text } = await response.then(async (one) => ({
    ok: one.ok,
    status: one.status,
    text: await one.text(),
  }))
  if (!ok) throw new Error(`${status}: ${text}`)
}

let count = 0
function nextNumber(): number {
  count += 1
  return count
}
const one = () => `p${nextNumber() % children}`
const graphql = (query: string) => call('/graphql', 'POST', { query })

/** What clients ask, by the name of its kind. A writer takes the tag first; only the writing is measured. */
const kinds: Readonly<Record<string, () => Promise<Response>>> = {
  'GET a list': () => call('/apis/ports?limit=20'),
  'GET one': () => call(`/apis/ports/${one()}`),
  POST: () => call('/apis/tenants', 'POST', { id: `t${nextNumber()}-${Date.now()}` }),
  PATCH: () => call(`/apis/ports/${one()}`, 'PATCH', { name: `name ${count}` }),
  'GraphQL, one row': () => graphql(`{ Port(id: "${one()}") { edges { node { id name } } } }`),
  'GraphQL, a tree': () =>
    graphql(
      '{ Port(first: 20) { edges { node { id tenant { id portCollection(first: 5) { edges { node { id } } } } } } } }',
    ),
  'the front': () => fetch(`${frontUrl}/`),
  '/healthz': () => fetch(`${url}/healthz`),
}

interface Phase {
  readonly times: Map<string, number[]>
  readonly failures: Map<string, number>
}

async function loadFor(seconds: number): Promise<Phase> {
  const phase: Phase = { times: new Map(), failures: new Map() }
  const names = Object.keys(kinds)
  const begun = performance.now()
  const running = new Set<Promise<void>>()
  let uploads = 0
  for (let number = 0; number < seconds * rate; number += 1) {
    const due = begun + (number * 1000) / rate
    await pause(Math.max(0, due - performance.now()))
    if (number % (60 * rate) === 30 * rate) {
      uploads += 1
      const uploading = uploads % 2 === 1 ? upload(field('more', 'string')) : upload()
      follow('an upload', uploading, performance.now())
    }
    const name = names[number % names.length] ?? ''
    // From when it was due: a client that had to wait for its turn has waited.
    follow(name, kinds[name]?.() ?? Promise.reject(new Error('unknown')), due)
    if (number % (30 * rate) === 0) await tellState((performance.now() - begun) / 1000)
  }
  await Promise.all(running)
  return phase

  function follow(name: string, answer: Promise<Response>, since: number): void {
    const done = answer
      .then(async (response) => {
        const text = await response.text()
        if (response.ok && !text.includes('"errors"')) return
        note(
          phase.failures,
          `${name}: ${response.status} ${/"code": ?"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 100)}`,
        )
      })
      .catch((error: unknown) => note(phase.failures, `${name}: ${String(error)}`))
      .then(() => {
        const times = phase.times.get(name) ?? []
        times.push(performance.now() - since)
        phase.times.set(name, times)
      })
      .finally(() => running.delete(done))
    running.add(done)
  }
}

function note(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

async function tellState(seconds: number): Promise<void> {
  const files = (await readdir(`/proc/${pid}/fd`)).length
  console.log(
    `${seconds.toFixed(0).padStart(5)} s: ${((await memory()) / 1e6).toFixed(0)} MB, ${files} open files`,
  )
}

try {
  await mustSucceed(upload())
  await mustSucceed(call('/apis/tenants', 'POST', { id: 'acme' }))
  const ports = Array.from({ length: children }, (_, number) => ({ id: `p${number}`, tenantId: 'acme' }))
  await mustSucceed(call('/apis/ports', 'POST', ports))
  await loadFor(10)
  console.log(`${rate} requests a second, alone:`)
  const alone = await loadFor(minutes * 10)
  console.log('beside attackers:')
  const script = join(import.meta.dirname, 'soak/attackers.ts')
  const attackers = spawn(process.execPath, [script, url, frontUrl, headers['x-xaas-auth-token'] ?? ''], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const beside = await loadFor(minutes * 50)
  attackers.kill('SIGKILL')
  await pause(20_000)
  console.log('20 s after the attackers have gone:')
  await tellState(0)
  console.log('| | alone: median, p99 | beside attackers: median, p99 | p99 ratio |\n|---|---|---|---|')
  for (const [name, times] of alone.times) {
    const others = beside.times.get(name) ?? []
    const [before, after] = [percentile(times, 0.99), percentile(others, 0.99)]
    const shown = [percentile(times, 0.5), before, percentile(others, 0.5), after].map(
      (ms) => `${ms.toFixed(1)} ms`,
    )
    console.log(
      `| ${name} | ${shown[0]}, ${shown[1]} | ${shown[2]}, ${shown[3]} | ${(after / before).toFixed(2)} |`,
    )
  }
  for (const [name, phase] of Object.entries({ alone, beside })) {
    const failed = [...phase.failures.values()].reduce((sum, one) => sum + one, 0)
    console.log(`${name}: ${failed} failed`)
    for (const [text, number] of phase.failures) console.log(`  ${number} × ${text}`)
  }
} finally {
  await stop()
  await rm(folder, { recursive: true })
}
