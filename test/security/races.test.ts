/** Nothing is lost, doubled or left half done when many change the same at the same moment, at several nodes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
  readonly body: any
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const writers = Array.from({ length: 8 }, (_, index) => index)
const rounds = 20

const definitions = [
  definition('Counter', {
    identifier: { field_immutable: true },
    local: [
      field('value', 'integer'),
      field('parts', 'object'),
      field('number', 'integer', { field_unique: true }),
    ],
  }),
  definition('Tenant'),
  definition('Port', { refs: [reference('parent', 'Tenant')] }),
]

describe.each(products)('$name', (product) => {
  let nodes: TwoGateways

  beforeAll(async () => {
    nodes = await startTwoGateways(product, withEntities(definitions))
  })
  afterAll(() => nodes.close())

  /** Asks one node after the other. */
  async function call({ method, path, body, headers }: Call, node = 0): Promise<Answer> {
    const { first, second } = nodes
    const response = await fetch((node % 2 === 0 ? first.url : second.address) + path, {
      method,
      headers: {
        'x-xaas-auth-token': first.token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) }
  }
  const atOnce = (calls: readonly Call[]) => Promise.all(calls.map((one, index) => call(one, index)))
  const read = async (path: string) => (await call({ method: 'GET', path })).body
  const post = async (path: string, body: unknown) => {
    const answer = await call({ method: 'POST', path, body })
    expect(answer).toMatchObject({ status: 201 })
    return answer
  }
  const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted()

  test.each(['PATCH', 'PUT', 'DELETE'])('R6: of many %s with one tag one is carried out', async (method) => {
    for (let round = 0; round < rounds; round += 1) {
      const path = `/apis/counters/${method}-${round}`
      const made = await post('/apis/counters', { id: `${method}-${round}`, value: -1 })
      const answers = await atOnce(
        writers.map((value) => ({
          method,
          path,
          ...(method === 'DELETE' ? {} : { body: { value } }),
          headers: { 'if-match': made.headers.get('etag') ?? '' },
        })),
      )
      const isDone = ({ status }: Answer) => status < 300
      expect(answers.filter(isDone)).toHaveLength(1)
      for (const answer of answers) {
        if (!isDone(answer))
          expect(answer).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } })
      }
      const after = await call({ method: 'GET', path })
      if (method === 'DELETE') expect(after.status).toBe(404)
      else expect(after.body.value).toBe(answers.findIndex(isDone))
    }
  })

  test('R6: of many that delete the same record one is told that it has', async () => {
    await post('/apis/counters', { id: 'gone' })
    const answers = await atOnce(writers.map(() => ({ method: 'DELETE', path: '/apis/counters/gone' })))
    expect(statusesOf(answers)).toEqual([204, ...writers.slice(1).map(() => 404)])
  })

  test('R6: patches of one object at the same moment are all in it', async () => {
    await post('/apis/counters', { id: 'parts', parts: {} })
    const path = '/apis/counters/parts'
    const answers = await atOnce(
      writers.map((writer) => ({ method: 'PATCH', path, body: { parts: { [`w${writer}`]: writer } } })),
    )
    expect(statusesOf(answers)).toEqual(writers.map(() => 200))
    expect((await read(path)).parts).toEqual(
      Object.fromEntries(writers.map((writer) => [`w${writer}`, writer])),
    )
  })

  test('R6: a unique value is given to one of many', async () => {
    const taken = (answers: readonly Answer[], status: number) => {
      expect(statusesOf(answers)).toEqual([status, ...writers.slice(1).map(() => 409)])
      for (const { status: is, body } of answers) if (is === 409) expect(body.code).toBe('VALUE_NOT_UNIQUE')
    }
    const body = { id: 'unique' }
    taken(await atOnce(writers.map(() => ({ method: 'POST', path: '/apis/counters', body }))), 201)

    await post(
      '/apis/counters',
      writers.map((writer) => ({ id: `number-${writer}` })),
    )
    const change = (writer: number) => ({
      method: 'PATCH',
      path: `/apis/counters/number-${writer}`,
      body: { number: 1 },
    })
    taken(await atOnce(writers.map(change)), 200)
  })

  test('R6: of lists that want the same unique values in different orders one is created, whole', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `list-${index}`)
    const lists = writers.map((writer) =>
      (writer % 2 === 0 ? ids : ids.toReversed()).map((id) => ({ id, value: writer })),
    )
    const answers = await atOnce(lists.map((body) => ({ method: 'POST', path: '/apis/counters', body })))
    expect(statusesOf(answers)).toEqual([201, ...writers.slice(1).map(() => 409)])
    const winner = answers.findIndex(({ status }) => status === 201)
    const all = (await read('/apis/counters')) as { readonly id: string; readonly value: number }[]
    const there = all.filter(({ id }) => id.startsWith('list-'))
    expect(there.map(({ value }) => value)).toEqual(ids.map(() => winner))
  })

  test('R6: a record is not deleted while others begin to refer to it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const parent = `p-${round}`
      await post('/apis/tenants', { id: parent })
      await post('/apis/ports', { id: `moves-${round}` })
      const made = writers.map((writer) => ({
        method: 'POST',
        path: '/apis/ports',
        body: { id: `${parent}-${writer}`, parent },
      }))
      const moved = { method: 'PATCH', path: `/apis/ports/moves-${round}`, body: { parent } }
      const removal = { method: 'DELETE', path: `/apis/tenants/${parent}` }
      const [removed, ...referring] = await atOnce([removal, ...made, moved])
      const isReferred = referring.some(({ status }) => status < 300)
      expect(removed).toMatchObject(isReferred ? { status: 409, body: { code: 'IN_USE' } } : { status: 204 })
      for (const answer of referring) {
        if (answer.status >= 300)
          expect(answer).toMatchObject({ status: 422, body: { code: 'RECORD_INVALID' } })
      }
      const ports = (await read(`/apis/ports?parent=${parent}`)) as unknown[]
      expect(ports).toHaveLength(referring.filter(({ status }) => status < 300).length)
    }
  })

  test('R6: records that refer to each other are changed at the same moment', async () => {
    await post('/apis/tenants', [{ id: 'left' }, { id: 'right' }])
    await post(
      '/apis/ports',
      writers.map((writer) => ({ id: `swap-${writer}`, parent: 'left' })),
    )
    const change = (writer: number, parent: string) => ({
      method: 'PATCH',
      path: `/apis/ports/swap-${writer % 2}`,
      body: { parent },
    })
    for (let round = 0; round < 5; round += 1) {
      const answers = await atOnce(
        writers.map((writer) => change(writer, writer % 3 === 0 ? 'left' : 'right')),
      )
      expect(statusesOf(answers)).toEqual(writers.map(() => 200))
    }
  })

  describe('records of the gateway', () => {
    const role = (name: string) => ({ name, authorities: [{ regex: '/apis/.*', methods: ['GET'] }] })
    const account = (username: string, more: object = {}) => ({
      username,
      password: 'a long pass phrase',
      role: 'kept',
      ...more,
    })
    const manage = (part: string) => `/manage/${part}`
    const logonOf = (username: string, apiKey: string, password = 'a long pass phrase'): Call => ({
      method: 'POST',
      path: '/logon',
      body: { username, password },
      headers: { 'x-xaas-api-key': apiKey },
    })
    const isTaken = async (token: string) => {
      const headers = { 'x-xaas-auth-token': token }
      return (await call({ method: 'GET', path: '/apis/tenants', headers })).status === 200
    }

    beforeAll(async () => {
      await post(manage('roles'), role('kept'))
    })

    test.each([
      ['roles', role('put')],
      ['routes', { name: 'put', path: '/apis/puts', methods: ['GET'], scope: 'public' }],
    ])('R6: of many that put the same of %s one creates it and the others replace it', async (part, body) => {
      const path = manage(`${part}/put`)
      const answers = await atOnce(writers.map(() => ({ method: 'PUT', path, body })))
      expect(statusesOf(answers)).toEqual([...writers.slice(1).map(() => 200), 201])
    })

    test('R6: an account is created once', async () => {
      const calls = writers.map(() => ({ method: 'POST', path: manage('accounts'), body: account('once') }))
      const answers = await atOnce(calls)
      expect(statusesOf(answers)).toEqual([201, ...writers.slice(1).map(() => 409)])
    })

    test('R6: changes of different parts of an account are all made', async () => {
      await post(manage('accounts'), account('parts'))
      const path = manage('accounts/parts')
      for (let round = 1; round <= 5; round += 1) {
        const bodies = [
          { metadata: { round } },
          { expire_days: round },
          { role: round % 2 ? ['kept', 'admin'] : ['kept'] },
        ]
        const answers = await atOnce(bodies.map((body) => ({ method: 'PATCH', path, body })))
        expect(statusesOf(answers)).toEqual([200, 200, 200])
        expect(await read(path)).toMatchObject({
          metadata: { round },
          expire_days: round,
          role: round % 2 ? ['kept', 'admin'] : 'kept',
        })
      }
    })

    test('R6: a role is not deleted while accounts get it', async () => {
      for (let round = 0; round < 5; round += 1) {
        const name = `role-${round}`
        await post(manage('roles'), role(name))
        const body = account(`with-${round}`, { role: name })
        const [removed, created] = await atOnce([
          { method: 'DELETE', path: manage(`roles/${name}`) },
          { method: 'POST', path: manage('accounts'), body },
        ])
        expect([
          [204, 422],
          [409, 201],
        ]).toContainEqual([removed?.status, created?.status])
      }
    })

    test('R6: of API keys that are renewed at the same moment the last one is good', async () => {
      const { api_key } = (await post(manage('accounts'), account('renewed'))).body
      const path = manage('accounts/renewed/api-key')
      const answers = await atOnce(writers.map(() => ({ method: 'POST', path })))
      expect(new Set(statusesOf(answers))).toEqual(new Set([201]))
      const logons: Answer[] = []
      for (const { body } of [...answers, { body: { api_key } }])
        logons.push(await call(logonOf('renewed', body.api_key)))
      expect(statusesOf(logons)).toEqual([200, ...writers.map(() => 401)])
    })

    test('R6: no token outlives the account, or the password, that it was given for', async () => {
      for (let round = 0; round < 3; round += 1) {
        for (const ending of ['PATCH', 'DELETE'] as const) {
          const name = `${ending}-${round}`
          const { api_key } = (await post(manage('accounts'), account(name))).body
          const end: Call = {
            method: ending,
            path: manage(`accounts/${name}`),
            ...(ending === 'PATCH' ? { body: { password: 'another pass phrase' } } : {}),
          }
          const [ended, ...logons] = await atOnce([
            end,
            ...writers.slice(4).map(() => logonOf(name, api_key)),
          ])
          expect(ended?.status).toBe(ending === 'PATCH' ? 200 : 204)
          // The name may come back, and its tokens must not.
          if (ending === 'DELETE') await post(manage('accounts'), account(name))
          for (const { status, body } of logons) {
            expect([200, 401]).toContain(status)
            if (status === 200) expect(await isTaken(body['x-xaas-auth-token'])).toBe(false)
          }
        }
      }
    })
  })
})
