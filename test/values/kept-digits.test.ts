/** Decimals in tables of other programs: every digit is kept, or the value is refused. */
import { expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway } from '../support/test-gateway.ts'

/** With whether a double or a 64-bit integer has these digits. */
const sent: readonly (readonly [value: string | number, isShort: boolean])[] = [
  ['1.5', true],
  [12.25, true],
  ['0.1', true],
  ['-0.0000001', true],
  ['9007199254740993', true],
  ['9223372036854775807', true],
  ['123456789.1234567', true],
  ['9223372036854775808', false],
  ['12345678901234567890.0123456789', false],
  ['0.1234567891', true],
  ['1234567890123456.1234567', false],
]

test.each(products)('$name', async (product) => {
  const gateway = await startTestGateway(product, (options) =>
    executeAll(options, [
      'create table score (id integer primary key, points numeric(40,10))',
      'insert into score values (1, 1)',
    ]),
  )
  try {
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['score'] } })
    expect(adopted.status).toBe(201)
    for (const [points, isShort] of sent) {
      const { status, body } = await gateway.request('PATCH', '/apis/scores/1', { body: { points } })
      if (isShort || product.name !== 'SQLite')
        expect([status, body]).toEqual([200, { id: 1, points: String(points) }])
      else
        expect([points, status, body]).toMatchObject([
          points,
          422,
          {
            code: 'RECORD_INVALID',
            errors: [{ pointer: '/points', detail: expect.stringContaining('so few digits') }],
          },
        ])
      const found = await gateway.request('GET', `/apis/scores?points=${points}`)
      expect([points, (found.body as readonly unknown[]).length]).toEqual([points, status === 200 ? 1 : 0])
    }
  } finally {
    await gateway.close()
  }
})
