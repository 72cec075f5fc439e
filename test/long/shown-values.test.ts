/** The same as in `test/values`, with ten thousand values and more on each product. */
import { describe } from 'vitest'
import { describeShownValues } from '../support/describe-shown-values.ts'
import { products } from '../support/products.ts'

describe.each(products)('$name', (product) => describeShownValues(product, 10_000))
