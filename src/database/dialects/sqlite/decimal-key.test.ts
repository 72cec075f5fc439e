import { expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { parseDecimal } from '../../../util/decimal-text.ts'
import { decimalKey } from './decimal-key.ts'

test('keys sort as their numbers do', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 25 }))
    .map(([digits, places]) => ({ digits, places, text: parseDecimal(`${digits}e-${places}`) ?? '' }))
  const scaled = ({ digits, places }: { digits: bigint; places: number }) =>
    digits * 10n ** BigInt(25 - places)
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [keyA, keyB] = [decimalKey(a.text) ?? '', decimalKey(b.text) ?? '']
      const byKey = keyA < keyB ? -1 : keyA > keyB ? 1 : 0
      const byValue = scaled(a) < scaled(b) ? -1 : scaled(a) > scaled(b) ? 1 : 0
      expect(byKey).toBe(byValue)
    }),
    { numRuns: 2000 },
  )
})

test('what is no decimal sorts above all that are', () => {
  expect([null, 'x', '1e3', new Uint8Array([1])].map(decimalKey)).toEqual([null, '2x', '21e3', '301'])
})
