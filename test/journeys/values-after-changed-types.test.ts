/** Records that are written and found after an upload has given fields other types: no connection remembers the old ones. */
import { expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const numbers = Array.from({ length: 20 }, (_, index) => index)

/** What the old types take as well, and keep otherwise. */
const before = { types: ['integer', 'Date'], values: 'code: 7, day: "2026-01-01"' } as const
const after = {
  types: ['string', 'DateTime'],
  values: 'code: "007", day: "2026-01-01T10:20:30.5"',
} as const

test.each(products)('$name', async (product) => {
  const gateway = await startTestGateway(product)
  try {
    const upload = async ([code, day]: readonly [string, string]) => {
      const local = [field('code', code), field('day', day)]
      const { status } = await gateway.request('POST', '/manage/entities', {
        body: [definition('Thing', { local })],
      })
      expect(status).toBeLessThan(300)
    }
    // Many at once, so that each connection prepares the statements; nothing of the fields is read.
    const all = (query: (number: number) => string) =>
      Promise.all(numbers.map((number) => gateway.graphql(query(number))))
    const create = (prefix: string, values: string) =>
      all((number) => `mutation { create_Thing(input: { id: "${prefix}${number}", ${values} }) { id } }`)
    const change = (prefix: string, values: string) =>
      all((number) => `mutation { update_Thing(id: "${prefix}${number}", input: { ${values} }) { id } }`)
    const count = (day: string) => all(() => `{ Thing(where: { day: { eq: "${day}" } }) { totalCount } }`)
    const answers = (answer: (number: number) => object) =>
      numbers.map((number) => ({ data: answer(number) }))

    await upload(before.types)
    for (const prefix of ['a', 'b']) {
      expect(await create(prefix, before.values)).toEqual(
        answers((number) => ({ create_Thing: { id: `${prefix}${number}` } })),
      )
      await change(prefix, before.values)
    }
    await count('2026-01-01')

    await upload(after.types)
    expect(await create('c', after.values)).toEqual(
      answers((number) => ({ create_Thing: { id: `c${number}` } })),
    )
    expect(await change('a', after.values)).toEqual(
      answers((number) => ({ update_Thing: { id: `a${number}` } })),
    )
    expect(await count('2026-01-01T10:20:30.5')).toEqual(answers(() => ({ Thing: { totalCount: 40 } })))
    expect(await count('2026-01-01T10:20:30')).toEqual(answers(() => ({ Thing: { totalCount: 0 } })))
    const { body } = await gateway.request('GET', '/apis/things?fields=id,code,day&first=1000')
    const found = (body as { readonly id: string; readonly code: string; readonly day: string }[]).map(
      ({ id, code, day }) => [id.slice(0, 1), code, day].join(),
    )
    expect(found.toSorted()).toEqual([
      ...numbers.map(() => 'a,007,2026-01-01T10:20:30.5'),
      ...numbers.map(() => 'b,7,2026-01-01T00:00:00'),
      ...numbers.map(() => 'c,007,2026-01-01T10:20:30.5'),
    ])
  } finally {
    await gateway.close()
  }
})
