import type { DatabaseSchema } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import type { TableCatalog } from '../../database/table-catalog.ts'
import type { DefaultContext } from '../../record/record-rules.ts'
import type { KnownEntity } from '../definition/stored-definition.ts'
import type { UploadedEntity } from '../upload/read-upload.ts'
import type { Renames } from './renames.ts'
import type { TableAnalysis } from './table-analysis.ts'

/** Everything that a plan depends on. */
export interface PlanContext {
  readonly uploads: readonly UploadedEntity[]
  /** The stored entity that an upload replaces, under its name or the one it was renamed from. */
  readonly storedFor: (upload: UploadedEntity) => KnownEntity | undefined
  readonly found: DatabaseSchema
  readonly analysis: TableAnalysis
  readonly renames: Renames
  readonly ddl: Ddl
  /** Quotes the name of a column. */
  readonly quote: (name: string) => string
  readonly catalog: TableCatalog
  readonly context: DefaultContext
  /** Whether rows may lose something. */
  readonly allowDestructive: boolean
}
