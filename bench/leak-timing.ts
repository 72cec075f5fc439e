/**
 * Whether the time of an answer tells a row that an account cannot reach from one that is not there: `npm run bench
 * leak-timing`. Both are asked for in pairs, in random order within each pair, over one connection. A product's name behind
 * it asks for that one, a number for another number of pairs.
 */
import { Agent, request } from 'node:http'
import { benchDatabases } from './bench-databases.ts'
import { startGatewayProgram } from './program.ts'
import { median } from './statistics.ts'

const words = process.argv.slice(2)
const pairs = Number(words.find((word) => /^\d+$/.test(word)) ?? 3000)
const warmUp = 200
const rows = 2000

const apiKey = 'ghk_bench_bench_bench_bench_bench'
const password = 'only for this bench'
const methods = ['GET', 'POST', 'PATCH', 'DELETE']

/** One answer, and the microseconds until it was there. */
interface TimedAnswer {
  readonly status: number
  readonly body: string
  readonly microseconds: number
}

/** Sends requests one after the other, over one connection. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url
    this.#headers = headers
  }

  call(method: string, path: string, body?: unknown): Promise<TimedAnswer> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...this.#headers,
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      }),
    }
    return new Promise((resolve, reject) => {
      const start = performance.now()
      const sent = request(this.#url + path, { method, headers, agent: this.#agent }, (response) => {
        let read = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          read += piece
        })
        response.on('end', () => {
          const microseconds = (performance.now() - start) * 1000
          resolve({ status: response.statusCode ?? 0, body: read, microseconds })
        })
      })
      sent.on('error', reject)
      sent.end(text)
    })
  }

  async must(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
    return answer.body === '' ? undefined : JSON.parse(answer.body)
  }

  close(): void {
    this.#agent.destroy()
  }
}

async function logOn(url: string, username: string, secret: string, key: string): Promise<Client> {
  const client = new Client(url, { 'x-xaas-api-key': key })
  const answer = (await client.must('POST', '/logon', { username, password: secret })) as Record<
    string,
    string
  >
  client.close()
  return new Client(url, { 'x-xaas-auth-token': answer['x-xaas-auth-token'] ?? '' })
}

const definition = {
  name: 'Port',
  attributes: {
    identifier: { field_name: 'id', field_type: 'string' },
    local_fields: [
      { field_name: 'name', field_type: 'string' },
      { field_name: 'tenant', field_type: 'string' },
    ],
    ref_fields: [{ field_name: 'parentId', field_type: 'string', ref_class: 'Port', ref_class_field: 'id' }],
  },
}

/** Makes the rows: every second one is the account's own. Gives the account's client, and the GlobalIds of hidden rows. */
async function prepare(
  url: string,
): Promise<{ readonly client: Client; readonly globalIds: readonly string[] }> {
  const admin = await logOn(url, 'admin', password, apiKey)
  await admin.must('POST', '/manage/entities', definition)
  const records = Array.from({ length: rows }, (_, index) => ({
    id: index % 2 === 0 ? hiddenId(index / 2) : ownId((index - 1) / 2),
    name: `port ${index}`,
    tenant: index % 2 === 0 ? 'hidden' : 'own',
  }))
  await admin.must('POST', '/apis/ports', records)
  const rule = [{ key: 'tenant', op: '==', val: { account: 'metadata.tenant' } }]
  const authorities = [{ regex: '/apis/ports(/.*)?|/graphql/Port', methods, rows: rule }]
  await admin.must('POST', '/manage/roles', { name: 'member', authorities })
  const account = { username: 'member', password, role: 'member', metadata: { tenant: 'own' } }
  const { api_key: key } = (await admin.must('POST', '/manage/accounts', account)) as { api_key: string }
  const query = '{ Port(tenant: "hidden", asc: "id") { edges { node { GlobalId } } } }'
  const { data } = (await admin.must('POST', '/graphql', { query })) as {
    data: { Port: { edges: { node: { GlobalId: string } }[] } }
  }
  admin.close()
  const globalIds = data.Port.edges.map(({ node }) => node.GlobalId)
  return { client: await logOn(url, 'member', password, key), globalIds }
}

/** Identifiers of the same length, in turn: a row that is hidden, one of the account's own, and one that is not there. */
const idOf = (number: number) => `p${String(number).padStart(6, '0')}`
const hiddenId = (number: number) => idOf(3 * number)
const ownId = (number: number) => idOf(3 * number + 1)
const absentId = (number: number) => idOf(3 * number + 2)

/** A request for a row: of one that is hidden, or of one that is not there. */
interface Question {
  readonly name: string
  ask(client: Client, row: { readonly id: string; readonly globalId: string }): Promise<TimedAnswer>
}

const nodeQuery = 'query ($id: ID!) { node(GlobalId: $id) { ... on Port_ { id name } } }'
const questions: readonly Question[] = [
  { name: 'GET one', ask: (client, { id }) => client.call('GET', `/apis/ports/${id}`) },
  { name: 'GET by filter', ask: (client, { id }) => client.call('GET', `/apis/ports?id=${id}&count=true`) },
  {
    name: 'node',
    ask: (client, { globalId }) =>
      client.call('POST', '/graphql', { query: nodeQuery, variables: { id: globalId } }),
  },
  {
    name: 'GraphQL filter',
    ask: (client, { id }) =>
      client.call('POST', '/graphql', {
        query: 'query ($id: GenericScalar) { Port(id: $id) { totalCount edges { node { name } } } }',
        variables: { id },
      }),
  },
  { name: 'PATCH', ask: (client, { id }) => client.call('PATCH', `/apis/ports/${id}`, { name: 'x' }) },
  { name: 'DELETE', ask: (client, { id }) => client.call('DELETE', `/apis/ports/${id}`) },
  {
    name: 'reference to it',
    ask: (client, { id }) =>
      client.call('POST', '/apis/ports?dry_run=true', { name: 'x', tenant: 'own', parentId: id }),
  },
]

/** A GlobalId of a row that is not there, as long as one that is. */
function absentGlobalId(globalId: string): string {
  const text = Buffer.from(globalId, 'base64').toString()
  const changed = text.replace(/.{12}$/, () => Array.from({ length: 12 }, () => hexDigit()).join(''))
  return Buffer.from(changed).toString('base64')
}

const hexDigit = () => Math.floor(Math.random() * 16).toString(16)
const below = (number: number) => Math.floor(Math.random() * number)

/** The median with the interval that holds the true one with a probability of 95 %, by the ranks of the values. */
function medianInterval(values: readonly number[]): { readonly low: number; readonly high: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const half = (1.96 * Math.sqrt(sorted.length)) / 2
  const at = (rank: number) =>
    sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(rank)))] ?? Number.NaN
  return { low: at(sorted.length / 2 - half), high: at(sorted.length / 2 + half) }
}

async function measure(question: Question, client: Client, globalIds: readonly string[]): Promise<void> {
  const hidden: number[] = []
  const absent: number[] = []
  for (let pair = -warmUp; pair < pairs; pair += 1) {
    const number = below(rows / 2)
    const globalId = globalIds[number] ?? ''
    const asks = [
      { row: { id: hiddenId(number), globalId }, times: hidden },
      { row: { id: absentId(number), globalId: absentGlobalId(globalId) }, times: absent },
    ]
    for (const { row, times } of Math.random() < 0.5 ? asks : asks.reverse()) {
      const { microseconds } = await question.ask(client, row)
      if (pair >= 0) times.push(microseconds)
    }
  }
  const differences = hidden.map((time, index) => time - (absent[index] ?? 0))
  const { low, high } = medianInterval(differences)
  const shown = (value: number) => value.toFixed(1).padStart(8)
  console.log(
    `  ${question.name.padEnd(16)} hidden ${shown(median(hidden))} µs, absent ${shown(median(absent))} µs; difference ${shown(median(differences))} µs (95 %: ${shown(low)} to ${shown(high)})`,
  )
}

for (const bench of await benchDatabases(words.filter((word) => !/^\d+$/.test(word)))) {
  const environment = { GATEHOUSE_ADMIN_PASSWORD: password, GATEHOUSE_ADMIN_API_KEY: apiKey }
  try {
    // A file is made when it is opened.
    await (await bench.open()).driver.close()
    const program = await startGatewayProgram(bench.flags, environment)
    try {
      const { client, globalIds } = await prepare(program.url)
      await bench.settle()
      console.log(`${await bench.version()}, medians of ${pairs} pairs:`)
      for (const question of questions) await measure(question, client, globalIds)
      client.close()
    } finally {
      await program.stop()
    }
  } finally {
    await bench.remove()
  }
}
