/** What accounts ask of a hidden world: each line is a request, and all of them must be answered alike in every world. */
import type { Json } from '../temporary-entities.ts'
import { hiddenId, instanceOf } from './hidden-world.ts'

/**
 * A request. Texts in double braces stand for what only a world knows: `{{etag:PATH}}`, as the account or `{{admin:PATH}}`, and
 * `{{cursor:LIST:VALUES}}`, a cursor of the account's list with other values.
 */
export interface LeakRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const get = (path: string, headers?: Readonly<Record<string, string>>): LeakRequest => ({
  method: 'GET',
  path,
  ...(headers && { headers }),
})
const post = (path: string, body: unknown): LeakRequest => ({ method: 'POST', path, body })

/** Identifiers of ports: seen by both accounts, by one, hidden in some worlds, hidden in every world, and of none. */
const portIds = ['p1', 'p2', 'p3', 'far', hiddenId('p', 5), hiddenId('p', 2), 'zz']
const noteIds = ['n1', 'n2', 'n3', hiddenId('n', 5), 'zz']
const tenantIds = ['a', 'b', hiddenId('t', 5), 'zz']

/** Fields with values that are seen, hidden, and held by no record. */
const portValues: Readonly<Record<string, readonly unknown[]>> = {
  id: ['p1', 'p2', 'far', hiddenId('p', 5), ''],
  instance: [instanceOf('Port', 'p1'), instanceOf('Port', hiddenId('p', 5))],
  name: ['port 1', 'far 21', 'Tenant b', '😀'],
  kind: ['open', 'closed'],
  secret: ['own 1', 'secret 7', 'secret 98', null],
  speed: [1, 7, 98, null],
  rate: ['1.5', '7.25', '98.25', null],
  since: ['2026-01-01', '2026-03-08', null],
  active: [true, false, null],
  code: ['own 1', 'hidden 207', 'hidden port 5', null],
  tenantId: ['a', 'b', hiddenId('t', 5)],
  parentId: ['p1', 'far', hiddenId('p', 5), null],
  serial: ['serial 7 1', 'x'],
  quota: [1, 'abc'],
  limits: ['{', { a: 1 }],
  enabled: ['maybe', true],
  budget: [1],
  nothing: ['x'],
}
const operators = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'starts', 'ends', 'contains']

/** The value that an operator takes. */
const valueFor = (operator: string, values: readonly unknown[], value: unknown): unknown =>
  operator === 'in' || operator === 'not in' ? values : value

const conditions = Object.entries(portValues).flatMap(([key, values]) =>
  operators.flatMap((op) =>
    (op === 'in' || op === 'not in' ? values.slice(0, 1) : values).map((value) => ({
      key,
      op,
      val: valueFor(op, values, value),
    })),
  ),
)

const orders = Object.keys(portValues)

/** A cursor of the account's list with other values, from one that it was given: `{{cursor:…}}` has them as JSON. */
const forged = (order: string, values: readonly unknown[]) =>
  `{{cursor:/apis/ports?${order}:${JSON.stringify(values)}}}`

const lists: readonly LeakRequest[] = [
  ...['ports', 'notes', 'tenants', 'vaults', 'zz'].flatMap((resource) => [
    get(`/apis/${resource}`),
    get(`/apis/${resource}?count=true`),
    get(`/apis/${resource}?count=true&limit=1&offset=2`),
    get(`/apis/${resource}?offset=1`),
    get(`/apis/${resource}?limit=0&count=true`),
    get(`/apis/${resource}?first=2`),
    get(`/apis/${resource}?last=2&count=true`),
    get(`/apis/${resource}?first=100`),
    get(`/apis/${resource}?first=0`),
  ]),
  ...orders.flatMap((name) => [
    get(`/apis/ports?asc=${name}`),
    get(`/apis/ports?desc=${name}&limit=3`),
    get(`/apis/ports?desc=${name}&first=3&count=true`),
    get(`/apis/ports?asc=${name}&last=3`),
    get(`/apis/ports?asc=${name}&desc=id&offset=2&first=2`),
    get(`/apis/ports?${name}=abc`),
    get(`/apis/ports?${name}=7&count=true`),
    get(`/apis/ports?${name}=&count=true`),
  ]),
  ...Object.entries(portValues).flatMap(([name, values]) =>
    values.map((value) => get(`/apis/ports?${name}=${encodeURIComponent(String(value))}&count=true`)),
  ),
  ...conditions.map((condition) =>
    get(`/apis/ports?count=true&filters=${encodeURIComponent(JSON.stringify([condition]))}`),
  ),
  ...['text', 'weight', 'portId', 'instance'].flatMap((name) => [
    get(`/apis/notes?asc=${name}&first=3&count=true`),
    get(`/apis/notes?desc=${name}`),
    get(`/apis/notes?${name}=hidden%207&count=true`),
    get(
      `/apis/notes?count=true&filters=${encodeURIComponent(JSON.stringify([{ key: name, op: '==', val: null }]))}`,
    ),
  ]),
  get('/apis/tenants?budget=7'),
  get('/apis/tenants?asc=budget'),
  post('/apis/ports/query', { speed: [1, 7, 98], count: true }),
  post('/apis/ports/query', {
    filters: [
      [
        { key: 'speed', op: '>', val: 50 },
        { key: 'id', op: '==', val: 'p1' },
      ],
    ],
  }),
  post('/apis/ports/query', { desc: ['speed', 'secret'], first: 2, count: true }),
  post('/apis/ports/query', { serial: 'serial 7 1' }),
  post('/apis/notes/query', { asc: ['weight'], limit: 2, count: true }),
  get(`/apis/ports?asc=speed&first=3&after=${forged('asc=speed', [7, instanceOf('Port', 'p4')])}`),
  get(`/apis/ports?asc=speed&last=3&before=${forged('asc=speed', [98, instanceOf('Port', 'p4')])}`),
  get(`/apis/ports?first=3&after=${forged('', [instanceOf('Port', hiddenId('p', 5))])}`),
  get(`/apis/ports?last=3&before=${forged('', [instanceOf('Port', hiddenId('p', 5))])}&count=true`),
  get(`/apis/ports?asc=secret&first=3&after=${forged('asc=secret', ['secret 7', ''])}`),
  get('/apis/ports?first=3&after=abc'),
]

/** Filters that lead to related records, and orders by their fields; some through what is not there for an account. */
const relatedFilters: readonly Json[] = [
  ...Object.entries(portValues).flatMap(([key, values]) =>
    values.slice(0, 4).flatMap((val) => [
      { key: `port.${key}`, op: '==', val },
      { key: `port.${key}`, op: '!=', val },
      ...['some', 'every', 'none'].map((op) => ({
        key: 'portCollection',
        op,
        val: [{ key, op: '==', val }],
      })),
    ]),
  ),
  ...['a', 'Tenant b', hiddenId('t', 5), 7, null].flatMap((val) =>
    ['tenant.id', 'tenant.name', 'tenant.budget', 'port.tenant.name', 'port.port.id'].map((key) => ({
      key,
      op: '==',
      val,
    })),
  ),
  ...[
    'noteCollection',
    'portCollection',
    'tenant',
    'port',
    'tenant.portCollection',
    'vaultCollection',
  ].flatMap((key) => ['some', 'every', 'none'].map((op) => ({ key, op, val: [] }))),
  ...['hidden 7', 'note 1', null].flatMap((val) =>
    ['some', 'every', 'none'].map((op) => ({
      key: 'noteCollection',
      op,
      val: [
        [
          { key: 'text', op: '==', val },
          { key: 'weight', op: '>', val: 5 },
        ],
      ],
    })),
  ),
]
/** Filters that lead into JSON. */
const jsonFilters: readonly Json[] = [
  'data->a',
  'data->0',
  'secret->a',
  'limits->a',
  'port.data->a',
  'zz->a',
].flatMap((key) => [
  ...[1, 'a', true, null].flatMap((val) => ['==', '!=', '<'].map((op) => ({ key, op, val }))),
  { key, op: 'isnull', val: true },
  { key, op: 'in', val: [1, 'a'] },
])
/** The same as typed conditions. */
const jsonWheres = ['data', 'secret', 'limits', 'zz'].flatMap((name) =>
  [{ eq: 1 }, { ne: 'a' }, { lt: true }, { isNull: true }].map((condition) => ({
    [name]: { at: { path: 'a', ...condition } },
  })),
)
const relatedOrders = [
  ...Object.keys(portValues).map((name) => `port.${name}`),
  'tenant.name',
  'tenant.budget',
  'tenant.id',
  'port.port.speed',
  'portCollection.id',
  'vault.id',
]

const related: readonly LeakRequest[] = [
  ...[...relatedFilters, ...jsonFilters].flatMap((filter) => [
    post('/apis/ports/query', { filters: [filter], count: true }),
    post('/graphql', {
      query: 'query ($f: GenericScalar) { Port(filters: $f) { totalCount edges { node { id } } } }',
      variables: { f: [filter] },
    }),
  ]),
  ...jsonWheres.map((where) =>
    post('/graphql', {
      query: 'query ($where: Port_Where) { Port(where: $where) { totalCount edges { node { id } } } }',
      variables: { where },
    }),
  ),
  ...['some', 'every', 'none'].flatMap((op) =>
    [[], [{ key: 'id', op: '==', val: hiddenId('p', 5) }], [{ key: 'secret', op: '==', val: null }]].flatMap(
      (val) => {
        const filters = [{ key: 'portCollection', op, val }]
        return [
          post('/apis/tenants/query', { filters, count: true }),
          post('/graphql', {
            query:
              'query ($f: GenericScalar) { Tenant(filters: $f) { totalCount edges { node { id portCollection(filters: [{ key: "tenant.name", op: "!=", val: "x" }]) { totalCount } } } } }',
            variables: { f: filters },
          }),
        ]
      },
    ),
  ),
  ...relatedOrders.flatMap((name) => [
    get(`/apis/ports?asc=${name}&count=true`),
    get(`/apis/ports?desc=${name}&first=3`),
    post('/graphql', {
      query: `{ Port(asc: "${name}", first: 3) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id } } } }`,
    }),
    post('/graphql', {
      query: `{ Tenant { edges { node { id portCollection(desc: "${name}") { edges { cursor node { id } } } } } } }`,
    }),
  ]),
]

/** Fields of related records; some through what is not there for an account. */
const relatedFields = [
  '*',
  Object.keys(portValues).join(','),
  ...Object.keys(portValues),
  ...Object.keys(portValues).map((name) => `port.${name}`),
  'id,tenant.*,tenant.portCollection.id',
  'tenant.budget',
  'port.port.*,port.tenant.name',
  'id,portCollection.*',
  'portCollection.portCollection.secret,portCollection.noteCollection.text',
  'id,noteCollection.text,noteCollection.weight,noteCollection.port.name',
  'vault.id',
  'vaultCollection.id',
  'zz.id',
]

const chosen: readonly LeakRequest[] = relatedFields.flatMap((fields) => [
  get(`/apis/ports?fields=${fields}&count=true`),
  get(`/apis/ports?fields=${fields}&first=3&desc=speed`),
  get(`/apis/tenants?fields=name,portCollection.${fields}`),
  ...['p1', 'far', hiddenId('p', 5), 'zz'].map((id) => get(`/apis/ports/${id}?fields=${fields}`)),
  post('/apis/notes/query', { fields: ['id', `port.${fields}`] }),
])

/** Aggregates and groups of what an account sees, by all fields, and conditions on them. */
const aggregates: readonly LeakRequest[] = [
  ...Object.keys(portValues).flatMap((name) => [
    post('/graphql', { query: `{ Port { groups(by: {field: ${name}}) { count keys { ${name} } } } }` }),
    post('/graphql', {
      query: `{ Port { aggregates { count(field: ${name}) countDistinct { ${name} } min { ${name} } max { ${name} } } } }`,
    }),
    post('/graphql', { query: `{ Port { aggregates { sum { ${name} } avg { ${name} } } } }` }),
    ...(portValues[name] ?? []).map((value) =>
      post('/graphql', {
        query: `query ($having: Port_Having) { Port { groups(by: {field: kind}, having: $having) { count } } }`,
        variables: { having: { max: { [name]: { gte: value } } } },
      }),
    ),
  ]),
  ...Object.keys(portValues).flatMap((name) =>
    ['countDistinct', 'max'].map((fn) =>
      post('/graphql', {
        query: `{ Port { groups(by: {field: kind}, orderBy: {${fn}: {${name}: DESC}}, limit: 1) { keys { kind } } } }`,
      }),
    ),
  ),
  ...['HOUR', 'DAY', 'MONTH', 'YEAR'].map((unit) =>
    post('/graphql', {
      query: `{ Port { groups(by: {field: since, every: ${unit}}) { keys { since } count sum { speed rate } } } }`,
    }),
  ),
  post('/graphql', {
    query:
      '{ Tenant { edges { node { id portCollection { aggregates { count sum { speed rate } } groups(by: {field: kind}, having: {count: {gt: 1}}) { keys { kind } count max { speed } } } } } } }',
  }),
  ...['Note', 'Vault', 'Zz'].map((name) =>
    post('/graphql', {
      query: `{ ${name} { aggregates { count } groups(by: {field: id}) { keys { id } } } }`,
    }),
  ),
]

const tags = (path: string) =>
  ['{{etag:PATH}}', '{{admin:PATH}}', '*', '"zz"'].map((tag) => tag.replace('PATH', path))
const paths = [
  ...portIds.map((id) => `/apis/ports/${id}`),
  ...noteIds.map((id) => `/apis/notes/${id}`),
  ...tenantIds.map((id) => `/apis/tenants/${id}`),
  '/apis/vaults/v5',
  '/apis/zz/v5',
]

const single: readonly LeakRequest[] = paths.flatMap((path) => [
  get(path),
  { method: 'HEAD', path },
  { method: 'OPTIONS', path },
  get(`${path}?count=true`),
  get(`${path}/more`),
  ...tags(path).flatMap((tag) => [get(path, { 'if-none-match': tag }), get(path, { 'if-match': tag })]),
])

const descriptions: readonly LeakRequest[] = [
  get('/openapi.json'),
  get('/openapi.json?operations=false'),
  ...['Port', 'Note', 'Vault', 'Zz'].flatMap((name) => [
    get(`/openapi.json?entity=${name}`),
    get(`/whoami/tables/${name}`),
    get(`/whoami/tables?q=${name}&whole=true`),
  ]),
  get('/whoami'),
  get('/whoami/tables'),
  get('/whoami/tables?whole=true'),
  get('/whoami/tables?limit=1'),
  get('/graphql'),
  post('/whoami/access', {
    calls: ['ports', 'vaults', 'zz'].flatMap((resource) =>
      ['GET', 'POST', 'DELETE'].map((method) => ({ method, path: `/apis/${resource}/p1` })),
    ),
  }),
  ...[
    '/apis/ports',
    '/apis/ports/p1',
    `/apis/ports/${hiddenId('p', 5)}`,
    '/apis/vaults',
    '/graphql',
    '/graphql/Vault',
  ].flatMap((path) =>
    ['GET', 'POST'].map((method) => get(`/whoami/explain-access?method=${method}&path=${path}`)),
  ),
  get('/manage/explain-access?account=admin&method=GET&path=/apis/ports&row=p1'),
  get('/manage/tables'),
  get('/manage/entities/Vault'),
  get('/status'),
]

const ask = (query: string, variables: Json = {}) => post('/graphql', { query, variables })
const portFields = 'GlobalId id name kind tenantId parentId secret speed rate since active data code'
const page = 'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
const listOf = (entity: string, args: string, fields: string) =>
  ask(`{ ${entity}${args} { ${page} edges { cursor node { ${fields} } } } }`)

const globalIds = [
  ...portIds.map((id) => `Port_:${instanceOf('Port', id)}`),
  ...noteIds.map((id) => `Note_:${instanceOf('Note', id)}`),
  ...tenantIds.map((id) => `Tenant_:${instanceOf('Tenant', id)}`),
  `Vault_:${instanceOf('Vault', 'v5')}`,
  'Zz_:x',
  'shelf_:["1","x"]',
  'shelf_:["2","x"]',
  'shelf_:["5","h5"]',
  'shelf_:["7","zz"]',
].map((text) => Buffer.from(text).toString('base64'))

const argument = (value: unknown) => JSON.stringify(value)

const graphql: readonly LeakRequest[] = [
  ...orders.flatMap((name) => [
    listOf('Port', `(asc: "${name}")`, portFields),
    listOf('Port', `(desc: "${name}", first: 3)`, portFields),
    listOf('Port', `(asc: "${name}", last: 2)`, 'GlobalId'),
    listOf('Port', `(desc: "${name}", offset: 1, limit: 3, last: 2)`, 'id'),
    ask(`{ Port { edges { node { ${name} } } } }`),
  ]),
  ...Object.entries(portValues).flatMap(([name, values]) => [
    ...values.map((value) => listOf('Port', `(${name}: ${argument(value)})`, 'id')),
    listOf('Port', `(${name}: ${argument(values)})`, 'id'),
  ]),
  ...conditions.map(({ key, op, val }) =>
    ask(
      'query ($val: GenericScalar) { Port(filters: [{ key: KEY, op: OP, val: $val }]) { totalCount edges { node { id } } } }'
        .replace('KEY', argument(key))
        .replace('OP', argument(op)),
      { val },
    ),
  ),
  ...globalIds.flatMap((id) => [
    ask(
      'query ($id: ID!) { node(GlobalId: $id) { __typename GlobalId ... on Port_ { id name secret tenant { id name } } ... on Note_ { text weight port { id } } ... on Tenant_ { name } ... on shelf_ { label weight } } }',
      { id },
    ),
    ask('query ($id: ID!) { customNode(GlobalId: $id) { __typename GlobalId } }', { id }),
    ask('query ($id: [GenericScalar]) { Port(GlobalId: $id) { totalCount } }', { id: [id] }),
  ]),
  listOf('Port', '', `${portFields} tenant { id name portCollection { totalCount edges { node { id } } } }`),
  listOf(
    'Port',
    '(first: 4)',
    'id port { id name secret } portCollection(desc: "speed", first: 1) { totalCount pageInfo { hasNextPage } edges { cursor node { id speed } } }',
  ),
  listOf(
    'Port',
    '',
    'id noteCollection(asc: "weight") { totalCount edges { node { id text weight port { name } } } }',
  ),
  listOf(
    'Port',
    '',
    'id noteCollection(filters: [{ key: "weight", op: ">=", val: 1 }], last: 1) { totalCount pageInfo { hasPreviousPage } edges { node { id } } }',
  ),
  listOf(
    'Tenant',
    '',
    'id name portCollection(asc: "secret") { totalCount edges { cursor node { id secret } } }',
  ),
  listOf('Tenant', '(first: 1)', 'id budget'),
  listOf('Note', '(desc: "text", first: 3)', 'id text weight portId port { id secret tenant { name } }'),
  listOf('Note', '(text: "hidden 10")', 'id'),
  listOf('Note', '(weight: [-7, -95, 1])', 'id'),
  listOf('shelf', '', 'GlobalId row_no place label owner weight'),
  ...['row_no', 'place', 'label', 'owner', 'weight'].flatMap((name) => [
    listOf('shelf', `(asc: "${name}", first: 3)`, 'GlobalId label weight'),
    listOf('shelf', `(desc: "${name}", last: 3)`, 'GlobalId'),
    listOf('shelf', `(desc: "${name}", offset: 2, limit: 4)`, 'GlobalId'),
  ]),
  listOf('shelf', '(filters: [{ key: "label", op: "<", val: "label" }])', 'GlobalId'),
  listOf('shelf', '(weight: [7, 98])', 'GlobalId'),
  listOf('Vault', '', 'id'),
  listOf('Zz', '', 'id'),
  ask(
    `{ Port(asc: "speed", first: 3, after: "${forged('asc=speed', [7, instanceOf('Port', 'p4')]).replaceAll('"', "'")}") { ${page} edges { node { id } } } }`,
  ),
  ask(
    '{ __schema { types { name fields { name type { kind name ofType { name } } args { name description } } } } }',
  ),
  ...['Port_', 'Note_', 'Vault_', 'Zz_'].map((name) =>
    ask(`{ __type(name: "${name}") { name fields { name } } }`),
  ),
  ask('{ Port { edges { node { ... on Vault_ { id } } } } }'),
  ask('{ Port(first: -1) { totalCount } }'),
  ask('{ Port(filters: [{ key: "secret", op: "zz", val: 1 }]) { totalCount } }'),
  ask(
    '{ a: Port(active: true) { totalCount } b: Port(active: false) { totalCount } c: Note { totalCount } }',
  ),
]

/** Requests that change nothing. */
export const readingRequests: readonly LeakRequest[] = [
  ...lists,
  ...related,
  ...aggregates,
  ...chosen,
  ...single,
  ...descriptions,
  ...graphql,
]

const portChanges: readonly Json[] = [
  {},
  { name: 'renamed' },
  { secret: 'x' },
  { secret: 'secret 7' },
  { secret: null },
  { speed: 7 },
  { serial: 'x' },
  { quota: 'x' },
  { nothing: 'x' },
  { tenantId: 'a' },
  { tenantId: 'b' },
  { tenantId: hiddenId('t', 5) },
  { tenantId: 'zz' },
  { parentId: 'p5' },
  { parentId: 'far' },
  { parentId: hiddenId('p', 5) },
  { parentId: 'zz' },
  { parentId: null },
  { name: 'again', kind: 'closed' },
  { kind: 'open', name: 'port' },
  { instance: 'x' },
  { active: true },
  { active: false },
]

const changes = paths.flatMap((path) => {
  const documents = path.startsWith('/apis/ports')
    ? portChanges
    : [{}, { text: 'x' }, { weight: 2 }, { name: 'x' }]
  return [
    ...documents.flatMap((body): readonly LeakRequest[] => [
      { method: 'PATCH', path, body },
      { method: 'PUT', path, body },
      { method: 'PUT', path, body: { name: 'put', kind: 'open', ...body } },
    ]),
    ...tags(path).flatMap((tag): readonly LeakRequest[] => [
      { method: 'PATCH', path, body: { name: 'tagged' }, headers: { 'if-match': tag } },
      { method: 'PUT', path, body: { name: 'tagged', kind: 'open' }, headers: { 'if-match': tag } },
      { method: 'DELETE', path, headers: { 'if-match': tag } },
      { method: 'DELETE', path, headers: { 'if-none-match': tag } },
    ]),
    { method: 'DELETE', path },
  ]
})

const newPort = { name: 'new', kind: 'open', tenantId: 'a' }
const documents: readonly unknown[] = [
  {},
  newPort,
  { id: 'new1', ...newPort },
  { id: 'new1', ...newPort, secret: 'x', speed: 7 },
  { id: 'new1', ...newPort, serial: 'x' },
  { id: 'new1', ...newPort, nothing: 'x' },
  { id: 'new1', ...newPort, kind: 'closed' },
  { id: 'new1', ...newPort, parentId: hiddenId('p', 5) },
  { id: 'new1', ...newPort, parentId: 'far' },
  { id: 'new1', ...newPort, parentId: 'zz' },
  { id: 'new1', ...newPort, parentId: 'p1' },
  { id: 'new1', ...newPort, tenantId: 'b' },
  { id: 'new1', ...newPort, tenantId: hiddenId('t', 5) },
  { id: 'new1', ...newPort, tenantId: 'zz' },
  { id: 'p1', ...newPort },
  { id: 'new1', name: 'new' },
  [
    { id: 'new1', ...newPort },
    { id: 'new2', ...newPort, parentId: 'new1' },
  ],
  [
    { id: 'new1', ...newPort },
    { id: 'new2', ...newPort, parentId: hiddenId('p', 5) },
  ],
  [
    { id: 'new1', ...newPort },
    { id: 'new1', ...newPort },
  ],
  'text',
]

const globalIdOf = (id: string) => Buffer.from(`Port_:${instanceOf('Port', id)}`).toString('base64')
const written = '{ id name secret speed tenant { id name } portCollection { totalCount } }'

/** The same by GraphQL. What they create is deleted again. */
const mutations: readonly LeakRequest[] = [
  ...documents
    .filter((document) => !Array.isArray(document))
    .flatMap((input) => [
      ask(`mutation ($input: Port_CreateInput!) { create_Port(input: $input) ${written} }`, { input }),
      ask(`mutation ($input: Port_CreateInput!) { createAll_Port(inputs: [$input]) ${written} }`, { input }),
      ask(`mutation ($input: Port_CreateInput!) { upsert_Port(input: $input) ${written} }`, { input }),
      ask('mutation ($input: Vault_CreateInput!) { create_Vault(input: $input) { id } }', { input }),
      ask('mutation { delete_Port(id: "new1") { id } }'),
    ]),
  ...[{ id: 'a' }, { id: 'b' }, { id: hiddenId('t', 5) }, { id: 'zz' }].flatMap((connect) => [
    ask(
      `mutation ($connect: Tenant_KeyInput) { create_Port(input: { id: "new1", name: "new", kind: "open", tenant: { connect: $connect } }) ${written} }`,
      { connect },
    ),
    ask('mutation { delete_Port(id: "new1") { id } }'),
  ]),
  ...portIds.flatMap((id) => [
    ...portChanges.flatMap((input) => [
      ask(
        `mutation ($id: String, $input: Port_UpdateInput!) { update_Port(id: $id, input: $input) ${written} }`,
        {
          id,
          input,
        },
      ),
      ask(
        `mutation ($id: ID, $input: Port_UpdateInput!) { update_Port(GlobalId: $id, input: $input) ${written} }`,
        {
          id: globalIdOf(id),
          input,
        },
      ),
      ask(
        `mutation ($id: GenericScalar, $input: Port_UpdateInput!) { updateAll_Port(where: { id: { in: [$id] } }, input: $input) { count records ${written} } }`,
        { id, input },
      ),
    ]),
    ...tags(`/apis/ports/${id}`).flatMap((tag) => [
      ask(
        `mutation ($id: String, $tag: String) { update_Port(id: $id, ifMatch: $tag, input: {}) ${written} }`,
        {
          id,
          tag,
        },
      ),
      ask(`mutation ($id: String, $tag: String) { delete_Port(id: $id, ifMatch: $tag) ${written} }`, {
        id,
        tag,
      }),
    ]),
    ask(`mutation { deleteAll_Port(where: { id: { eq: "${id}" } }) { count records ${written} } }`),
  ]),
  ...Object.entries(portValues).flatMap(([name, values]) =>
    values.map((value) =>
      ask(
        `mutation ($value: GenericScalar) { updateAll_Port(where: { ${name}: { eq: $value } }, input: { name: "many" }) { count records { id } } }`,
        { value },
      ),
    ),
  ),
]

/** Requests that write, in an order in which all of them are to be sent. What they create is deleted again. */
export const writingRequests: readonly LeakRequest[] = [
  ...documents.flatMap((body) => [
    post('/apis/ports?dry_run=true', body),
    post('/apis/ports', body),
    post('/apis/vaults', body),
    { method: 'DELETE', path: '/apis/ports/new2' },
    { method: 'DELETE', path: '/apis/ports/new1' },
  ]),
  ...['p1', 'p2', 'far', hiddenId('p', 5), 'zz'].flatMap((portId) => [
    post('/apis/notes', { id: 'new1', text: 'x', weight: 1, portId }),
    post('/apis/notes', { id: 'new1', portId }),
    { method: 'DELETE', path: '/apis/notes/new1' },
    { method: 'PATCH', path: '/apis/notes/n1', body: { portId } },
  ]),
  post('/apis/tenants', { id: 'new1', name: 'x' }),
  ...mutations,
  ...changes,
]
