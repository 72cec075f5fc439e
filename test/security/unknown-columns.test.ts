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

describe.each(products)(
  '$name: a field that the rights set, and that the caller neither reads nor chooses',
  (product) => {
    let gateway: TestGateway
    beforeAll(async () => {
      gateway = await startTestGateway(product, async (options) => {
        await runStatements(options, [
          'create table `item` (`id` integer primary key, `name` varchar(60), `hidden` varchar(60), `other` varchar(60), unique (`name`, `hidden`))',
          "insert into `item` values (1, 'n1', 'h1', 'o'), (2, 'n2', 'h1', 'o')",
        ])
      })
      await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['item'] } })
      const level = field('level', 'string', { field_enum: ['low', 'high'] })
      const fixed = field('fixed', 'string', { field_immutable: true })
      const body = definition('Lamp', { local: [field('name', 'string'), level, fixed] })
      expect((await gateway.request('POST', '/manage/entities', { body })).status).toBe(201)
      const lamp = { id: 'l1', name: 'a', fixed: 'before' }
      expect((await gateway.request('POST', '/apis/lamps', { body: lamp })).status).toBe(201)
    })
    afterAll(() => gateway?.close())

    const all = [...methods, 'PUT', 'DELETE']
    const items = { regex: '/apis/items(/.*)?|/graphql/item', methods: all }
    const read = ['id', 'name']
    const set = { hidden: 'h1' }
    const join = async (name: string, authorities: readonly object[]) => {
      const token = await logonAs(gateway, await createAccount(gateway, name, authorities))
      return async (method: string, path: string, body?: object) => {
        const answer = await gateway.request(method, path, { token, ...(body && { body }) })
        return { status: answer.status, body: answer.body, told: JSON.stringify(answer.body) }
      }
    }
    const pointersOf = ({ body }: { readonly body: unknown }) =>
      ((body as { errors?: { pointer: string }[] }).errors ?? []).map(({ pointer }) => pointer)

    test.each([
      ['not listed', { read }],
      ['listed among the written ones', { read, write: [...read, 'hidden'] }],
    ])('%s, it is named by nothing', async (name, fields) => {
      const describing = { regex: '/openapi.json|/whoami.*', methods: ['GET'] }
      const call = await join(name.replaceAll(' ', '-'), [{ ...items, fields, set }, describing])
      for (const [method, path, body] of [
        ['POST', '/apis/items', { id: 5, name: 'n1' }],
        ['PATCH', '/apis/items/2', { name: 'n1' }],
        ['PUT', '/apis/items/2', { id: 2, name: 'n1' }],
      ] as const) {
        const answer = await call(method, path, body)
        expect([answer.status, pointersOf(answer)]).toEqual([409, ['/name']])
        expect(answer.told).not.toContain('hidden')
      }
      const create = await call('POST', '/graphql', {
        query: 'mutation { create_item(input: {id: 5, name: "n1"}) { id } }',
      })
      expect(create.told).toContain('"/input/name"')
      expect(create.told).not.toContain('hidden')
      for (const [method, path] of [
        ['POST', '/apis/items'],
        ['PATCH', '/apis/items/2'],
      ] as const) {
        const typo = await call(method, path, { name: 'n3', hidde: 'x' })
        expect([typo.status, pointersOf(typo)[0]]).toEqual([422, '/hidde'])
        expect(typo.told).toContain('Fields are id, name.')
        expect(typo.told).not.toContain('hidden')
      }
      for (const path of ['/openapi.json', '/whoami/tables?whole=true', '/whoami/tables/item'])
        expect((await call('GET', path)).told).not.toContain('"hidden"')
      expect((await call('POST', '/apis/items', { id: 6, name: name })).status).toBe(201)
      expect((await call('PATCH', '/apis/items/6', { name: `${name}.` })).status).toBe(200)
      const { body } = await gateway.request('GET', '/apis/items/6')
      expect(body).toMatchObject({ name: `${name}.`, hidden: 'h1' })
      expect((await gateway.request('DELETE', '/apis/items/6')).status).toBe(204)
      // Who names it itself is answered as the contract says.
      expect((await call('POST', '/apis/items', { id: 7, name: 'x', hidden: 'hx' })).status).toBe(403)
    })

    test.each([
      ['reads', [{ ...items, fields: { read: [...read, 'hidden'] }, set }]],
      [
        'chooses elsewhere',
        [
          { ...items, fields: { read }, set },
          {
            ...items,
            rows: [{ key: 'other', op: '==', val: 'p' }],
            fields: { read, write: [...read, 'hidden', 'other'] },
          },
        ],
      ],
    ])('who %s it is told of it', async (name, authorities) => {
      const call = await join(`who-${name.replaceAll(' ', '-')}`, authorities)
      const taken = await call('POST', '/apis/items', { id: 5, name: 'n1' })
      expect([taken.status, pointersOf(taken)]).toEqual([409, ['/name', '/hidden']])
      const typo = await call('POST', '/apis/items', { id: 5, name: 'n1', hidde: 'x' })
      expect(typo.told).toContain('did you mean \\"hidden\\"')
    })

    test('a value that it cannot have is a mistake of the record', async () => {
      const lamps = { regex: '/apis/lamps(/.*)?', methods: all, fields: { read } }
      const wrong = await join('wrong-level', [{ ...lamps, set: { level: 'medium' } }])
      const created = await wrong('POST', '/apis/lamps', { id: 'l2', name: 'b' })
      expect([created.status, pointersOf(created)]).toEqual([422, ['']])
      expect(created.told).not.toMatch(/level|medium|low/)
      const later = await join('fixed-later', [{ ...lamps, set: { fixed: 'after' } }])
      const changed = await later('PATCH', '/apis/lamps/l1', { name: 'c' })
      expect([changed.status, pointersOf(changed)]).toEqual([422, ['']])
      expect(changed.told).not.toMatch(/fixed|before|after/)
    })
  },
)
