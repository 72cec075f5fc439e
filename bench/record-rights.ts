/**
 * What rights on rows cost: `npm run bench record-rights [PRODUCT]`. Accounts whose role has a rule on rows ask in turn with
 * accounts whose role has none and that write the same filter into the request, among 1,000 roles and 100,000 rows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchDatabase, benchDatabases } from './bench-databases.ts'
import { makeData, portKey, portsOfTenant, tenantCount, tenantKey } from './compare/data.ts'
import { type LoadRequest, load } from './compare/load.ts'
import { benchAdministrator, logOn } from './logon.ts'
import { startGatewayProgram } from './program.ts'
import { median, ratioInterval } from './statistics.ts'

const [pairs, connections, milliseconds] = [24, 16, 500]
const roleCount = 1000
/** Accounts that take turns, each of another tenant. */
const accountCount = 20
const password = 'a long pass phrase'

/** An account that has logged on. */
interface Account {
  readonly tenant: number
  readonly headers: Readonly<Record<string, string>>
}

/** One question, asked with the filter of the rule and with the same filter in the request. */
interface Question {
  readonly name: string
  byRule(tenant: number, number: number): Omit<LoadRequest, 'headers'>
  byHand(tenant: number, number: number): Omit<LoadRequest, 'headers'>
}

const graphql = (query: string, variables: object) => ({
  method: 'POST',
  path: '/graphql',
  body: JSON.stringify({ query, variables }),
})
const get = (path: string) => ({ method: 'GET', path, body: '' })

/** A port of a tenant. */
const portOf = (tenant: number, number: number) =>
  portKey(tenant + tenantCount * ((number * 7919) % portsOfTenant))

const fields = 'id name status tenantId createdAt'
const own = 'filters: [{ key: "tenantId", op: "==", val: $tenant }]'
const questions: readonly Question[] = [
  {
    name: 'GraphQL: one port by id',
    byRule: (tenant, number) =>
      graphql(`query ($id: GenericScalar) { Port(id: $id) { edges { node { ${fields} } } } }`, {
        id: portOf(tenant, number),
      }),
    byHand: (tenant, number) =>
      graphql(
        `query ($id: GenericScalar, $tenant: GenericScalar) { Port(id: $id, ${own}) { edges { node { ${fields} } } } }`,
        { id: portOf(tenant, number), tenant: tenantKey(tenant) },
      ),
  },
  {
    name: 'GraphQL: a page of 10 ports, with the total',
    byRule: () => graphql(`{ Port(first: 10) { totalCount edges { node { ${fields} } } } }`, {}),
    byHand: (tenant) =>
      graphql(
        `query ($tenant: GenericScalar) { Port(first: 10, ${own}) { totalCount edges { node { ${fields} } } } }`,
        { tenant: tenantKey(tenant) },
      ),
  },
  {
    name: 'GraphQL: all 100 ports, sorted by name',
    byRule: () => graphql(`{ Port(asc: "name") { edges { node { ${fields} } } } }`, {}),
    byHand: (tenant) =>
      graphql(
        `query ($tenant: GenericScalar) { Port(asc: "name", ${own}) { edges { node { ${fields} } } } }`,
        { tenant: tenantKey(tenant) },
      ),
  },
  {
    name: 'GraphQL: 5 tenants with 10 ports of each',
    byRule: () =>
      graphql(
        '{ Tenant(first: 5) { edges { node { id portCollection(first: 10) { edges { node { id name } } } } } } }',
        {},
      ),
    byHand: (tenant) =>
      graphql(
        `query ($tenant: GenericScalar) { Tenant(first: 5) { edges { node { id portCollection(first: 10, ${own}) { edges { node { id name } } } } } } }`,
        { tenant: tenantKey(tenant) },
      ),
  },
  {
    name: 'REST: a page of 10 ports',
    byRule: () => get('/apis/ports?limit=10'),
    byHand: (tenant) => get(`/apis/ports?limit=10&tenantId=${tenantKey(tenant)}`),
  },
  {
    name: 'REST: one port',
    byRule: (tenant, number) => get(`/apis/ports/${portOf(tenant, number)}`),
    byHand: (tenant, number) => get(`/apis/ports/${portOf(tenant, number)}`),
  },
]

async function call(
  url: string,
  headers: Record<string, string>,
  path: string,
  body: object,
): Promise<Record<string, string>> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

/** Roles among many others, with and without a rule, and accounts of each. */
async function makeAccounts(
  url: string,
): Promise<{ readonly byRule: Account[]; readonly byHand: Account[] }> {
  const admin = await logOn(url)
  await call(url, admin, '/manage/entities/adopt', { tables: ['Tenant', 'Port'] })
  const authority = (regex: string) => ({ regex, methods: ['GET', 'POST'] })
  const onPorts = authority('/apis/ports(/.*)?|/graphql/Port')
  const others = [authority('/apis/tenants(/.*)?|/graphql/Tenant')]
  const rows = [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }]
  for (let number = 2; number < roleCount; number += 1) {
    const authorities = [{ ...onPorts, rows: [...rows, { key: 'name', op: 'starts', val: `n${number}` }] }]
    await call(url, admin, '/manage/roles', { name: `role${number}`, authorities })
  }
  await call(url, admin, '/manage/roles', { name: 'byHand', authorities: [onPorts, ...others] })
  await call(url, admin, '/manage/roles', { name: 'byRule', authorities: [{ ...onPorts, rows }, ...others] })
  const account = async (role: string, tenant: number): Promise<Account> => {
    const username = `${role}${tenant}`
    const metadata = { tenant: tenantKey(tenant) }
    const { api_key = '' } = await call(url, admin, '/manage/accounts', {
      username,
      password,
      role,
      metadata,
    })
    const type = { 'content-type': 'application/json' }
    const answer = await call(url, { ...type, 'x-xaas-api-key': api_key }, '/logon', { username, password })
    return { tenant, headers: { ...type, 'x-xaas-auth-token': answer['x-xaas-auth-token'] ?? '' } }
  }
  const accounts = { byRule: [] as Account[], byHand: [] as Account[] }
  for (let tenant = 0; tenant < accountCount; tenant += 1) {
    accounts.byRule.push(await account('byRule', tenant))
    accounts.byHand.push(await account('byHand', tenant))
  }
  return accounts
}

async function compare(database: BenchDatabase): Promise<void> {
  const opened = await database.open()
  await makeData(opened)
  await opened.driver.close()
  await database.settle()
  const program = await startGatewayProgram(
    [...database.flags, '--graphiql=false', '--db_wait=1m'],
    benchAdministrator,
  )
  try {
    const accounts = await makeAccounts(program.url)
    const port = Number(new URL(program.url).port)
    console.log(`\n### ${await database.version()}\n`)
    console.log(
      '| | by the rule, requests/s | by hand, requests/s | ratio of times | 95 % |\n|---|---|---|---|---|',
    )
    for (const question of questions) {
      const run = async (way: 'byRule' | 'byHand', time: number) => {
        let number = 0
        const { requests, seconds } = await load(port, connections, time, () => {
          number += 1
          const { tenant, headers } = accounts[way][number % accountCount] as Account
          return { ...question[way](tenant, number), headers }
        })
        return requests / seconds
      }
      await assertSameAnswers(program.url, question, accounts)
      for (const way of ['byRule', 'byHand', 'byRule', 'byHand'] as const) await run(way, 1000)
      const rates = { byRule: [] as number[], byHand: [] as number[] }
      for (let pair = 0; pair < pairs; pair += 1) {
        const order = pair % 2 === 0 ? (['byRule', 'byHand'] as const) : (['byHand', 'byRule'] as const)
        for (const way of order) {
          await sleep(30)
          rates[way].push(await run(way, milliseconds))
        }
      }
      const ratios = rates.byHand.map((rate, pair) => rate / (rates.byRule[pair] ?? Number.NaN))
      const { low, high } = ratioInterval(ratios)
      console.log(
        `| ${question.name} | ${median(rates.byRule).toFixed(0)} | ${median(rates.byHand).toFixed(0)} | ${median(ratios).toFixed(3)} | ${low.toFixed(3)}–${high.toFixed(3)} |`,
      )
    }
  } finally {
    await program.stop()
  }
}

/** Both ways of a question must find the same. */
async function assertSameAnswers(
  url: string,
  question: Question,
  accounts: { readonly byRule: readonly Account[]; readonly byHand: readonly Account[] },
): Promise<void> {
  for (const number of [0, 1]) {
    const texts: string[] = []
    for (const way of ['byRule', 'byHand'] as const) {
      const { tenant, headers } = accounts[way][number] as Account
      const { method, path, body } = question[way](tenant, number)
      const response = await fetch(url + path, { method, headers, ...(body === '' ? {} : { body }) })
      const text = await response.text()
      if (!response.ok || text.includes('"errors"')) throw new Error(`${path}: ${response.status} ${text}`)
      texts.push(text)
    }
    if (texts[0] !== texts[1]) throw new Error(`${question.name}: ${texts.join('\n')}`)
  }
}

for (const database of await benchDatabases()) {
  try {
    await compare(database)
  } finally {
    await database.remove()
  }
}
