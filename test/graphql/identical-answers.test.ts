/**
 * The same data and the same queries on every product: the texts of the answers are the same, byte for
 * byte, and what the plain evaluator says.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ColumnType } from '../../src/database/database-schema.ts'
import { executeGraphql } from '../../src/graphql/execute-graphql.ts'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import type { Operator } from '../support/compare-values.ts'
import { storedRows, valueData, valuesOf, valueTables } from '../support/many-values.ts'
import { AnsweredTexts } from '../support/opaque-texts.ts'
import { partOf } from '../support/part-of.ts'
import {
  entityNamed,
  evaluate,
  type FilterElement,
  type ListQuery,
  type ObjectMember,
  type PlainRow,
  type RootQuery,
  type Selected,
} from '../support/plain-evaluator.ts'
import { type PrintedQuery, printQuery } from '../support/print-query.ts'
import { readers } from '../support/products.ts'
import { answerText, openSampleDatabase, type SampleDatabase } from '../support/sample-database.ts'

type List = Partial<Omit<ListQuery, 'entity'>>

const scalars = (...fields: readonly string[]): readonly Selected<ObjectMember>[] =>
  fields.map((field) => ({ as: field, kind: 'scalar', field }))

/** All that a list can show of itself, with these members of its nodes. */
const everything = (node: readonly Selected<ObjectMember>[]): ListQuery['select'] => [
  { as: 'totalCount', kind: 'totalCount' },
  {
    as: 'edges',
    kind: 'edges',
    select: [
      { as: 'cursor', kind: 'cursor' },
      { as: 'node', kind: 'node', select: node },
    ],
  },
  {
    as: 'pageInfo',
    kind: 'pageInfo',
    select: (['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'] as const).map((kind) => ({
      as: kind,
      kind,
    })),
  },
]

const listOf = (entity: string, list: List, node: readonly Selected<ObjectMember>[]): ListQuery => ({
  entity,
  equal: [],
  filters: [],
  asc: [],
  desc: [],
  select: everything(node),
  ...list,
})

const values = (list: List, ...fields: readonly string[]): readonly RootQuery[] => [
  { as: 'Value', kind: 'list', list: listOf('Value', list, scalars('id', ...fields)) },
]

/** The same list below every set. */
const valuesBySet = (list: List, ...fields: readonly string[]): readonly RootQuery[] => {
  const below = listOf('Value', list, scalars('id', ...fields))
  const node = [
    ...scalars('code'),
    { as: 'valueCollection', kind: 'collection', field: 'valueCollection', list: below } as const,
  ]
  return [{ as: 'Set', kind: 'list', list: listOf('Set', {}, node) }]
}

type Query = readonly RootQuery[]

const fields = [...entityNamed(valueData, 'Value').columns].filter(([field]) => field !== 'otherSetCode')
const orderings: readonly Operator[] = ['==', '!=', '<', '<=', '>', '>=']
const textOperators: readonly Operator[] = ['starts', 'ends', 'contains']
const absent: Readonly<Partial<Record<ColumnType, unknown>>> = {
  string: 'no such',
  integer: 12_345,
  bigint: '123456789012345678',
  float: 0.125,
  decimal: '0.125',
  dateTime: '2000-01-01T00:00:00.5',
  date: '2000-01-01',
}

/** Some values of a field, one that it does not have, and null. */
function operands(field: string, type: ColumnType): readonly unknown[] {
  const own = valuesOf('Value', field)
  const step = Math.max(1, Math.floor(own.length / 6))
  return [...own.filter((_, index) => index % step === 0), absent[type], null]
}

const filtered = (...filters: readonly FilterElement[]): List => ({ filters })

const comparisons = (field: string, type: ColumnType): readonly Query[] => {
  const wanted = operands(field, type)
  const single = orderings.flatMap((op) =>
    wanted.map((val) => values(filtered({ key: field, op, val }), field)),
  )
  const lists = [[], wanted.slice(0, 3), [null], wanted, [...wanted, ...wanted], [absent[type]]].flatMap(
    (val) => (['in', 'not in'] as const).map((op) => values(filtered({ key: field, op, val }), field)),
  )
  const equalities = [...wanted, wanted.slice(0, 2), [wanted[0], null], []].map((value) =>
    values({ equal: [[field, value]] }, field),
  )
  return [...single, ...lists, ...equalities]
}

const pieces = [
  'a',
  'A',
  'á',
  '\u0301',
  ' ',
  '',
  '%',
  '_',
  '\\',
  '😀',
  '\u{10ffff}',
  "'",
  '"',
  'a_',
  '10',
  'null',
]

const searches = (field: string): readonly Query[] =>
  textOperators.flatMap((op) =>
    [...pieces, null].map((val) => values(filtered({ key: field, op, val }), field)),
  )

const groups: readonly Query[] = (
  [
    [
      [
        { key: 'id', op: '<', val: 5 },
        { key: 'word', op: '==', val: 'a' },
      ],
    ],
    [
      { key: 'id', op: '>', val: 5 },
      [
        { key: 'word', op: 'starts', val: 'a' },
        { key: 'amount', op: '>', val: 1 },
      ],
    ],
    [
      [
        [
          { key: 'id', op: '>', val: 5 },
          { key: 'small', op: '==', val: null },
        ],
        [
          { key: 'day', op: '!=', val: null },
          [
            { key: 'big', op: '<', val: 0 },
            { key: 'float', op: '>', val: 1 },
          ],
        ],
        { key: 'word', op: 'in', val: ['', null] },
      ],
    ],
    [
      [{ key: 'moment', op: '>=', val: '2026-01-31T10:30:00+01:00' }],
      { key: 'moment', op: '<', val: '2026-01-31T09:30:01Z' },
    ],
    [{ key: 'small', op: '>', val: null }],
    [
      [
        { key: 'small', op: '>', val: null },
        { key: 'small', op: '==', val: 1 },
      ],
    ],
    [[[[[[{ key: 'normal', op: '==', val: '10' }]]]]]],
    [{ key: 'amount', op: '==', val: 1.5 }],
    [{ key: 'amount', op: 'in', val: ['1.50', '010', '1e-1'] }],
    [{ key: 'float', op: '==', val: '0.1' }],
    [{ key: 'big', op: 'in', val: ['9007199254740993', 9] }],
    [{ key: 'word', op: '==', val: 10 }],
    [{ key: 'moment', op: '==', val: '2024-02-29T12:00:00.000000' }],
  ] satisfies FilterElement[][]
).map((filters) => values({ filters }, 'word', 'small'))

const names = fields.map(([field]) => field)

const orders: readonly List[] = [
  ...names.flatMap((field) => [{ asc: [field] }, { desc: [field] }]),
  ...names.map((field, index) => ({ asc: [field], desc: [names[(index + 3) % names.length] ?? 'id'] })),
  { asc: ['day', 'word'] },
  { desc: ['day', 'word'] },
  { asc: ['word', 'word'], desc: ['word', 'id'] },
]

const sorted: readonly Query[] = orders.flatMap((order) => [
  values(order, ...(order.asc ?? []), ...(order.desc ?? [])),
  values({ ...order, first: 9 }, ...(order.asc ?? [])),
  values({ ...order, last: 9 }, ...(order.desc ?? [])),
  valuesBySet({ ...order, first: 4 }),
])

const rowAt = (index: number): PlainRow => entityNamed(valueData, 'Value').rows[index] as PlainRow

const pages: readonly List[] = [
  { first: 0 },
  { first: 1 },
  { first: 100 },
  { last: 0 },
  { last: 7 },
  { first: 9, last: 3 },
  { first: 3, last: 9 },
  { offset: 0 },
  { offset: 8 },
  { offset: 100 },
  { limit: 0 },
  { limit: 5 },
  { offset: 4, limit: 6 },
  { offset: 4, limit: 6, first: 2 },
  { offset: 4, limit: 6, last: 2 },
  { limit: 6, first: 6 },
  { after: rowAt(20) },
  { before: rowAt(20) },
  { after: rowAt(20), first: 3 },
  { after: rowAt(20), last: 3 },
  { before: rowAt(20), first: 3 },
  { before: rowAt(20), last: 3 },
  { after: rowAt(10), before: rowAt(30) },
  { after: rowAt(10), before: rowAt(30), first: 4, last: 2 },
  { after: rowAt(30), before: rowAt(10) },
  { after: rowAt(20), offset: 5, limit: 30 },
  { before: rowAt(20), offset: 5, limit: 30, last: 3 },
  { after: rowAt(10), before: rowAt(40), offset: 3, limit: 50, first: 5 },
]

const pagingOrders: readonly List[] = [
  {},
  { asc: ['word'] },
  { desc: ['amount'] },
  { asc: ['day'], desc: ['float'] },
]

const paged: readonly Query[] = pagingOrders.flatMap((order) =>
  pages.map((page) => values({ ...order, ...page })),
)
const pagedBelow: readonly Query[] = pagingOrders.flatMap((order) =>
  pages.map((page) => valuesBySet({ ...order, ...page })),
)

const set = [...scalars('code', 'title'), { as: 'GlobalId', kind: 'globalId' } as const]
const reference = (field: string, select: readonly Selected<ObjectMember>[]) =>
  ({ as: field, kind: 'reference', field, select }) as const
const collection = (field: string, list: ListQuery) =>
  ({ as: field, kind: 'collection', field, list }) as const
const below = (list: List) => listOf('Value', list, scalars('id', 'word'))

const relations: readonly Query[] = [
  [
    {
      as: 'Value',
      kind: 'list',
      list: listOf('Value', { first: 30 }, [
        ...scalars('id'),
        reference('setCodeRef', [...set, reference('set', set)]),
        reference('otherSetCodeRef', set),
      ]),
    },
  ],
  ...[
    {},
    { filters: [{ key: 'word', op: 'starts', val: 'a' }] },
    { equal: [['day', null]] },
    { first: 2 },
  ].map(
    (list): Query => [
      {
        as: 'Set',
        kind: 'list',
        list: listOf('Set', { desc: ['code'] }, [
          ...set,
          collection('valueCollection', below(list as List)),
          collection('valueCollectionByOtherSetCode', below({ ...(list as List), asc: ['word'] })),
          collection('setCollection', listOf('Set', {}, set)),
        ]),
      },
    ],
  ),
  [
    {
      as: 'Pair',
      kind: 'list',
      list: listOf('Pair', {}, [
        ...scalars('text', 'number'),
        { as: 'GlobalId', kind: 'globalId' },
        reference('pair', [...scalars('text', 'number'), reference('pair', scalars('text'))]),
        collection('pairCollection', listOf('Pair', { desc: ['number'] }, scalars('text', 'number'))),
        { ...collection('pairCollection', listOf('Pair', { first: 1 }, scalars('text'))), as: 'one' },
      ]),
    },
  ],
]

const nodes: readonly Query[] = [...valueData.values()].flatMap((entity) =>
  entity.rows.slice(0, 6).flatMap((row) =>
    (['node', 'customNode'] as const).map(
      (kind): Query => [
        {
          as: 'found',
          kind,
          node: {
            entity: entity.name,
            row,
            select: [
              ...scalars(...entity.columns.keys()),
              { as: 'GlobalId', kind: 'globalId' },
              { as: '__typename', kind: 'typeName' },
            ],
          },
        },
      ],
    ),
  ),
)

const together: readonly Query[] = [
  [
    ...values({ first: 1 }, 'word'),
    { as: 'other', kind: 'list', list: listOf('Value', { last: 1 }, scalars('big')) },
    { as: 'Pair', kind: 'list', list: listOf('Pair', { equal: [['text', 'a']] }, scalars('number')) },
  ],
]

const queryGroups: readonly (readonly [string, readonly Query[]])[] = [
  ...fields.map(([field, type]) => [`comparisons of ${field}, ${type}`, comparisons(field, type)] as const),
  ...['word', 'words', 'json', 'setCode'].map((field) => [`searches in ${field}`, searches(field)] as const),
  ['groups and converted values', groups],
  ['sorting', sorted],
  ['pages of a root field', paged],
  ['pages of a collection', pagedBelow],
  ['references and collections', relations],
  ['rows by their GlobalId', nodes],
  ['several root fields', together],
]

/** So many queries take a second; one test of all would depend on how busy the machine is. */
const queriesOfTest = 25

/** Every fourth query of a group, or all with the long tests, as tests of their own. */
function inParts([name, queries]: readonly [string, readonly Query[]]) {
  const asked = partOf(queries, 4)
  return Array.from({ length: Math.ceil(asked.length / queriesOfTest) }, (_, index) => {
    const start = index * queriesOfTest
    return [`${name}, from ${start + 1}`, asked.slice(start, start + queriesOfTest)] as const
  })
}

describe('answers are the same on every product', () => {
  const opened: {
    readonly name: string
    readonly sample: SampleDatabase
    readonly snapshot: SchemaSnapshot
  }[] = []
  let texts: AnsweredTexts

  beforeAll(async () => {
    for (const product of readers) {
      const sample = await openSampleDatabase(product)
      await sample.create(valueTables)
      for (const table of valueTables) await sample.insert(table.name, storedRows(table))
      opened.push({ name: product.name, sample, snapshot: await sample.snapshot() })
    }
    const [first] = opened
    if (first === undefined) throw new Error('There is no product to test')
    texts = new AnsweredTexts(valueData, first.snapshot, first.sample.database)
    await texts.learnGlobalIds()
  })
  afterAll(() => Promise.all(opened.map(({ sample }) => sample.close())))

  /** The answers by who gives them. */
  async function answersTo(query: Query, printed: PrintedQuery): Promise<ReadonlyMap<string, string>> {
    const answers = new Map([['the contract', JSON.stringify({ data: evaluate(query, valueData, texts) })]])
    for (const { name, sample, snapshot } of opened) {
      const failures: unknown[] = []
      const answer = await executeGraphql(printed, snapshot, sample.database, {
        onFailure: (error) => failures.push(error),
      })
      const text = await answerText(answer)
      answers.set(name, [text, ...failures].join('\n'))
    }
    return answers
  }

  async function differences(queries: readonly Query[]): Promise<readonly unknown[]> {
    const found: unknown[] = []
    for (const [index, query] of queries.entries()) {
      await texts.learnCursors(query)
      // Every second query is written with variables and fragments.
      const printed = printQuery(query, valueData, texts, index % 2 === 0 ? 0 : index)
      const answers = await answersTo(query, printed)
      if (new Set(answers.values()).size > 1) found.push({ ...printed, answers: Object.fromEntries(answers) })
    }
    return found
  }

  test.each(queryGroups.flatMap(inParts))('%s', async (_name, queries) => {
    expect(await differences(queries)).toEqual([])
  })

  test('the schemas are the same', async () => {
    const texts = await Promise.all(opened.map(({ snapshot }) => snapshot.sdl))
    expect(texts).toEqual(texts.map(() => texts[0]))
  })

  test('there are enough queries', () => {
    const count = queryGroups.reduce((sum, [, queries]) => sum + queries.length, 0)
    expect(count).toBeGreaterThan(1000)
  })
})
