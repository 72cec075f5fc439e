/** A gateway that is killed while accounts write under rules on rows: nothing stays that the rules do not allow, nor a part of a call. */
import { expect, onTestFinished, test } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { products } from '../support/products.ts'
import { type StartedProgram, startGatewayProgram } from '../support/start-program.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'

const admin = { username: 'admin', password: 'only for this test', apiKey: 'k'.repeat(40) }
const environment = { GATEHOUSE_ADMIN_PASSWORD: admin.password, GATEHOUSE_ADMIN_API_KEY: admin.apiKey }

const tenant = definition('Tenant')
const port = definition('Port', {
  local: [
    field('name', 'string', { field_nullable: false }),
    field('speed', 'integer'),
    field('batch', 'string'),
  ],
  refs: [reference('tenantId', 'Tenant', 'id', { field_nullable: false })],
})

const path = '/apis/ports(/.*)?|/graphql/Port'
/** Slow ports of its own tenant; and ports of another one with certain names, whose tenant is set, too. */
const authorities = [
  {
    ...{ regex: path, methods: ['GET', 'POST', 'PATCH', 'DELETE'] },
    rows: [
      { key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } },
      { key: 'speed', op: '<', val: 100 },
    ],
    fields: { read: ['id', 'name', 'speed', 'batch', 'tenantId'], write: ['id', 'name', 'speed', 'batch'] },
    set: { tenantId: { account: 'metadata.tenant' } },
  },
  {
    ...{ regex: path, methods: ['POST'] },
    rows: [
      { key: 'tenantId', op: '==', val: 'b' },
      { key: 'name', op: 'starts', val: 'shared' },
    ],
    set: { tenantId: 'b' },
  },
]

interface Port {
  readonly id: string
  readonly name: string
  readonly speed: number
  readonly batch: string | null
  readonly tenantId: string
}

type Call = (path: string, body: unknown) => Promise<{ readonly status: number; readonly body: unknown }>

async function logOn(url: string, username: string, password: string, apiKey: string): Promise<Call> {
  const post = async (to: string, body: unknown, headers: Readonly<Record<string, string>>) => {
    const json = { 'content-type': 'application/json', ...headers }
    const response = await fetch(url + to, { method: 'POST', headers: json, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const { body } = await post('/logon', { username, password }, { 'x-xaas-api-key': apiKey })
  const token = (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
  return (to, document) => post(to, document, { 'x-xaas-auth-token': token })
}

/** Two ports that each mutation changes together, and back. */
const pair = ['pair1', 'pair2']
const batchSize = 10

/** What a writer does in its turns: what is allowed, and what the rules refuse before the write, after it, or in the middle of a list. */
const turns: readonly ((call: Call, name: string, number: number) => ReturnType<Call>)[] = [
  (call, name) => call('/apis/ports', { id: name, name: 'own', speed: 1 }),
  (call, name) => call('/apis/ports', { id: name, name: 'refused', speed: 500 }),
  (call, name) => call('/apis/ports', { id: name, name: 'shared', speed: 500 }),
  (call, name) =>
    call(
      '/apis/ports',
      batchOf(name, () => ({ name: 'own', speed: 2 })),
    ),
  (call, name) =>
    call(
      '/apis/ports',
      batchOf(name, (index) => ({ name: 'refused', speed: index === 7 ? 500 : 2 })),
    ),
  (call, _, number) =>
    mutate(
      call,
      'mutation ($n: Int) { a: update_Port(id: "pair1", input: { speed: $n }) { id } b: update_Port(id: "pair2", input: { speed: $n }) { id } }',
      { n: number % 100 },
    ),
  (call) =>
    mutate(
      call,
      'mutation { a: update_Port(id: "pair1", input: { name: "refused" }) { id } b: update_Port(id: "pair2", input: { speed: 500 }) { id } }',
      {},
    ),
  (call, name) =>
    mutate(
      call,
      'mutation ($inputs: [Port_CreateInput!]!, $first: String) { createAll_Port(inputs: $inputs) { id } update_Port(id: $first, input: { name: "changed" }) { id } }',
      {
        inputs: batchOf(name, (index) => ({
          name: index === 3 ? 'shared' : 'own',
          speed: index === 3 ? 700 : 3,
        })),
        first: `${name}-0`,
      },
    ),
]

function batchOf(name: string, valuesOf: (index: number) => object): readonly object[] {
  return Array.from({ length: batchSize }, (_, index) => ({
    id: `${name}-${index}`,
    batch: name,
    ...valuesOf(index),
  }))
}

async function mutate(call: Call, query: string, variables: object) {
  const { status, body } = await call('/graphql', { query, variables })
  const { errors } = body as { readonly errors?: readonly unknown[] }
  return { status: errors === undefined ? status : 403, body }
}

describeOn(products, (product) => {
  test.each([1, 15, 60])(
    'killed after %i acknowledged writes, it has kept whole ones that the rules allow',
    async (count) => {
      const database = await product.createDatabase()
      const running: StartedProgram[] = []
      onTestFinished(async () => {
        await running.at(-1)?.stop('SIGTERM')
        await database.remove()
      })
      const start = async () => {
        running.push(await startGatewayProgram(database.options, environment, '--log_level', 'error'))
        const { url } = running.at(-1) as StartedProgram
        return { url, call: await logOn(url, admin.username, admin.password, admin.apiKey) }
      }
      const first = await start()
      await first.call('/manage/entities', [tenant, port])
      await first.call('/apis/tenants', [{ id: 'a' }, { id: 'b' }])
      await first.call(
        '/apis/ports',
        pair.map((id) => ({ id, name: 'pair', speed: 0, tenantId: 'a' })),
      )
      expect((await first.call('/manage/roles', { name: 'member', authorities })).status).toBe(201)
      const account = { username: 'member', password: 'only for members', role: 'member' }
      const made = await first.call('/manage/accounts', { ...account, metadata: { tenant: 'a' } })
      expect(made.status).toBe(201)
      const { api_key } = made.body as { readonly api_key: string }
      const member = await logOn(first.url, account.username, account.password, api_key)

      const acknowledged: string[] = []
      let refused = 0
      let killed: Promise<unknown> | undefined
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let number = 0; killed === undefined; number += 1) {
          const name = `w${writer}n${number}`
          const turn = turns[(number + writer) % turns.length]
          const { status } = (await turn?.(member, name, number)) ?? { status: 0 }
          if (status >= 400) refused += 1
          else acknowledged.push(name)
          if (acknowledged.length >= count) killed ??= running.at(-1)?.stop('SIGKILL')
        }
      })
      await Promise.allSettled(writers)
      await killed
      expect(acknowledged.length).toBeGreaterThanOrEqual(count)
      if (count > 20) expect(refused).toBeGreaterThan(5)

      const { call } = await start()
      const { body } = await call('/graphql', {
        query: '{ Port { edges { node { id name speed batch tenantId } } } }',
      })
      const { data } = body as { data: { Port: { edges: readonly { readonly node: Port }[] } } }
      const ports = data.Port.edges.map(({ node }) => node)
      const isAllowed = ({ name, speed, tenantId }: Port) =>
        tenantId === 'a' ? speed < 100 : name.startsWith('shared')
      expect(ports.filter((one) => !isAllowed(one) || one.name === 'refused')).toEqual([])
      const batches = Map.groupBy(
        ports.filter(({ batch }) => batch !== null),
        ({ batch }) => batch,
      )
      expect([...batches.values()].filter((some) => some.length !== batchSize)).toEqual([])
      const [one, other] = pair.map((id) => ports.find((found) => found.id === id)?.speed)
      expect(one).toBe(other)
      const kept = new Set(ports.map(({ id }) => id.replace(/-\d+$/, '')))
      const isOfPair = (name: string) => {
        const [, writer, number] = /^w(\d+)n(\d+)$/.exec(name) ?? []
        return (Number(writer) + Number(number)) % turns.length === 5
      }
      expect(acknowledged.filter((name) => !kept.has(name) && !isOfPair(name))).toEqual([])
    },
    120_000,
  )
})
