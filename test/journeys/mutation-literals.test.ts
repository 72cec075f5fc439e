/** Numbers and depths in the text of a mutation: what would be kept otherwise is refused, as in JSON. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const part = definition('Part', {
  local: [field('meta', 'object'), field('list', 'array'), field('ratio', 'float')],
})

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    expect((await gateway.request('POST', '/manage/entities', { body: [part] })).status).toBe(201)
  })
  afterAll(() => gateway.close())

  const deep = (depth: number) => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`
  const digits = (source: string) =>
    `The number ${source} has more digits than a JSON number can hold. Send it as a text.`

  test.each([
    ['meta: {n: 12345678901234567890}', '/input/meta/n', digits('12345678901234567890')],
    ['meta: {a: [1, {n: 9007199254740993}]}', '/input/meta/a/1/n', digits('9007199254740993')],
    ['list: [1, 1e400]', '/input/list/1', 'A number is too large for JSON.'],
    ['list: [0.12345678901234567891]', '/input/list/0', digits('0.12345678901234567891')],
    ['ratio: 1e400', '/input/ratio', 'A number is too large for JSON.'],
    [`meta: ${deep(100)}`, `/input/meta${'/a'.repeat(63)}`, 'Values are nested deeper than 64 levels.'],
  ])('%s is refused', async (value, pointer, detail) => {
    const errors = [
      expect.objectContaining({
        path: ['create_Part'],
        extensions: expect.objectContaining({ code: 'RECORD_INVALID', errors: [{ pointer, detail }] }),
      }),
    ]
    const create = `create_Part(input: {id: "a", ${value}}) { id }`
    expect(await gateway.graphql(`mutation { ${create} }`)).toEqual({ data: null, errors })
    // With variables elsewhere in the input, and among others.
    expect(
      await gateway.graphql(`mutation ($id: String) { create_Part(input: {id: $id, ${value}}) { id } }`, {
        id: 'b',
      }),
    ).toEqual({ data: null, errors })
    expect(await gateway.graphql('{ Part { totalCount } }')).toEqual({ data: { Part: { totalCount: 0 } } })
  })

  test('the defaults of variables are no exception', async () => {
    const query =
      'mutation ($meta: GenericScalar = {n: 9007199254740993}, $input: Part_CreateInput = {id: "a", list: [1e400]}) { create_Part(input: {id: "a", meta: $meta}) { id } other: create_Part(input: $input) { id } }'
    expect(await gateway.graphql(query)).toMatchObject({
      data: null,
      errors: [
        {
          extensions: {
            errors: [
              { pointer: '', detail: `$meta/n: ${digits('9007199254740993')}` },
              { pointer: '', detail: '$input/list/0: A number is too large for JSON.' },
            ],
          },
        },
      ],
    })
    expect(await gateway.graphql('{ Part { totalCount } }')).toEqual({ data: { Part: { totalCount: 0 } } })
  })

  test('what is kept is taken', async () => {
    const input =
      'id: "a", meta: {n: 9007199254740991, t: "12345678901234567890", x: 1.5e3}, list: [0.1, -0, 1e21], ratio: 0.1'
    expect(await gateway.graphql(`mutation { create_Part(input: {${input}}) { meta list ratio } }`)).toEqual({
      data: {
        create_Part: {
          meta: '{"n":9007199254740991,"t":"12345678901234567890","x":1500}',
          list: '[0.1,0,1e+21]',
          ratio: 0.1,
        },
      },
    })
  })
})
