/** R1, R2, R12. How much one request may ask for: what is refused by its size, and how much is told. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

const keys = (count: number, key: (index: number) => string = (index) => `name${index}`) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), 1]))
const long = `name${'s'.repeat(2000)}`
const tooMany = 'There are more than 20 mistakes; "errors" says where the first 20 are.'

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    const port = definition('Port', { local: [field('name', 'string')] })
    gateway = await startTestGateway(product, withEntities([port]))
  })
  afterAll(() => gateway.close())

  test.each(['/logon', '/logoff', '/nothing'])('R1: POST %s takes 16 kB', async (path) => {
    const answer = await gateway.request('POST', path, { body: keys(2000) })
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'BODY_TOO_LARGE', detail: 'A body may have at most 16384 bytes here.' },
    })
  })

  test('R2: documents take 1 MB, records and definitions as much as body_limit', async () => {
    const body = `"${'x'.repeat(1_048_576)}"`
    const roomy = await startTestGateway(product, undefined, { bodyLimitBytes: 2_000_000 })
    onTestFinished(() => roomy.close())
    expect(await roomy.request('POST', '/manage/roles', { body })).toMatchObject({
      status: 413,
      body: { detail: 'A body may have at most 1048576 bytes here.' },
    })
    expect(await roomy.request('POST', '/manage/entities', { body })).toMatchObject({ status: 422 })
    expect(await roomy.request('POST', '/manage/entities', { body: body + body })).toMatchObject({
      status: 413,
      body: {
        detail:
          'A body may have at most 2000000 bytes here. Send less at a time, or ask the operator for a higher limit (body_limit).',
      },
    })
  })

  test.each<[method: string, path: string, body: Json, status: number]>([
    ['POST', '/logon', keys(500), 422],
    ['POST', '/manage/roles', keys(5000), 422],
    ['POST', '/manage/roles', { name: 'many', authorities: Array(1000).fill(keys(30)) }, 422],
    ['POST', '/manage/accounts', keys(5000), 422],
    ['POST', '/manage/routes', keys(5000), 422],
    ['POST', '/manage/tokens', keys(5000), 422],
    ['POST', '/manage/entities', Array(1000).fill(keys(3)), 422],
    ['POST', '/manage/entities', definition('Many', { local: Array(1000).fill(keys(3)) }), 422],
    ['POST', '/manage/entities/adopt', keys(5000), 422],
    ['POST', '/apis/ports', keys(5000), 422],
    ['POST', '/apis/ports', Array(5000).fill(keys(3)), 422],
    ['POST', '/apis/ports', Array(5000).fill(1), 422],
    ['POST', '/apis/ports', Array(5000).fill({ id: 'one' }), 409],
    ['GET', `/manage/audit?${'&'.repeat(10)}${new URLSearchParams(keys(500) as never)}`, undefined, 400],
  ])('R1 R2: %s %s tells at most 20 mistakes', async (method, path, body, status) => {
    const answer = await gateway.request(method, path, { body })
    expect(answer).toMatchObject({ status, body: { detail: tooMany } })
    expect((answer.body as Json).errors).toHaveLength(20)
  })

  test.each<[path: string, body: Json]>([
    ['/logon', { username: 'a', password: 'b', [long]: 1 }],
    ['/manage/roles', { name: 'a', authorities: [], [long]: 1 }],
    ['/apis/ports', { [long]: 1 }],
    ['/manage/roles', { name: 'a', authorities: [{ regex: '/', methods: [long] }] }],
  ])('R1: no name is suggested for a long one at %s, and none is told whole', async (path, body) => {
    const { errors } = (await gateway.request('POST', path, { body })).body as Json
    expect(errors).toHaveLength(1)
    expect(errors[0].detail).toContain(`${long.slice(0, 200)}…`)
    expect(errors[0].detail).not.toMatch(/did you mean|s{250}/)
    expect(errors[0].pointer.length).toBeLessThan(250)
  })

  test('R2: many records and a long document are taken', async () => {
    const records = Array.from({ length: 3000 }, (_, index) => ({ id: `r${index}`, name: 'x'.repeat(100) }))
    const headers = { 'idempotency-key': 'many-records' }
    const created = await gateway.request('POST', '/apis/ports', { body: records, headers })
    expect(created.status).toBe(201)
    expect((created.body as Json[]).map(({ id }) => id)).toEqual(records.map(({ id }) => id))
    const again = await gateway.request('POST', '/apis/ports', { body: records, headers })
    expect([again.status, again.body]).toEqual([201, created.body])
    expect(await gateway.request('POST', '/apis/ports', { body: records.slice(1), headers })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
  })
})

test('R1: the forms of the web front take 16 kB', async () => {
  const front = await startTestFront({
    providers: [{ name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: false }],
    gateway: { address: 'http://127.0.0.1:9' },
  })
  onTestFinished(() => front.close())
  const fields = new URLSearchParams(keys(2000) as never).toString()
  for (const path of ['/auth/gateway', '/logout', '/signout', '/nothing', '/session']) {
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', fields],
      ['application/json', JSON.stringify(keys(2000))],
    ] as const) {
      const answer = await fetch(front.url + path, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      })
      expect([path, answer.status, ((await answer.json()) as Json).detail]).toEqual([
        path,
        413,
        'A body may have at most 16384 bytes here.',
      ])
    }
  }
})
