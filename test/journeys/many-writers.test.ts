/**
 * Many clients write at the same time, some of them what is refused: each is answered as if it were alone, and the tables have what was
 * answered.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readers } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const clients = 24
const rounds = 12

describe.each(readers)('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const made = await gateway.request('POST', '/manage/entities', {
      body: [
        definition('Tenant', { local: [field('name', 'string')] }),
        definition('Port', {
          local: [field('name', 'string'), field('serial', 'string', { field_unique: true })],
          refs: [reference('tenantId', 'Tenant')],
        }),
      ],
    })
    expect(made.status).toBe(201)
    await gateway.request('POST', '/apis/tenants', { body: { id: 't', name: 'One' } })
    for (const id of ['taken', 'hot'])
      await gateway.request('POST', '/apis/ports', {
        body: { id, name: id, serial: id, tenantId: 't' },
      })
  })
  afterAll(() => gateway.close())

  /** What a client is told, without what differs from call to call. */
  async function rest(method: string, path: string, body: object): Promise<Json> {
    const { status, body: answer } = await gateway.request(method, path, { body })
    const { code, detail, errors, id, name, serial, tenantId } = answer as Json
    return { status, code, detail, errors, record: { id, name, serial, tenantId } }
  }
  async function graphql(query: string, variables: object): Promise<Json> {
    const answer = (await gateway.graphql(query, variables as Readonly<Record<string, unknown>>)) as Json
    return JSON.parse(
      JSON.stringify(answer, (key, value) => (key === 'requestId' ? undefined : (value as unknown))),
    )
  }
  const create = (input: object) =>
    graphql(
      'mutation ($input: Port_CreateInput!) { create_Port(input: $input) { id name serial tenantId } }',
      { input },
    )
  const rename = (id: string, name: string) =>
    graphql(
      'mutation ($id: String!, $name: String) { update_Port(id: $id, input: { name: $name }) { id name } }',
      {
        id,
        name,
      },
    )

  /** By what is refused: the same call for everybody. */
  const refused = {
    taken: () => create({ id: 'taken', name: 'again', serial: 'other', tenantId: 't' }),
    unique: () => create({ id: 'new', name: 'again', serial: 'taken', tenantId: 't' }),
    uniqueByRest: () =>
      rest('POST', '/apis/ports', { id: 'new', name: 'again', serial: 'taken', tenantId: 't' }),
    reference: () => create({ id: 'new', name: 'again', serial: 'other', tenantId: 'nobody' }),
    missing: () => rename('nobody', 'again'),
    missingByRest: () => rest('PATCH', '/apis/ports/nobody', { name: 'again' }),
    changedUnique: () => rest('PATCH', '/apis/ports/hot', { serial: 'taken' }),
  }

  test('each is answered as if it were alone, and the table has what was answered', async () => {
    const alone = new Map<string, Json>()
    for (const [name, call] of Object.entries(refused)) alone.set(name, await call())
    expect([...alone.values()].map((answer) => answer.status ?? answer.errors[0].extensions?.code)).toEqual([
      ...['VALUE_NOT_UNIQUE', 'VALUE_NOT_UNIQUE', 409, 'RECORD_INVALID', 'RECORD_NOT_FOUND', 404, 409],
    ])
    const kept = new Map<string, string>()
    const names = new Set(['hot'])
    const kinds = Object.keys(refused) as (keyof typeof refused)[]

    async function write(client: number, round: number): Promise<void> {
      const id = `p-${client}-${round}`
      const record = { id, name: `n ${id}`, serial: `s ${id}`, tenantId: 't' }
      switch ((client + round) % 5) {
        case 0: {
          expect(await create(record)).toEqual({ data: { create_Port: record } })
          kept.set(id, record.name)
          return
        }
        case 1: {
          expect(await rest('POST', '/apis/ports', record)).toMatchObject({ status: 201, record })
          kept.set(id, record.name)
          return
        }
        case 2: {
          const kind = kinds[(client * 7 + round) % kinds.length] ?? 'taken'
          expect([kind, await refused[kind]()]).toEqual([kind, alone.get(kind)])
          return
        }
        case 3: {
          const name = `${client} ${round}`
          names.add(name)
          expect(await rename('hot', name)).toMatchObject({ data: { update_Port: { id: 'hot' } } })
          return
        }
        default: {
          const before = `p-${client}-${round - 3}`
          if (!kept.has(before)) return
          expect(await rename(before, 'renamed')).toEqual({
            data: { update_Port: { id: before, name: 'renamed' } },
          })
          kept.set(before, 'renamed')
        }
      }
    }
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(Array.from({ length: clients }, (_, client) => write(client, round)))
    // Without waiting for each other.
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let round = rounds; round < 2 * rounds; round += 1) await write(client, round)
      }),
    )
    const { data } = (await gateway.graphql('{ Port(first: 10000) { edges { node { id name } } } }')) as Json
    const found = new Map<string, string>(
      data.Port.edges.map(({ node }: Json) => [node.id, node.name] as const),
    )
    expect(names).toContain(found.get('hot'))
    found.delete('hot')
    expect(found.get('taken')).toBe('taken')
    found.delete('taken')
    expect(new Map([...found].sort())).toEqual(new Map([...kept].sort()))
  })
})
