/** What an upload would change, as plain data that a person can read and a program can run. */
import type { Effort } from '../../database/dialect.ts'
import type { Statement } from '../../database/driver.ts'
import type { TableChange } from '../../database/table-change.ts'
import type { Mistake } from '../../errors/app-error.ts'
import type { UploadedEntity } from '../upload/read-upload.ts'

export interface ChangePlan {
  /** In an order in which they can be made. */
  readonly entities: readonly EntityChange[]
  /** All changes of tables in the order in which they are made; those that take something away for good come last. */
  readonly changes: readonly TableChange[]
  /** What keeps the upload from being carried out; empty where it would be. */
  readonly problems: readonly PlanProblem[]
}

/** Why a change is refused, with its place in the upload. */
export interface PlanProblem extends Mistake {
  /** Whether `allow_destructive` makes it go through. */
  readonly isAllowable: boolean
}

export interface EntityChange {
  readonly upload: UploadedEntity
  /** The name under which the entity was stored before; undefined for a new one. */
  readonly storedName: string | undefined
  /** At least one; `none` stands alone. */
  readonly steps: readonly ChangeStep[]
  /** Where the table is not what the stored definition made of it, in sentences. */
  readonly drift: readonly string[]
}

export type StepKind =
  | 'createTable'
  | 'adoptTable'
  | 'takeTable'
  | 'dropTable'
  | 'renameTable'
  | 'addColumn'
  | 'dropColumn'
  | 'renameColumn'
  | 'changeType'
  | 'allowNull'
  | 'forbidNull'
  | 'addUnique'
  | 'dropUnique'
  | 'addReference'
  | 'dropReference'
  | 'changeIdentifier'
  | 'changeRules'
  | 'none'

export interface ChangeStep {
  readonly kind: StepKind
  /** The field it is about, where it is about one. */
  readonly field?: string
  /** What is done, in a sentence. */
  readonly description: string
  readonly changes: readonly TableChange[]
  /** In the words of the database. Where several steps are done together, the first of them has the statements. */
  readonly statements: readonly Statement[]
  /** What it does to rows that exist, in a sentence. */
  readonly rows: string
  /** How many rows it changes, or takes something from. */
  readonly rowCount: number
  /** Whether rows lose something: such a step needs `allow_destructive`. */
  readonly isDestructive: boolean
  /** Whether it can be undone without a loss. */
  readonly isUndoable: boolean
  readonly effort: Effort
}
