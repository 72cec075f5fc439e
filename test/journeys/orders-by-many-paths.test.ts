/** Orders by many fields of related records: the databases join only so many tables. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const item = definition('Item', {
  local: [field('name', 'string'), field('size', 'integer')],
  refs: [reference('leftId', 'Item'), reference('rightId', 'Item')],
})
// A binary tree: i2 and i3 are left and right of i1, i4 and i5 of i2, ….
const items = Array.from({ length: 63 }, (_, index) => index + 1).map((number) => ({
  id: `i${number}`,
  name: `item ${number % 7}`,
  size: number % 5,
  leftId: number < 32 ? `i${2 * number}` : null,
  rightId: number < 32 ? `i${2 * number + 1}` : null,
}))

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const create = async (path: string, body: unknown) =>
      expect((await gateway.request('POST', path, { body })).status, path).toBe(201)
    await create('/manage/entities', [item])
    // Where the values are the same, the first created is first.
    await create('/apis/items', items.toReversed())
  })
  afterAll(() => gateway.close())

  /** The value at a path of an item, such as `left.right.name`. */
  const valueAt = (id: string, path: string): Json => {
    let row: Json = items.find((one) => one.id === id)
    for (const name of path.split('.')) {
      if (row === undefined) return null
      row = name === 'left' || name === 'right' ? items.find((one) => one.id === row[`${name}Id`]) : row[name]
    }
    return row ?? null
  }
  /** All ids, sorted by these paths, with nulls first. */
  const sorted = (paths: readonly string[]) =>
    items
      .toReversed()
      .map(({ id }) => ({ id, values: paths.map((path) => valueAt(id, path)) }))
      .sort((one, other) => {
        const index = one.values.findIndex((value, at) => value !== other.values[at])
        if (index === -1) return 0
        const [a, b] = [one.values[index], other.values[index]]
        return a === null || (b !== null && a < b) ? -1 : 1
      })
      .map(({ id }) => id)

  /** The paths of references up to a depth, the short ones first. */
  const references = (depth: number): readonly string[] => {
    let level = ['left', 'right']
    const paths = [...level]
    for (let at = 1; at < depth; at += 1) {
      level = level.flatMap((path) => ['left', 'right'].map((name) => `${path}.${name}`))
      paths.push(...level)
    }
    return paths
  }

  const query = async (argument: 'asc' | 'orderBy', order: unknown) => {
    const type = argument === 'asc' ? '[String!]' : '[Item_OrderBy!]'
    const { body } = await gateway.request('POST', '/graphql', {
      body: {
        query: `query ($order: ${type}) { Item(${argument}: $order) { edges { node { id } } } }`,
        variables: { order },
      },
    })
    return (body as Json).errors?.[0] ?? (body as Json).data.Item.edges.map(({ node }: Json) => node.id)
  }
  const typed = (path: string) =>
    path.split('.').reduceRight((inner: Json, name) => ({ [name]: inner }), 'ASC')

  test.each([
    // Each longer path begins with the shorter ones.
    [
      Array.from({ length: 7 }, (_, steps) =>
        ['name', 'size', 'id'].map((name) => `${'left.'.repeat(steps)}${name}`),
      ).flat(),
    ],
    [
      references(6)
        .slice(0, 50)
        .map((path) => `${path}.name`),
    ],
  ])('are answered, page after page: %j', async (paths) => {
    const expected = sorted(paths)
    const listed = await gateway.request('GET', `/apis/items?asc=${paths.join(',')}`)
    expect([listed.status, (listed.body as Json).map(({ id }: Json) => id)]).toEqual([200, expected])
    const pages: string[] = []
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page = await gateway.request('POST', `/apis/items/query${next}`, {
        body: { asc: paths, first: 30 },
      })
      pages.push(...(page.body as Json).map(({ id }: Json) => id))
      next = /<[^?>]*(\?[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(pages).toEqual(expected)
    expect(await query('asc', paths)).toEqual(expected)
    expect(await query('orderBy', paths.map(typed))).toEqual(expected)
    const { body } = await gateway.request('POST', '/graphql', {
      body: {
        query:
          'query ($order: [String!]) { Item(id: ["i1", "i8"], asc: "id") { edges { node { itemCollection(asc: $order, first: 1) { edges { node { id } } } } } } }',
        variables: { order: paths },
      },
    })
    expect(body).toEqual({
      data: {
        Item: {
          edges: [
            { node: { itemCollection: { edges: [] } } },
            { node: { itemCollection: { edges: [{ node: { id: 'i4' } }] } } },
          ],
        },
      },
    })
  })

  const tooManySteps =
    'A list is sorted by what at most 50 references lead to, and these paths have 51. Sort by fewer paths.'
  test.each([
    [
      references(6)
        .slice(0, 51)
        .map((path) => `${path}.name`),
      { list: tooManySteps, asc: tooManySteps, orderBy: tooManySteps },
    ],
    [
      Array.from({ length: 101 }, () => 'name'),
      {
        list: 'asc takes at most 100 fields.',
        asc: 'asc takes at most 100 fields.',
        orderBy: 'orderBy takes at most 100 fields.',
      },
    ],
  ])('are refused where they are too many', async (paths, sentences) => {
    const refused = (detail: string) => ({ status: 400, body: { code: 'PARAMETER_INVALID', detail } })
    expect(await gateway.request('GET', `/apis/items?asc=${paths.join(',')}`)).toMatchObject(
      refused(sentences.list),
    )
    expect(await gateway.request('POST', '/apis/items/query', { body: { asc: paths } })).toMatchObject(
      refused(sentences.list),
    )
    const error = (message: string) => ({ message, extensions: { code: 'PARAMETER_INVALID' } })
    expect(await query('asc', paths)).toMatchObject(error(sentences.asc))
    expect(await query('orderBy', paths.map(typed))).toMatchObject(error(sentences.orderBy))
  })

  test('are refused where asc and desc together are too many', async () => {
    const body = { asc: Array(60).fill('name'), desc: Array(41).fill('size') }
    expect(await gateway.request('POST', '/apis/items/query', { body })).toMatchObject({
      status: 400,
      body: { detail: 'A list is sorted by at most 100 fields, and these are 101.' },
    })
  })
})
