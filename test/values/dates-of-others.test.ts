/** Dates and times that other programs wrote into tables of entities are the moments that they mean. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const product = products.find(({ name }) => name === 'SQLite')

/** Texts of two moments, as programs write them, and some of a later one. */
const noon = [
  '2021-06-30 12:00:00',
  '2021-06-30 12:00:00.000000',
  '2021-06-30T12:00:00',
  '2021-06-30T12:00:00Z',
  '2021-06-30 12:00:00+00:00',
  '2021-06-30 17:00+05',
  '2021-06-30T14:00:00+02:00',
  '2021-07-01T02:00:00+14:00',
  '2021-06-29T22:00:00-14:00',
]
const midnight = ['2021-06-30', '2021-06-30 00:00', '2021-06-30 00:00:00.0']
const later = ['2021-06-30 12:00:00.120000', '2021-06-30T12:00:00.12Z']
const texts = [...noon, ...midnight, ...later]

interface Found {
  readonly data: {
    readonly Visit: {
      readonly edges: readonly { readonly node: { readonly id: string; readonly at: string } }[]
    }
  }
}

describe('SQLite', () => {
  let gateway: TestGateway
  let options: DatabaseOptions

  beforeAll(async () => {
    if (product === undefined) throw new Error('the tests know SQLite')
    gateway = await startTestGateway(product, async (prepared) => {
      options = prepared
    })
    const body = definition('Visit', { local: [field('at', 'DateTime')] })
    expect((await gateway.request('POST', '/manage/entities', { body })).status).toBe(201)
    await executeAll(
      options,
      texts.map(
        (text, index) =>
          `insert into Visit (instance, id, at, xid, xname) values ('i${pad(index)}', '${pad(index)}', '${text}', 'x', 'x')`,
      ),
    )
  })
  afterAll(() => gateway.close())

  const ids = async (list: string) => {
    const { data } = (await gateway.graphql(`{ Visit(${list}) { edges { node { id at } } } }`)) as Found
    return data.Visit.edges.map(({ node }) => node.id)
  }
  const pad = (index: number) => String(index).padStart(2, '0')
  const idsOf = (some: readonly string[]) => some.map((text) => pad(texts.indexOf(text)))

  test('are shown in one form', async () => {
    const { data } = (await gateway.graphql('{ Visit(asc: "id") { edges { node { id at } } } }')) as Found
    expect(data.Visit.edges.map(({ node }) => node.at)).toEqual([
      ...noon.map(() => '2021-06-30T12:00:00'),
      ...midnight.map(() => '2021-06-30T00:00:00'),
      ...later.map(() => '2021-06-30T12:00:00.12'),
    ])
    const { body } = await gateway.request('GET', '/apis/visits?asc=id')
    expect((body as { at: string }[]).map(({ at }) => at)).toEqual(
      data.Visit.edges.map(({ node }) => node.at),
    )
  })

  test.each([
    ['at: "2021-06-30T12:00:00"', noon],
    ['at: "2021-06-30T14:00:00+02:00"', noon],
    ['at: ["2021-06-30T12:00:00", "2021-06-30"]', [...noon, ...midnight]],
    ['filters: [{key: "at", op: ">", val: "2021-06-30T12:00:00"}]', later],
    ['filters: [{key: "at", op: "<", val: "2021-06-30T12:00:00"}]', midnight],
    ['filters: [{key: "at", op: "!=", val: "2021-06-30T12:00:00"}]', [...midnight, ...later]],
    ['desc: "at"', [...later, ...noon, ...midnight]],
  ])('%s', async (list, found) => {
    expect(await ids(list)).toEqual(idsOf(found))
  })

  test('stay as they are written where they are sent back', async () => {
    const { body } = await gateway.request('PATCH', '/apis/visits/06', {
      body: { at: '2021-06-30T12:00:00' },
    })
    expect(body).toMatchObject({ id: '06', at: '2021-06-30T12:00:00' })
    expect(await ids('xname: "x"')).toEqual(idsOf(texts).filter((id) => id !== '06'))
    expect(await ids('at: "2021-06-30T12:00:00"')).toEqual(idsOf(noon))
  })
})
