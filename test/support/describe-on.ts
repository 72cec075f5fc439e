import { describe, test } from 'vitest'
import type { TestProduct } from './products.ts'

/** A suite for each of the products; where the machine has none of them, one that is skipped. */
export function describeOn(served: readonly TestProduct[], body: (product: TestProduct) => void): void {
  if (served.length > 0) describe.each(served)('$name', body)
  else describe.skip('a product that this machine lacks', () => test('is not tested', () => {}))
}
