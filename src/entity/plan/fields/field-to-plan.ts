import type { Column, Table } from '../../../database/database-schema.ts'
import type { EntityDefinition, EntityField } from '../../definition/entity-definition.ts'
import type { PlanContext } from '../plan-change.ts'
import type { PlannedSteps } from '../planned-steps.ts'

/** The fields of one entity that has a table already. */
export interface FieldsToPlan {
  readonly definition: EntityDefinition
  readonly stored: EntityDefinition
  /** As it is, under the name it has. */
  readonly table: Table
  readonly planner: PlannedSteps
  readonly planContext: PlanContext
}

/** One field that is wanted, or was stored. */
export interface FieldToPlan extends FieldsToPlan {
  readonly field: EntityField
}

/** A field that has a column already. */
export interface KeptField extends FieldToPlan {
  /** As it was stored. */
  readonly before: EntityField
  readonly column: Column
}
