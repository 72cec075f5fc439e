import type { SqlValue } from '../../../database/sql-value.ts'
import { invariant } from '../../../errors/invariant.ts'
import { evaluateDefault } from '../../definition/default-expression.ts'
import type { EntityField } from '../../definition/entity-definition.ts'
import { fieldTypes } from '../../definition/field-types/index.ts'
import type { PlanContext } from '../plan-context.ts'

/** What existing rows get: the default of a field as a column value; null if there is none. */
export function fillOf(field: EntityField, { context }: PlanContext): string | number | null {
  if (field.default === undefined) return null
  const value = evaluateDefault(field.default, field.type, context)
  if (value === null) return null
  const encoding = fieldTypes[field.type].encode(value)
  invariant(
    'value' in encoding && isFill(encoding.value),
    'a default was checked against its type when it was read',
  )
  return encoding.value
}

function isFill(value: SqlValue): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
