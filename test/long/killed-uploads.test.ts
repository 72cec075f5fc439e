import { expect, test } from 'vitest'
import { killUploads } from '../support/kill-uploads.ts'
import { products } from '../support/products.ts'

/** Always the same moments. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

test.each(products)(
  'H2 $name: an upload that is killed is wholly there or wholly absent at the next start',
  async (product) => {
    const { options, remove } = await product.createDatabase()
    try {
      const { moments, there, absent, broken } = await killUploads(options, 8, randomOf(7))
      expect({ broken, sum: there + absent }).toEqual({ broken: [], sum: moments })
    } finally {
      await remove()
    }
  },
  300_000,
)
