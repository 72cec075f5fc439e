import type { Ddl } from '../../database/dialect.ts'
import type { Statement } from '../../database/driver.ts'

/** A migration of the store's tables from the previous version. */
export interface Migration {
  /** Counted from 1, without gaps. */
  readonly version: number
  statements(ddl: Ddl): readonly Statement[]
}
