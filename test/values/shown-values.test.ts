/** What is shown of a value can be sent back: it finds its row, and changes nothing where it is written. */
import { describe } from 'vitest'
import { describeShownValues } from '../support/describe-shown-values.ts'
import { products } from '../support/products.ts'

describe.each(products)('$name', (product) => describeShownValues(product, 100))
