/** What accounts read of the tables in `foreign-shapes.ts`: each request must be answered alike in every world. */
import { entityOf, type ForeignShape, globalIdOf, pathOf, shapes } from './foreign-shapes.ts'
import type { LeakRequest } from './leak-requests.ts'

const get = (path: string, headers?: Readonly<Record<string, string>>): LeakRequest => ({
  method: 'GET',
  path,
  ...(headers && { headers }),
})
const post = (path: string, body: unknown): LeakRequest => ({ method: 'POST', path, body })
const ask = (query: string, variables: object = {}) => post('/graphql', { query, variables })
const inPath = (value: unknown) => encodeURIComponent(JSON.stringify(value))

const page = 'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
const operators = ['==', '!=', '<', '>=', 'in', 'not in', 'starts', 'icontains', 'isnull']

/** What an operator takes for a value. */
function operandOf(op: string, value: unknown): unknown {
  if (op === 'in' || op === 'not in') return [value]
  return op === 'isnull' ? value === null : value
}

const conditionsOf = (values: ForeignShape['values'], ops = operators) =>
  Object.entries(values).flatMap(([key, list]) =>
    list.flatMap((value) => ops.map((op) => ({ key, op, val: operandOf(op, value) }))),
  )

const idOf = ({ key, values }: ForeignShape) =>
  key.length === 0 ? Object.keys(values)[1] : `GlobalId ${key.join(' ')}`

/** A list by GraphQL whose rows are told by their key. */
const filtered = (shape: ForeignShape, filters: unknown) =>
  ask(
    `query ($f: GenericScalar) { ${shape.entity}(filters: $f) { totalCount edges { node { ${idOf(shape)} } } } }`,
    { f: filters },
  )

/** The same filter by REST and by GraphQL. */
const bothWays = (shape: ForeignShape, filter: unknown) => [
  filtered(shape, [filter]),
  ...(shape.resource === undefined
    ? []
    : [post(`/apis/${shape.resource}/query`, { filters: [filter], count: true })]),
]

/** A cursor of the account's list with other values, from one that it was given. */
const forged = (list: string, values: readonly unknown[]) => `{{cursor:${list}:${JSON.stringify(values)}}}`

function listsOf(shape: ForeignShape): readonly LeakRequest[] {
  const { resource, values, keys } = shape
  if (resource === undefined) return []
  const list = `/apis/${resource}`
  const names = Object.keys(values)
  return [
    ...['', '?count=true', '?count=true&limit=1&offset=2', '?first=2', '?last=2&count=true', '?first=0'].map(
      (rest) => get(list + rest),
    ),
    ...names.flatMap((name) => [
      get(`${list}?asc=${name}&count=true`),
      get(`${list}?desc=${name}&first=3`),
      get(`${list}?asc=${name}&last=3&count=true`),
      get(`${list}?desc=${name}&offset=1&limit=2`),
      get(`${list}?fields=${name}&count=true`),
      ...(values[name] ?? []).map((value) =>
        get(
          `${list}?count=true&filters=${inPath([{ key: name, op: '==', val: value }])}&desc=${names.at(-1)}`,
        ),
      ),
    ]),
    ...keys.flatMap((key) => [
      get(`${list}?first=3&after=${forged(`${list}?`, key)}`),
      get(`${list}?last=3&count=true&before=${forged(`${list}?`, key)}`),
      ...names.flatMap((name) =>
        (values[name] ?? [])
          .slice(1, 2)
          .map((value) =>
            get(`${list}?asc=${name}&first=3&after=${forged(`${list}?asc=${name}`, [value, ...key])}`),
          ),
      ),
    ]),
  ]
}

function recordsOf(shape: ForeignShape): readonly LeakRequest[] {
  const { resource, keys, references, collections } = shape
  if (resource === undefined) return []
  return keys.flatMap((key) => {
    const path = pathOf(shape, key)
    return [
      get(path),
      { method: 'HEAD', path },
      ...['{{etag:PATH}}', '{{admin:PATH}}', '*', '"zz"']
        .map((tag) => tag.replace('PATH', path))
        .flatMap((tag) => [get(path, { 'if-none-match': tag }), get(path, { 'if-match': tag })]),
      ...[...references, ...collections].flatMap((name) => [
        get(`${path}?fields=${shape.key[0]},${name}.*`),
        get(`${path}?fields=${Object.keys(entityOf(name).values).map((field) => `${name}.${field}`)}`),
      ]),
    ]
  })
}

function relatedOf(shape: ForeignShape): readonly LeakRequest[] {
  const { entity, resource, references, collections, where } = shape
  const some = ['some', 'every', 'none']
  const inner = (name: string) =>
    Object.entries(entityOf(name).values).flatMap(([key, values]) =>
      values.slice(0, 3).map((val) => ({ key, op: '==', val })),
    )
  const filters = [
    ...references.flatMap((name) =>
      conditionsOf(entityOf(name).values, ['==', '!=', '<', 'isnull']).map(({ key, ...rest }) => ({
        key: `${name}.${key}`,
        ...rest,
      })),
    ),
    ...[...references, ...collections].flatMap((key) => some.map((op) => ({ key, op, val: [] }))),
    ...collections.flatMap((key) =>
      inner(key).flatMap((condition) => some.map((op) => ({ key, op, val: [condition] }))),
    ),
  ]
  const wheres = [
    ...references.flatMap((name) => inner(name).map(({ key, val }) => ({ [name]: { [key]: { eq: val } } }))),
    ...collections.flatMap((name) =>
      inner(name).flatMap(({ key, val }) =>
        some.map((op) => ({ [name]: { [op]: { [key]: val === null ? { isNull: true } : { ne: val } } } })),
      ),
    ),
  ]
  const fields = (of: ForeignShape) => Object.keys(of.values).join(' ')
  return [
    ...filters.flatMap((filter) => bothWays(shape, filter)),
    ...wheres.map((value) =>
      ask(
        `query ($w: ${entity}_Where) { ${entity}(${where}: $w) { totalCount edges { node { ${idOf(shape)} } } } }`,
        { w: value },
      ),
    ),
    ...references.flatMap((name) => [
      ...Object.keys(entityOf(name).values).flatMap((field) => [
        ask(
          `{ ${entity}(asc: "${name}.${field}", first: 3) { ${page} edges { cursor node { ${idOf(shape)} } } } }`,
        ),
        ask(`{ ${entity} { edges { node { ${idOf(shape)} ${name} { ${field} } } } } }`),
        ...(resource === undefined
          ? []
          : [
              get(`/apis/${resource}?desc=${name}.${field}&first=3&count=true`),
              get(`/apis/${resource}?fields=${shape.key[0]},${name}.${field}`),
            ]),
      ]),
      ask(
        `{ ${entity}(orderBy: [{ ${name}: { ${entityOf(name).key[0]}: DESC } }]) { edges { cursor node { ${idOf(shape)} ${name} { GlobalId } } } } }`,
      ),
    ]),
    ...collections.flatMap((name) => [
      ...Object.keys(entityOf(name).values).flatMap((field) => [
        ask(
          `{ ${entity} { edges { node { ${idOf(shape)} ${name}(desc: "${field}", first: 1) { ${page} edges { cursor node { ${field} } } } } } } }`,
        ),
        ask(
          `{ ${entity} { edges { node { ${idOf(shape)} ${name} { aggregates { count max { ${field} } } groups(by: {field: ${field}}) { count keys { ${field} } } } } } } }`,
        ),
        ...(resource === undefined
          ? []
          : [get(`/apis/${resource}?fields=${shape.key[0]},${name}.${field}&count=true`)]),
      ]),
      ask(
        `{ ${entity} { edges { node { ${name} { totalCount edges { node { ${fields(entityOf(name))} } } } } } } }`,
      ),
      ...references.map((reference) =>
        ask(
          `{ ${entity} { edges { node { ${reference} { GlobalId } ${name}(last: 1) { totalCount edges { node { GlobalId } } } } } } }`,
        ),
      ),
    ]),
  ]
}

function totalsOf({ entity, values }: ForeignShape): readonly LeakRequest[] {
  const [by = ''] = Object.keys(values).filter((name) => ['state', 'team', 'text'].includes(name))
  return Object.keys(values).flatMap((name) => [
    ask(`{ ${entity} { groups(by: {field: ${name}}) { count keys { ${name} } } } }`),
    ask(
      `{ ${entity} { aggregates { count(field: ${name}) countDistinct { ${name} } min { ${name} } max { ${name} } } } }`,
    ),
    ask(`{ ${entity} { aggregates { sum { ${name} } avg { ${name} } } } }`),
    ask(
      `{ ${entity} { groups(by: {field: ${by}}, orderBy: {countDistinct: {${name}: DESC}}, limit: 1) { keys { ${by} } } } }`,
    ),
    ...(values[name] ?? []).map((value) =>
      ask(`query ($h: ${entity}_Having) { ${entity} { groups(by: {field: ${by}}, having: $h) { count } } }`, {
        h: { max: { [name]: { gte: value } } },
      }),
    ),
  ])
}

function queriesOf(shape: ForeignShape): readonly LeakRequest[] {
  const { entity, values, keys } = shape
  const names = Object.keys(values)
  const typename = `... on ${entity}_ { ${names.join(' ')} }`
  return [
    ask(`{ ${entity} { ${page} edges { cursor node { ${names.join(' ')} } } } }`),
    ...names.flatMap((name) => [
      ask(`{ ${entity}(asc: "${name}", first: 3) { ${page} edges { cursor node { ${name} } } } }`),
      ask(`{ ${entity}(desc: "${name}", last: 2) { ${page} edges { node { ${idOf(shape)} } } } }`),
      ask(`{ ${entity}(desc: "${name}", offset: 1, limit: 3) { totalCount edges { node { ${name} } } } }`),
      ask(
        `query ($v: GenericScalar) { ${entity}(${name}: $v) { totalCount edges { node { ${idOf(shape)} } } } }`,
        {
          v: values[name],
        },
      ),
    ]),
    ...conditionsOf(values).flatMap((condition) => bothWays(shape, condition)),
    ...(names.includes('extra') ? ['extra->a', 'secret->a', 'site.extra->a'] : ['zz->a']).flatMap((key) =>
      [1, 3, 98, null].flatMap((val) => ['==', '!=', '<'].flatMap((op) => bothWays(shape, { key, op, val }))),
    ),
    ...keys.flatMap((key) => {
      const id = globalIdOf(shape, key)
      return [
        ask(
          `query ($id: ID!) { node(GlobalId: $id) { __typename GlobalId ${names.length > 0 ? typename : ''} } }`,
          { id },
        ),
        ask('query ($id: ID!) { customNode(GlobalId: $id) { __typename GlobalId } }', { id }),
        ask(`query ($id: [GenericScalar]) { ${entity}(GlobalId: $id) { totalCount } }`, { id: [id] }),
        ...['eq', 'ne'].map((op) =>
          ask(`query ($w: ${entity}_Where) { ${entity}(${shape.where}: $w) { totalCount } }`, {
            w: { GlobalId: { [op]: id } },
          }),
        ),
      ]
    }),
  ]
}

const descriptions: readonly LeakRequest[] = [
  get('/openapi.json'),
  get('/graphql'),
  get('/whoami/tables?whole=true'),
  ...shapes.map(({ entity }) => get(`/whoami/tables/${entity}`)),
]

/** Requests that change nothing. */
export const foreignReads: readonly LeakRequest[] = [
  ...descriptions,
  ...shapes.flatMap((shape) => [
    ...listsOf(shape),
    ...recordsOf(shape),
    ...relatedOf(shape),
    ...totalsOf(shape),
    ...queriesOf(shape),
  ]),
]
