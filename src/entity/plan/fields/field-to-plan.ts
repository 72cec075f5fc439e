import type { Column, Table } from '../../../database/database-schema.ts'
import type { EntityDefinition, EntityField } from '../../definition/entity-definition.ts'
import type { PlanContext } from '../plan-context.ts'
import type { PlannedSteps } from '../planned-steps.ts'

/** The fields of one entity that already has a table. */
export interface FieldsToPlan {
  readonly definition: EntityDefinition
  readonly stored: EntityDefinition
  /** As it is, under its current name. */
  readonly table: Table
  readonly planner: PlannedSteps
  readonly planContext: PlanContext
}

/** A wanted field, or a stored one. */
export interface FieldToPlan extends FieldsToPlan {
  readonly field: EntityField
}

/** A field that already has a column. */
export interface KeptField extends FieldToPlan {
  /** As it was stored. */
  readonly before: EntityField
  readonly column: Column
}
