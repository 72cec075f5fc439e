/** What accounts write to the tables in `foreign-shapes.ts`, in an order in which all of it is to be sent. */
import { type ForeignShape, globalIdOf, pathOf, published } from './foreign-shapes.ts'
import { hiddenKeys } from './foreign-worlds.ts'
import type { LeakRequest } from './leak-requests.ts'

type Json = Readonly<Record<string, unknown>>

const post = (path: string, body: unknown): LeakRequest => ({ method: 'POST', path, body })
const mutate = (query: string, variables: Json = {}) =>
  post('/graphql', { query: `mutation ${query}`, variables })

const { site, region, badge, order } = published
const hiddenRegion = hiddenKeys.region(5)
const hiddenSite = hiddenKeys.site(5)

/** Members that refer to a site's region, parent and keeper: seen, hidden, and none. */
const siteReferences: readonly Json[] = [
  ...['c', 'far', hiddenRegion, 'zz', null].flatMap((code) => [
    { code },
    { country: 'de', code },
    { home_code: code },
    { home_country: 'de', home_code: code },
    { home_country: null, home_code: code },
  ]),
  { home_country: 'at', home_code: hiddenKeys.region(2) },
  { home_country: 'at', home_code: 'zz' },
  { home_country: 'fr' },
  { home_country: 'fr', home_code: 'far' },
  ...[1, 90, hiddenSite, 999, null].map((parent) => ({ parent })),
  { parent: hiddenSite, code: hiddenRegion },
  { parent: 999, code: 'zz' },
  { parent: hiddenSite, title: 'site 1' },
  ...['own', 'far', hiddenKeys.keeper(5), 'zz', null].map((keeper) => ({ keeper })),
]

/** What is sent for new records, besides their keys; `changes` also to those that are there. */
interface Documents {
  readonly shape: ForeignShape
  readonly base: Json
  readonly added: readonly Json[]
  readonly changes: readonly Json[]
  /** The records that may be deleted: everything that refers to them in some world is seen in all worlds. */
  readonly deletable: readonly (readonly unknown[])[]
}

const documents: readonly Documents[] = [
  {
    shape: site,
    base: { number: 501, title: 'new' },
    added: [
      { number: 1 },
      { title: 'site 1' },
      { number: null },
      { state: 'closed' },
      { team: 'b' },
      { secret: 'new', price: '1.5', extra: { a: 1 } },
      { country: 'at' },
    ],
    changes: [
      ...siteReferences,
      {},
      { secret: 'x' },
      { secret: null },
      { shout: 'x' },
      { team: 'b' },
      { state: 'open' },
      { price: '3.25' },
      { price: 'x' },
      { extra: { a: 3 } },
      { number: 700 },
      { country: 'at' },
      { nothing: 'x' },
    ],
    deletable: [
      ['de', 2],
      ['de', 90],
      ['de', hiddenSite],
      ['zz', 1],
    ],
  },
  {
    shape: region,
    base: { country: 'de', code: 'new', team: 'a' },
    added: [{ code: 'a' }, { team: 'b' }, { code: null }, { country: 'at' }],
    changes: [
      {},
      { label: 'x' },
      { label: 'region a' },
      { team: 'a' },
      { team: 'b' },
      { size: 10 },
      { code: 'y' },
    ],
    deletable: [
      ['de', 'a'],
      ['de', hiddenRegion],
      ['zz', 'zz'],
    ],
  },
  {
    shape: badge,
    base: { id: 5001, text: 'new', site_country: 'de', site_number: 1 },
    added: [{ text: 'last', weight: 1 }, { id: 10 }, { weight: -1 }, { weight: 0 }],
    changes: [
      ...[3, 90, hiddenSite, hiddenKeys.site(2), 999, null].flatMap((number) => [
        { site_number: number },
        { site_country: 'de', site_number: number },
        { site_country: null, site_number: number },
      ]),
      {},
      { text: 'x' },
      { weight: 7 },
      { weight: -1 },
      { team: 'b' },
      { site_country: 'fr' },
    ],
    deletable: [[50], [hiddenKeys.badge(5)], [7777]],
  },
  {
    shape: order,
    base: { select: 'new', where: 'own x' },
    added: [{ select: 'o1' }, { where: 'hidden x' }, { team: 'b' }, { from: 'new' }],
    changes: [
      ...['o1', 'o2', 'far', hiddenKeys.order(5), 'zz', null].map((from) => ({ from })),
      {},
      { group: 3 },
      { where: 'own 1' },
      { where: 'hidden 3' },
      { team: 'b' },
    ],
    deletable: [['o2'], [hiddenKeys.order(5)], ['zz']],
  },
]

/** References that are created or connected in place. */
const inPlace: readonly (readonly [ForeignShape, Json])[] = [
  ...[
    { country: 'de', code: 'c' },
    { country: 'de', code: 'far' },
    { country: 'de', code: hiddenRegion },
    { country: 'at', code: hiddenKeys.region(2) },
    { country: 'de', code: 'zz' },
    { GlobalId: globalIdOf(region, ['de', hiddenRegion]) },
    { GlobalId: globalIdOf(region, ['de', 'zz']) },
  ].flatMap((connect): (readonly [ForeignShape, Json])[] => [
    [site, { codeRef: { connect } }],
    [site, { home_codeRef: { connect } }],
  ]),
  ...['own', 'far', hiddenKeys.keeper(5), 'zz'].map(
    (id) => [site, { keeperRef: { connect: { id } } }] as const,
  ),
  ...[
    { country: 'de', number: 1 },
    { country: 'de', number: 90 },
    { country: 'de', number: hiddenSite },
    { country: 'de', number: 999 },
    { country: 'de', title: 'site 4' },
    { country: 'de', title: 'hidden 5' },
    { country: 'de', title: 'none' },
    { country: 'de', secret: 'own 7' },
    { country: 'de', secret: 'secret 3' },
    { country: 'de', secret: 'secret 98' },
    { country: 'de', secret: 'hidden 5' },
    { GlobalId: globalIdOf(site, ['de', hiddenSite]) },
    { GlobalId: globalIdOf(site, ['de', 999]) },
  ].flatMap((connect): (readonly [ForeignShape, Json])[] => [
    [site, { site: { connect } }],
    [badge, { site: { connect } }],
  ]),
  ...['o1', 'o2', 'far', hiddenKeys.order(5), 'zz'].map(
    (select) => [order, { order: { connect: { select } } }] as const,
  ),
  [badge, { site: { create: { number: 502, title: 'made', parent: hiddenSite } } }],
  [badge, { site: { create: { number: 502, title: 'made', parent: 999 } } }],
  [
    badge,
    {
      site: {
        create: { number: 502, title: 'made', codeRef: { connect: { country: 'de', code: hiddenRegion } } },
      },
    },
  ],
  [site, { home_codeRef: { create: { country: 'de', code: 'made', team: 'a' } } }],
]

/** The arguments that say the key of a record. */
const keyArguments = ({ key }: ForeignShape, values: readonly unknown[]) =>
  key.map((name, index) => `${name}: ${JSON.stringify(values[index])}`).join(', ')

const keyOf = ({ key }: ForeignShape, document: Json) => key.map((name) => document[name] ?? 'de')

/** The fields of a written record, with what it refers to. */
const written = ({ key, references, collections }: ForeignShape) =>
  `{ GlobalId ${key.join(' ')} ${references.map((name) => `${name} { GlobalId }`).join(' ')} ${collections.map((name) => `${name} { totalCount }`).join(' ')} }`

function creationsOf({ shape, base, added, changes }: Documents): readonly LeakRequest[] {
  const { entity, resource } = shape
  const path = `/apis/${resource}`
  const bodies = [{}, base, ...[...added, ...changes].map((more) => ({ ...base, ...more }))]
  const removed: LeakRequest = { method: 'DELETE', path: pathOf(shape, keyOf(shape, base)) }
  const input = `$input: ${entity}_CreateInput!`
  return [
    ...bodies.flatMap((body) => [
      post(`${path}?dry_run=true`, body),
      post(path, body),
      removed,
      post(path, [
        { ...base, [shape.key.at(-1) ?? '']: shape === site || shape === badge ? 601 : 'new2' },
        body,
      ]),
      removed,
      {
        ...removed,
        path: removed.path.replace(/[^/,]+$/, shape === site || shape === badge ? '601' : 'new2'),
      },
      mutate(`(${input}) { create_${entity}(input: $input) ${written(shape)} }`, { input: body }),
      removed,
      mutate(`(${input}) { createAll_${entity}(inputs: [$input]) ${written(shape)} }`, { input: body }),
      mutate(`(${input}) { upsert_${entity}(input: $input) ${written(shape)} }`, { input: body }),
      removed,
    ]),
    ...inPlace
      .filter(([own]) => own === shape)
      .flatMap(([, reference]) => {
        const { site_country: _, site_number: __, ...rest } = base
        return [
          mutate(`(${input}) { create_${entity}(input: $input) ${written(shape)} }`, {
            input: { ...rest, ...reference },
          }),
          removed,
          { ...removed, path: '/apis/sites/de,502' },
          mutate(`(${input}) { upsert_${entity}(input: $input) ${written(shape)} }`, {
            input: { ...rest, ...reference },
          }),
          removed,
          { ...removed, path: '/apis/sites/de,502' },
          { ...removed, path: '/apis/regions/de,made' },
        ]
      }),
  ]
}

function changesOf({ shape, base, changes }: Documents): readonly LeakRequest[] {
  const { entity, keys, key } = shape
  const update = `$input: ${entity}_UpdateInput!`
  const create = `$input: ${entity}_CreateInput!`
  const text = Object.keys(base).find((name) => ['title', 'label', 'text', 'where'].includes(name))
  return keys.flatMap((values) => {
    const path = pathOf(shape, values)
    const named = Object.fromEntries(key.map((name, index) => [name, values[index]]))
    const own = { ...(text && { [text]: `own ${values}` }), team: 'a' }
    const where = { and: Object.entries(named).map(([name, value]) => ({ [name]: { eq: value } })) }
    return [
      ...changes.flatMap((body): readonly LeakRequest[] => [
        { method: 'PATCH', path, body },
        { method: 'PUT', path, body: { ...named, ...body } },
        { method: 'PUT', path, body: { ...own, ...named, ...body } },
        mutate(
          `(${update}) { update_${entity}(${keyArguments(shape, values)}, input: $input) ${written(shape)} }`,
          {
            input: body,
          },
        ),
        mutate(`(${update}, $id: ID) { update_${entity}(GlobalId: $id, input: $input) ${written(shape)} }`, {
          input: body,
          id: globalIdOf(shape, values),
        }),
        mutate(
          `(${update}, $w: ${entity}_Where!) { updateAll_${entity}(where: $w, input: $input) { count records ${written(shape)} } }`,
          { input: body, w: where },
        ),
        // A new record with the key of one that is hidden is a conflict.
        ...(isSeenOrNone(shape, values)
          ? [
              mutate(`(${create}) { upsert_${entity}(input: $input) ${written(shape)} }`, {
                input: { ...named, ...body },
              }),
            ]
          : []),
      ]),
      ...inPlace
        .filter(([of]) => of === shape)
        .map(([, reference]) =>
          mutate(
            `(${update}) { update_${entity}(${keyArguments(shape, values)}, input: $input) ${written(shape)} }`,
            {
              input: reference,
            },
          ),
        ),
      ...['{{etag:PATH}}', '{{admin:PATH}}', '*', '"zz"']
        .map((tag) => tag.replace('PATH', path))
        .flatMap((tag): readonly LeakRequest[] => [
          { method: 'PATCH', path, body: own, headers: { 'if-match': tag } },
          { method: 'PUT', path, body: { ...named, ...own }, headers: { 'if-match': tag } },
          { method: 'PATCH', path, body: {}, headers: { 'if-none-match': tag } },
          mutate(
            `($tag: String, ${update}) { update_${entity}(${keyArguments(shape, values)}, ifMatch: $tag, input: $input) ${written(shape)} }`,
            { tag, input: {} },
          ),
        ]),
    ]
  })
}

/** Whether all worlds have the record, or none has it. */
function isSeenOrNone({ keys }: ForeignShape, values: readonly unknown[]): boolean {
  return keys.indexOf(values) < 2 || keys.at(-1) === values
}

function manyOf({ shape }: Documents): readonly LeakRequest[] {
  const { entity, values, references } = shape
  const wheres = [
    ...Object.entries(values).flatMap(([name, list]) =>
      list.slice(1).map((value) => ({ [name]: value === null ? { isNull: true } : { eq: value } })),
    ),
    ...references.map((name) => ({ [name]: { team: { eq: 'b' } } })),
  ]
  return wheres.flatMap((where) => [
    mutate(
      `($w: ${entity}_Where!, $input: ${entity}_UpdateInput!) { updateAll_${entity}(where: $w, input: $input) { count records ${written(shape)} } }`,
      { w: where, input: { team: 'a' } },
    ),
  ])
}

function deletionsOf({ shape, deletable }: Documents): readonly LeakRequest[] {
  const { entity } = shape
  return deletable.flatMap((values): readonly LeakRequest[] => {
    const path = pathOf(shape, values)
    const named = keyArguments(shape, values)
    return [
      { method: 'DELETE', path, headers: { 'if-match': '"zz"' } },
      mutate(`($tag: String) { delete_${entity}(${named}, ifMatch: $tag) ${written(shape)} }`, {
        tag: `{{admin:${path}}}`,
      }),
      mutate(`($id: ID) { delete_${entity}(GlobalId: $id) ${written(shape)} }`, {
        id: globalIdOf(shape, values),
      }),
      { method: 'DELETE', path },
      mutate(
        `($w: ${entity}_Where!) { deleteAll_${entity}(where: $w) { count records ${written(shape)} } }`,
        { w: { and: shape.key.map((name, index) => ({ [name]: { eq: values[index] } })) } },
      ),
    ]
  })
}

export const foreignWrites: readonly LeakRequest[] = [
  ...documents.flatMap(creationsOf),
  // Numbered by the database.
  ...[1, 90, hiddenSite, 999].flatMap((number) => [
    post('/apis/badges', { text: `numbered ${number}`, site_country: 'de', site_number: number }),
    post('/apis/badges', [
      { text: `numbered first ${number}`, site_country: 'de', site_number: 1 },
      { text: `numbered then ${number}`, site_country: 'de', site_number: number },
    ]),
  ]),
  ...documents.flatMap(changesOf),
  ...documents.flatMap(manyOf),
  ...documents.flatMap(deletionsOf),
]
