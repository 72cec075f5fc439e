import type { Ddl } from '../../database/dialect.ts'
import type { Statement } from '../../database/driver.ts'

/** One step that brings the tables of the store from the version before to this one. */
export interface Migration {
  /** Counted from 1, without gaps. */
  readonly version: number
  statements(ddl: Ddl): readonly Statement[]
}
