/** Which columns are compared as texts. */
import type { ColumnType } from '../database/database-schema.ts'

/** The types whose values are texts, or are searched as such: by `contains` and the like. */
export const textTypes: ReadonlySet<ColumnType> = new Set(['string', 'uuid', 'json', 'other'])

/** Those of them whose values may be JSON, into which conditions lead. */
export const jsonTypes: ReadonlySet<ColumnType> = new Set(['string', 'json'])
