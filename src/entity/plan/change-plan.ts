/** What an upload would change, as plain data for people and programs. */
import type { Effort } from '../../database/dialect.ts'
import type { Statement } from '../../database/driver.ts'
import type { TableChange } from '../../database/table-change.ts'
import type { Mistake } from '../../errors/app-error.ts'
import type { UploadedEntity } from '../upload/read-upload.ts'

export interface ChangePlan {
  /** In an order in which they can be created. */
  readonly entities: readonly EntityChange[]
  /** All changes of tables in order; destructive ones come last. */
  readonly changes: readonly TableChange[]
  /** The problems that prevent the upload; empty if there are none. */
  readonly problems: readonly PlanProblem[]
}

/** Why a change is refused, with its location in the upload. */
export interface PlanProblem extends Mistake {
  /** Whether `allow_destructive` permits it. */
  readonly isAllowable: boolean
}

export interface EntityChange {
  readonly upload: UploadedEntity
  /** The name under which the entity was stored before; undefined for a new one. */
  readonly storedName: string | undefined
  /** At least one; `none` stands alone. */
  readonly steps: readonly ChangeStep[]
  /** The drift of the table from the stored definition, in sentences. */
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
  | 'deleteDefinition'
  | 'none'

export interface ChangeStep {
  readonly kind: StepKind
  /** Its field, if it has one. */
  readonly field?: string
  /** What it does, in a sentence. */
  readonly description: string
  readonly changes: readonly TableChange[]
  /** In SQL. If several steps are done together, the first of them has the statements. */
  readonly statements: readonly Statement[]
  /** What it does to rows that exist, in a sentence. */
  readonly rows: string
  /** How many rows it changes, or takes data from. */
  readonly rowCount: number
  /** Whether rows lose data: such a step needs `allow_destructive`. */
  readonly isDestructive: boolean
  /** Whether it can be undone without a loss. */
  readonly isUndoable: boolean
  readonly effort: Effort
}
