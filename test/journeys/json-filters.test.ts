/** Filters on values inside JSON: `meta->a.b`, in GraphQL, in published lists and in the rules of roles. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { runStatements } from '../support/run-statements.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tenant = definition('Tenant', { local: [field('settings', 'object')] })
const port = definition('Port', {
  local: [field('meta', 'object'), field('tags', 'array'), field('note', 'text'), field('speed', 'integer')],
  refs: [reference('tenantId', 'Tenant')],
})

const tenants = [
  { id: 'a', settings: { plan: { name: 'gold', seats: 5 } } },
  { id: 'b', settings: null },
]
const ports = [
  {
    id: 'p1',
    meta: { a: { b: 5 }, on: true, 'odd.key "x"': 'odd' },
    tags: ['red', 7, { k: 'v' }],
    tenantId: 'a',
  },
  { id: 'p2', meta: { a: { b: '5' }, on: false }, tags: [], tenantId: 'b' },
  { id: 'p3', meta: { a: { b: null } }, tags: ['Red'], note: '{"x": "from a text"}', tenantId: 'a' },
  { id: 'p4', meta: { a: { b: [5] }, on: 1 }, tags: null, note: 'no JSON {' },
  { id: 'p5', meta: { a: { b: 10.5 }, z: 'Ünï' }, tags: [['nested']] },
  { id: 'p6', meta: null, tags: null },
]

const typedOperators: Readonly<Record<string, string>> = {
  '==': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '<=': 'lte',
  'not in': 'notIn',
  isnull: 'isNull',
  starts: 'startsWith',
  ends: 'endsWith',
}

/** An element of `filters` as a typed condition. */
function typedGroup(filter: Json): Json {
  if (Array.isArray(filter)) return { or: filter.map(typedGroup) }
  const { key, op, val } = filter
  if (op === 'some') return { [key]: { some: { and: val.map(typedGroup) } } }
  const [field, ...path] = key.split('->')
  const operator = typedOperators[op] ?? op
  const condition = path.length > 0 ? { at: { path: path.join('->'), [operator]: val } } : { [operator]: val }
  return field.split('.').reduceRight((inner: Json, name: string) => ({ [name]: inner }), condition)
}

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  async function found(filters: unknown, token = gateway.token, entity = 'Port'): Promise<Json> {
    const query = `query ($filters: GenericScalar) { ${entity}(filters: $filters, asc: "id") { totalCount edges { node { id } } } }`
    const { body } = await gateway.request('POST', '/graphql', {
      token,
      body: { query, variables: { filters } },
    })
    const answer = body as Json
    const inGraphql =
      answer.errors === undefined
        ? answer.data[entity].edges.map(({ node }: Json) => node.id)
        : answer.errors[0].message
    const encoded = encodeURIComponent(JSON.stringify(filters))
    const list = await gateway.request('GET', `/apis/${entity.toLowerCase()}s?asc=id&filters=${encoded}`, {
      token,
    })
    const inRest =
      list.status === 200 ? (list.body as Json[]).map(({ id }) => id) : (list.body as Json).detail
    expect(inRest).toEqual(inGraphql)
    if (Array.isArray(inGraphql))
      expect(await foundByWhere(filters as Json[], token, entity)).toEqual(inGraphql)
    return inGraphql
  }

  /** What the same conditions find as the typed argument. */
  async function foundByWhere(filters: readonly Json[], token: string, entity: string): Promise<Json> {
    const query = `query ($where: ${entity}_Where) { ${entity}(where: $where, asc: "id") { edges { node { id } } } }`
    const variables = { where: { and: filters.map(typedGroup) } }
    const { body } = await gateway.request('POST', '/graphql', { token, body: { query, variables } })
    const { data, errors } = body as Json
    return errors?.[0].message ?? data[entity].edges.map(({ node }: Json) => node.id)
  }

  const where = (key: string, op: string, val: unknown) => ({ key, op, val })
  const is = (key: string, val: unknown) => where(key, '==', val)
  const join = async (username: string, authorities: readonly object[], metadata: object = {}) =>
    logonAs(gateway, await createAccount(gateway, username, authorities, { metadata }))
  const reader = (...names: readonly string[]) => ({
    regex: names.map((name) => `/apis/${name.toLowerCase()}s(/.*)?|/graphql/${name}`).join('|'),
    methods: ['GET', 'POST'],
  })

  beforeAll(async () => {
    const empty = { meta: null, tags: null, note: null, speed: null, tenantId: null }
    gateway = await startTestGateway(product, withEntities([tenant, port]))
    const create = async (path: string, body: unknown) =>
      expect((await gateway.request('POST', path, { body })).status, path).toBe(201)
    await create('/apis/tenants', tenants)
    await create(
      '/apis/ports',
      ports.map((one) => ({ ...empty, ...one })),
    )
  })
  afterAll(() => gateway.close())

  test.each([
    // Values of one kind are compared with each other, others are unequal, and what is missing is null.
    [is('meta->a.b', 5), ['p1']],
    [is('meta->a.b', '5'), ['p2']],
    [is('meta->a.b', 10.5), ['p5']],
    [is('meta->a.b', null), ['p3', 'p6']],
    [where('meta->a.b', '!=', null), ['p1', 'p2', 'p4', 'p5']],
    [where('meta->a.b', '!=', 5), ['p2', 'p4', 'p5']],
    [where('meta->a.b', '!=', 'x'), ['p1', 'p2', 'p4', 'p5']],
    [where('meta->a.b', '>', 4.5), ['p1', 'p5']],
    [where('meta->a.b', '<=', 5), ['p1']],
    [where('meta->a.b', '>', '4'), ['p2']],
    [where('meta->a.b', '>', null), []],
    [where('meta->a.b', 'between', [5, 11]), ['p1', 'p5']],
    [where('meta->a.b', 'between', [5, 'x']), []],
    [where('meta->a.b', 'isnull', true), ['p3', 'p6']],
    [where('meta->a.b', 'isnull', false), ['p1', 'p2', 'p4', 'p5']],
    [where('meta->a.b', 'in', [5, '5', true, null]), ['p1', 'p2']],
    [where('meta->a.b', 'in', []), []],
    [where('meta->a.b', 'not in', [5, 'y']), ['p2', 'p4', 'p5']],
    [where('meta->a.b', 'not in', [5, null]), []],
    [is('meta->on', true), ['p1']],
    [is('meta->on', false), ['p2']],
    [is('meta->on', 1), ['p4']],
    [where('meta->on', '!=', true), ['p2', 'p4']],
    [where('meta->z', 'starts', 'Ü'), ['p5']],
    [where('meta->z', 'ends', 'nï'), ['p5']],
    [where('meta->z', 'contains', 'N'), []],
    [where('meta->z', 'icontains', 'NÏ'), ['p5']],
    [where('meta->z', 'iequals', 'üNÏ'), ['p5']],
    // Arrays, odd keys, and paths that lead nowhere.
    [is('tags->0', 'red'), ['p1']],
    [where('tags->0', 'iequals', 'RED'), ['p1', 'p3']],
    [is('tags->1', 7), ['p1']],
    [is('tags->2.k', 'v'), ['p1']],
    [is('tags->0.0', 'nested'), ['p5']],
    [is('tags->"0"', 'red'), []],
    [is('meta->a.b.0', 5), ['p4']],
    [is('meta->0', 5), []],
    [is('meta->"odd.key \\"x\\""', 'odd'), ['p1']],
    [is('meta->\'; drop table """Port""" --'.replaceAll('"', ''), 1), []],
    // A text that is no JSON has no values.
    [is('note->x', 'from a text'), ['p3']],
    [where('note->x', 'isnull', false), ['p3']],
    // Through references and collections, and in groups.
    [is('tenant.settings->plan.name', 'gold'), ['p1', 'p3']],
    [
      [is('meta->a.b', 5), where('tenant.settings->plan.seats', 'isnull', false)],
      ['p1', 'p3'],
    ],
  ] as const)('%j', async (filter, expected) => {
    expect(await found([filter])).toEqual(expected)
  })

  test('in a document, in collections, and of how many rows', async () => {
    const some = [{ key: 'portCollection', op: 'some', val: [is('meta->a.b', '5')] }]
    expect(await found(some, undefined, 'Tenant')).toEqual(['b'])
    const { body } = await gateway.request('POST', '/apis/ports/query', {
      body: { filters: [is('meta->a.b', 5)], fields: ['id', 'meta'] },
    })
    expect(body).toEqual([{ id: 'p1', meta: ports[0]?.meta }])
    const { data } = (await gateway.graphql(
      '{ Tenant(asc: "id") { edges { node { portCollection(filters: [{key: "meta->on", op: "==", val: true}]) { totalCount } } } } }',
    )) as Json
    expect(data.Tenant.edges.map(({ node }: Json) => node.portCollection.totalCount)).toEqual([1, 0])
  })

  const refused: readonly (readonly [filter: Json, sentence: RegExp])[] = [
    [is('speed->a', 5), /: the path leads into JSON, and "speed" holds none\.$/],
    [is('met->a', 5), /names the unknown field "met"; did you mean "meta"/],
    [is('->a', 5), /names the unknown field ""/],
    [is('tenant->a', 5), /names the unknown field "tenant"/],
    [is('tenant.portCollection.meta->a', 5), /leads to several rows of Port/],
    ...['', '.', 'a.', '.a', 'a..b', '"a', 'a"b', '"\\u0000"', '"\\x"', 'a'.repeat(1001)].map(
      (path) => [is(`meta->${path}`, 5), /: a path into JSON takes keys and indexes of arrays/] as const,
    ),
    [is(`meta->${'a.'.repeat(16)}a`, 5), /takes at most 16 keys/],
    [where('meta->a', 'starts', 5), /"starts" works on texts/],
    [where('meta->a', 'in', 'x'), /takes a list, because the operator is "in"/],
    [where('meta->a', 'in', Array(101).fill(1)), /takes at most 100 values/],
    [where('meta->a', 'between', [1]), /takes a list of two values/],
    [is('meta->a', [1]), /takes a single value/],
    [is('meta->a', { b: 1 }), /takes a single value/],
    [where('meta->a', 'isnull', 'x'), /takes true or false/],
    [where('meta->a', 'some', []), /works on the name of a reference or a collection/],
  ]
  test.each(refused)('%j is refused', async (filter, sentence) => {
    expect(await found([filter])).toMatch(sentence)
  })

  test.each([
    ['{meta: {at: {path: "a.b", eq: 5}}}', ['p1']],
    ['{meta: {at: [{path: "a.b", gt: 4, lt: 7}, {path: "on", eq: true}]}}', ['p1']],
    ['{meta: {at: [], isNull: true}}', ['p6']],
    ['{meta: {at: null, isNull: true}}', ['p6']],
    ['{not: {meta: {at: {path: "a.b", eq: 5}}}}', ['p2', 'p3', 'p4', 'p5', 'p6']],
    [
      '{or: [{tags: {at: {path: "2.k", iequals: "V"}}}, {note: {at: {path: "x", contains: "text"}}}]}',
      ['p1', 'p3'],
    ],
    ['{meta: {at: {path: "a.b"}}}', ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']],
  ])('typed: %s', async (condition, expected) => {
    const { data } = (await gateway.graphql(
      `{ Port(where: ${condition}, asc: "id") { edges { node { id } } } }`,
    )) as Json
    expect(data.Port.edges.map(({ node }: Json) => node.id)).toEqual(expected)
  })

  test('typed, with variables of any scalar type, on collections and on groups', async () => {
    const query = `query ($path: String!, $speed: Int, $text: String) {
      Port(where: {meta: {at: {path: $path, in: [$speed, $text]}}}, asc: "id") { edges { node { id } } }
      Tenant(asc: "id") { edges { node { portCollection(where: {meta: {at: {path: $path, gt: $speed}}}) { totalCount } } } }
      all: Port { groups(by: {field: tenantId}, having: {max: {note: {at: {path: "x", startsWith: $text}}}}) { keys { tenantId } count } }
    }`
    const { data } = (await gateway.graphql(query, { path: 'a.b', speed: 5, text: 'from' })) as Json
    expect(data).toEqual({
      Port: { edges: [{ node: { id: 'p1' } }] },
      Tenant: {
        edges: [
          { node: { portCollection: { totalCount: 0 } } },
          { node: { portCollection: { totalCount: 0 } } },
        ],
      },
      all: { groups: [{ keys: { tenantId: 'a' }, count: 2 }] },
    })
  })

  test.each([
    [
      '{meta: {at: {path: "a..b", eq: 5}}}',
      /^where\.meta\.at\.path: a path into JSON takes keys and indexes/,
    ],
    [
      '{meta: {at: [{path: "a", in: ["x"]}, {path: "", eq: 5}]}}',
      /^where\.meta\.at\[1\]\.path: a path into JSON/,
    ],
    ['{meta: {at: {path: "a", eq: [1]}}}', /^where\.meta\.at\.eq takes a single value/],
    ['{meta: {at: {path: "a", between: [1]}}}', /^where\.meta\.at\.between takes a list of two values/],
    ['{meta: {at: {path: "a", startsWith: 5}}}', /^String cannot represent a non string value: 5$/],
    [
      '{meta: {at: {eq: 5}}}',
      /^Field "Json_Comparison\.path" of required type "String!" was not provided\.$/,
    ],
    ['{speed: {at: {path: "a", eq: 5}}}', /^Field "at" is not defined by type "Int_Comparison"/],
    [`{or: [${'{meta: {at: {path: "a", eq: 1}}},'.repeat(501)}]}`, /^where has more than 500 conditions/],
  ])('typed: %s is refused', async (condition, sentence) => {
    const { errors } = (await gateway.graphql(`{ Port(where: ${condition}) { totalCount } }`)) as Json
    expect(errors[0].message).toMatch(sentence)
  })

  test('lists are not sorted by what is in JSON', async () => {
    const list = await gateway.request('GET', '/apis/ports?asc=meta->a.b')
    expect([list.status, (list.body as Json).detail]).toEqual([
      400,
      expect.stringMatching(/"meta->a.b" leads into JSON, and lists cannot be sorted by what is in it\.$/),
    ])
  })

  test('rules of roles lead into JSON, too, and a field that is not given leads nowhere', async () => {
    const rule = (key: string, val: unknown) => ({ ...reader('Port'), rows: [{ key, op: '==', val }] })
    const seats = await join('seats', [rule('tenant.settings->plan.name', { account: 'metadata.plan' })], {
      plan: 'gold',
    })
    expect(await found([], seats)).toEqual(['p1', 'p3'])
    const five = await join('five', [rule('meta->a.b', { account: 'metadata.b' })], { b: 5 })
    expect(await found([], five)).toEqual(['p1'])
    const text = await join('text', [rule('meta->a.b', { account: 'metadata.b' })], { b: '5' })
    expect(await found([], text)).toEqual(['p2'])
    const names = { ...reader('Port'), fields: { read: ['id', 'tags'] } }
    const hidden = await join('no-meta', [names])
    expect(await found([is('meta->a.b', 5)], hidden)).toMatch(/unknown field "meta"/)
    const meta = { ...reader('Port'), rows: [is('id', 'p1')], fields: { read: ['id', 'meta'] } }
    const masked = await join('meta-of-p1', [names, meta])
    expect(await found([is('meta->a.b', null)], masked)).toEqual(['p2', 'p3', 'p4', 'p5', 'p6'])
    expect(await found([where('meta->a.b', '!=', 'x')], masked)).toEqual(['p1'])
    const unknown = await gateway.request('POST', '/manage/roles?dry_run=true', {
      body: { name: 'unknown', authorities: [rule('nothing->a', 1)] },
    })
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([
      422,
      expect.stringMatching(/has no field/),
    ])
  })
})

describe.each(products)('$name: columns of its own types', (product) => {
  const types = {
    SQLite: ['json'],
    MariaDB: ['json', 'longtext'],
    PostgreSQL: ['json', 'jsonb', 'text', 'text[]'],
  }
  const own: readonly string[] = types[product.name as keyof typeof types] ?? ['json']

  test.each(own)('%s', async (type) => {
    const isList = type.endsWith('[]')
    const value = (document: unknown) => (isList ? '{x,y}' : JSON.stringify(document))
    const gateway = await startTestGateway(product, async (options) => {
      await runStatements(options, [
        `create table docs (id integer primary key, body ${type})`,
        `insert into docs values (1, '${value(['x', 'y'])}'), (2, '${isList ? '{}' : '{"a": {"b": 2}}'}'), (3, null)`,
      ])
    })
    const ids = async (key: string, op: string, val: unknown) => {
      const query = 'query ($f: GenericScalar) { docs(filters: $f) { edges { node { id } } } }'
      const { data, errors } = (await gateway.graphql(query, { f: [{ key, op, val }] })) as Json
      return errors?.[0].message ?? data.docs.edges.map(({ node }: Json) => Number(node.id))
    }
    expect(await ids('body->1', '==', 'y')).toEqual([1])
    expect(await ids('body->a.b', '<', 3)).toEqual(isList ? [] : [2])
    expect(await ids('body->0', 'isnull', true)).toEqual([2, 3])
    await gateway.close()
  })
})
