import { binaryKeys } from './binary-keys.ts'
import { dateKeys } from './date-keys.ts'
import type { DescribedDatabase } from './described-database.ts'
import { threeSchemas } from './three-schemas.ts'
import { wordpress } from './wordpress.ts'

/** Small databases in shapes that others made, to be swept on every product that they exist for. */
export const describedDatabases: readonly DescribedDatabase[] = [
  wordpress,
  binaryKeys,
  dateKeys,
  threeSchemas,
]
