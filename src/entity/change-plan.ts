/** What an upload would change, as plain data that a person can read and a program can run. */
import type { Statement } from '../database/driver.ts'
import type { UploadedEntity } from './read-upload.ts'

export interface ChangePlan {
  /** In the order in which their statements must run. */
  readonly entities: readonly EntityChange[]
}

export interface EntityChange {
  readonly upload: UploadedEntity
  /** Whether the entity was stored before. */
  readonly known: boolean
  /** At least one; `none` stands alone. */
  readonly steps: readonly ChangeStep[]
}

export interface ChangeStep {
  readonly kind: 'createTable' | 'addColumn' | 'changeRules' | 'none'
  /** What is done, in a sentence. */
  readonly description: string
  readonly statements: readonly Statement[]
  /** What it does to rows that exist, in a sentence. */
  readonly rows: string
}
