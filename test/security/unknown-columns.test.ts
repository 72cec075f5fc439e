/** Unique keys with columns that a caller does not know of: what is refused because of them is told without these. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const methods = ['GET', 'POST', 'PATCH']

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let token: string
  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      await runStatements(options, [
        `create table \`box\` (\`id\` integer primary key, \`label\` varchar(20), \`secret\` integer default 1, \`other\` integer default 1,
          unique (\`label\`, \`secret\`), unique (\`secret\`, \`other\`))`,
        "insert into `box` values (1, 'a', 1, 5), (2, 'b', 1, 6)",
      ])
    })
    await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['box'] } })
    const authority = { regex: '/(apis/boxes|graphql/box)(/.*)?', methods }
    const account = await createAccount(gateway, 'reader', [
      { ...authority, fields: { read: ['id', 'label'] } },
    ])
    token = await logonAs(gateway, account)
  })
  afterAll(() => gateway?.close())

  const errorsOf = async (method: string, path: string, body: object) => {
    const answer = await gateway.request(method, path, { token, body })
    const { code, errors, data } = answer.body as Record<string, unknown>
    return data === undefined ? { code, errors } : { errors }
  }
  const detail = 'Another record has this value already.'
  const code = 'VALUE_NOT_UNIQUE'

  test('create', async () => {
    const query = 'mutation { create_box(input: {id: 12, label: "a"}) { id } }'
    const told = JSON.stringify(await errorsOf('POST', '/graphql', { query }))
    expect(told).toContain('"/input/label"')
    expect(told).not.toMatch(/secret|\/other/)
  })

  test('who knows all of them is told all of them', async () => {
    const { body } = await gateway.request('POST', '/apis/boxes', { body: { id: 13, label: 'a', other: 7 } })
    expect(body).toMatchObject({ errors: [{ pointer: '/label' }, { pointer: '/secret' }] })
  })

  test.each([
    ['POST', '/apis/boxes', { id: 10, label: 'a' }, '/label'],
    ['POST', '/apis/boxes', [{ id: 10, label: 'x' }], undefined],
    ['POST', '/apis/boxes', [{ id: 11, label: 'y' }], '/0'],
    ['POST', '/apis/boxes', { id: 11, label: 'y' }, ''],
    ['PATCH', '/apis/boxes/2', { label: 'a' }, '/label'],
  ] as const)('%s %s %j', async (method, path, body, pointer) => {
    const told = await errorsOf(method, path, body)
    expect(told).toEqual(pointer === undefined ? {} : { code, errors: [{ pointer, detail }] })
  })

  test('a default that is taken, of a field that the caller does not know', async () => {
    const serial = field('serial', 'string', { field_unique: true, field_default: "'hidden'" })
    const body = definition('Crate', { local: [field('name', 'string'), serial] })
    expect((await gateway.request('POST', '/manage/entities', { body })).status).toBe(201)
    const crates = { regex: '/(apis/crates|graphql/Crate)(/.*)?', methods, fields: { read: ['id', 'name'] } }
    token = await logonAs(gateway, await createAccount(gateway, 'packer', [crates]))
    expect(await errorsOf('POST', '/apis/crates', { id: 'c1', name: 'x' })).toEqual({})
    const told = await errorsOf('POST', '/apis/crates', { id: 'c2', name: 'x' })
    expect(told).toEqual({ code, errors: [{ pointer: '', detail }] })
    const list = await errorsOf('POST', '/apis/crates', [{ id: 'c2', name: 'x' }])
    expect(list).toEqual({ code, errors: [{ pointer: '/0', detail }] })
  })
})
