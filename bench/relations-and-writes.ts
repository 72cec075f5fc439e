/**
 * Relations, groups and writes on PostgreSQL: `npm run bench relations-and-writes`. This build, PostGraphile with its plugins for filters
 * and aggregates, and the same SQL by hand are asked in turn, over the same rows, after each has answered the question for a while: compilers
 * take tens of thousands of requests. Flags: `--questions groups,update --pairs 24 --connections 16 --milliseconds 500 --warm-up 15000`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type BenchDatabase, benchDatabases } from './bench-databases.ts'
import { installOthers, type Server, startServer } from './compare/contenders.ts'
import { makeData, portKey, portsOfTenant, tenantCount, tenantKey } from './compare/data.ts'
import { type LoadRequest, load } from './compare/load.ts'
import { timeOfProcess } from './compare/processor-time.ts'
import { benchAdministrator, logOn } from './logon.ts'
import { startGatewayProgram } from './program.ts'
import { median, ratioInterval } from './statistics.ts'

const { values: flags } = parseArgs({
  args: process.argv.slice(2),
  options: {
    questions: { type: 'string' },
    pairs: { type: 'string', default: '24' },
    connections: { type: 'string', default: '16' },
    milliseconds: { type: 'string', default: '500' },
    'warm-up': { type: 'string', default: '15000' },
  },
})
const [pairs, connections, milliseconds, warmUp] = [
  flags.pairs,
  flags.connections,
  flags.milliseconds,
  flags['warm-up'],
].map(Number) as [number, number, number, number]

/** A question as this build and as PostGraphile take it; by hand it goes by its name. */
interface Question {
  readonly name: string
  readonly ours: string
  /** Undefined if it does not know it. */
  readonly postgraphile: string | undefined
  variables(number: number): object
}

const portCount = tenantCount * portsOfTenant
const anyPort = (number: number) => (number * 7919) % portCount
const word = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett']
const nameOfPort = (number: number) =>
  `${word[number % 10]}-${String((number * 7919) % 100_000).padStart(5, '0')}`

let created = 0
const newKey = () => `new-${process.pid}-${++created}`

const questions: readonly Question[] = [
  {
    name: 'related',
    ours: 'query ($tenant: String) { Port(where: { tenant: { name: { eq: $tenant } } }) { edges { node { id name } } } }',
    postgraphile:
      'query ($tenant: String) { allPorts(filter: { tenantByTenantId: { name: { equalTo: $tenant } } }, orderBy: [ID_ASC]) { edges { node { id name } } } }',
    variables: (number) => ({ tenant: `tenant ${number % tenantCount}` }),
  },
  {
    name: 'some',
    ours: 'query ($port: String) { Tenant(where: { portCollection: { some: { name: { eq: $port } } } }) { edges { node { id name } } } }',
    postgraphile:
      'query ($port: String) { allTenants(filter: { portsByTenantId: { some: { name: { equalTo: $port } } } }, orderBy: [ID_ASC]) { edges { node { id name } } } }',
    variables: (number) => ({ port: nameOfPort(anyPort(number)) }),
  },
  {
    name: 'groups',
    ours: '{ Port { groups(by: [{ field: status }]) { keys { status } sum { speed } max { speed } } } }',
    postgraphile:
      '{ allPorts { groupedAggregates(groupBy: [STATUS]) { keys sum { speed } max { speed } } } }',
    variables: () => ({}),
  },
  {
    name: 'groupsOfTenant',
    ours: 'query ($tenant: String) { Port(where: { tenantId: { eq: $tenant } }) { groups(by: [{ field: status }]) { keys { status } sum { speed } max { speed } } } }',
    postgraphile:
      'query ($tenant: String) { allPorts(condition: { tenantId: $tenant }) { groupedAggregates(groupBy: [STATUS]) { keys sum { speed } max { speed } } } }',
    variables: (number) => ({ tenant: tenantKey(number % tenantCount) }),
  },
  {
    name: 'collections',
    ours: '{ Tenant(first: 50) { edges { node { id portCollection { aggregates { count sum { speed } } } } } } }',
    postgraphile:
      '{ allTenants(first: 50, orderBy: [ID_ASC]) { edges { node { id portsByTenantId { totalCount aggregates { sum { speed } } } } } } }',
    variables: () => ({}),
  },
  {
    name: 'sorted',
    ours: '{ Port(speed: 100000, orderBy: [{ tenant: { name: DESC } }], first: 20) { edges { node { id name tenant { name } } } } }',
    postgraphile: undefined,
    variables: () => ({}),
  },
  {
    name: 'create',
    ours: 'mutation ($id: String!, $tenantId: String!) { create_Port(input: { id: $id, tenantId: $tenantId, name: "new", status: "UP", portType: "ethernet", vlanRanges: "1-2", speed: 1000, isActivated: 1, createdAt: "2026-01-01T09:00:00" }) { id name } }',
    postgraphile:
      'mutation ($id: String!, $tenantId: String!) { createPort(input: { port: { id: $id, tenantId: $tenantId, name: "new", status: "UP", portType: "ethernet", vlanRanges: "1-2", speed: 1000, isActivated: 1, createdAt: "2026-01-01T09:00:00" } }) { port { id name } } }',
    variables: (number) => ({ id: newKey(), tenantId: tenantKey(number % tenantCount) }),
  },
  {
    name: 'update',
    ours: 'mutation ($id: String!, $name: String!) { update_Port(id: $id, input: { name: $name }) { id name } }',
    postgraphile:
      'mutation ($id: String!, $name: String!) { updatePortById(input: { id: $id, portPatch: { name: $name } }) { port { id name } } }',
    variables: (number) => ({ id: portKey(anyPort(number)), name: `renamed ${number}` }),
  },
]

interface Contender {
  readonly name: 'ours' | 'PostGraphile' | 'by hand'
  readonly port: number
  readonly pid: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  stop(): Promise<void>
  text(question: Question): string | undefined
}

async function startAll(database: BenchDatabase): Promise<readonly Contender[]> {
  const program = await startGatewayProgram(
    [...database.flags, '--graphiql=false', '--db_wait=1m'],
    benchAdministrator,
  )
  const headers = await logOn(program.url)
  const adopted = await fetch(`${program.url}/manage/entities/adopt`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ tables: ['Tenant', 'Port'] }),
  })
  if (!adopted.ok) throw new Error(await adopted.text())
  await installOthers()
  const json = { 'content-type': 'application/json' }
  const other = (name: Contender['name'], path: string, server: Server): Omit<Contender, 'text'> => ({
    name,
    path,
    port: server.port,
    pid: server.pid,
    headers: json,
    stop: server.stop,
  })
  return [
    {
      name: 'ours',
      path: '/graphql',
      port: Number(new URL(program.url).port),
      pid: program.pid,
      headers,
      stop: () => program.stop(),
      text: ({ ours }) => ours,
    },
    {
      ...other(
        'PostGraphile',
        '/graphql',
        await startServer(['bench/contenders/postgraphile.mjs'], database),
      ),
      text: ({ postgraphile }) => postgraphile,
    },
    {
      ...other('by hand', '/', await startServer(['bench/limits/postgresql-relations.ts'], database)),
      text: ({ name }) => name,
    },
  ]
}

function requestOf(contender: Contender, question: Question, number: number): LoadRequest {
  const body = JSON.stringify({ query: contender.text(question), variables: question.variables(number) })
  return { method: 'POST', path: contender.path, headers: contender.headers, body }
}

/** A contender that answers with errors is not measured. */
async function assertAnswers(contender: Contender, question: Question): Promise<void> {
  const { method, path, headers, body } = requestOf(contender, question, 0)
  const response = await fetch(`http://127.0.0.1:${contender.port}${path}`, { method, headers, body })
  const text = await response.text()
  if (!response.ok || text.includes('"errors"'))
    throw new Error(`${contender.name}, ${question.name}: ${text.slice(0, 500)}`)
}

async function compare(question: Question, all: readonly Contender[]): Promise<void> {
  const asked = all.filter((contender) => contender.text(question) !== undefined)
  let number = 0
  const run = async (contender: Contender, time: number) => {
    const before = timeOfProcess(contender.pid)
    const { requests, seconds } = await load(contender.port, connections, time, () =>
      requestOf(contender, question, ++number),
    )
    const worked = (timeOfProcess(contender.pid) - before) * 1000
    return { rate: requests / seconds, milliseconds: worked / requests }
  }
  const rates = new Map(asked.map(({ name }) => [name, [] as number[]]))
  const times = new Map(asked.map(({ name }) => [name, [] as number[]]))
  for (const contender of asked) await assertAnswers(contender, question)
  for (const contender of asked) await run(contender, warmUp)
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const contender of pair % 2 === 0 ? asked : asked.toReversed()) {
      await sleep(30)
      const found = await run(contender, milliseconds)
      rates.get(contender.name)?.push(found.rate)
      times.get(contender.name)?.push(found.milliseconds)
    }
  }
  const own = rates.get('ours') ?? []
  for (const [name, found] of rates) {
    const { low, high } = ratioInterval(own.map((rate, pair) => rate / (found[pair] ?? Number.NaN)))
    const ratio = median(own.map((rate, pair) => rate / (found[pair] ?? Number.NaN)))
    const compared = name === 'ours' ? '' : `${ratio.toFixed(2)} | ${low.toFixed(2)}–${high.toFixed(2)}`
    const time = median(times.get(name) ?? []).toFixed(2)
    console.log(
      `| ${question.name} | ${name} | ${median(found).toFixed(0)} | ${compared || ' | '} | ${time} |`,
    )
  }
}

const chosen = flags.questions?.split(',')
const [database] = await benchDatabases(['PostgreSQL'])
if (database === undefined) throw new Error('PostgreSQL does not answer.')
try {
  const opened = await database.open()
  await makeData(opened)
  await opened.driver.close()
  await database.settle()
  const all = await startAll(database)
  try {
    console.log(`\n### ${await database.version()}, ${connections} connections, ${pairs} pairs\n`)
    console.log(
      '| question | | requests/s | ours to this | 95 % | ms of processor time each |\n|---|---|---|---|---|---|',
    )
    for (const question of questions)
      if (chosen === undefined || chosen.includes(question.name)) await compare(question, all)
  } finally {
    for (const contender of all) await contender.stop()
  }
} finally {
  await database.remove()
}
