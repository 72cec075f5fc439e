import type { Column, Table } from '../database/database-schema.ts'
import type { AllowedValues, FieldRule, Reference, WriteRules } from '../query/write-rules.ts'
import { encodedEnum } from './check-field.ts'
import { evaluateDefault } from './default-expression.ts'
import type { EntityDefinition, EntityField } from './entity-definition.ts'
import { fieldTypes } from './field-types/index.ts'

/** The rules for writing records of an entity; `tableOf` finds a table of the connected database. */
export function writeRulesOf(
  definition: EntityDefinition,
  tableOf: (name: string) => Table | undefined,
): WriteRules {
  const columns = tableOf(definition.name)?.columns
  const rules = definition.fields.map((field) => fieldRuleOf(field, columns?.get(field.name), tableOf))
  return { identifier: definition.identifier, fields: new Map(rules.map((rule) => [rule.name, rule])) }
}

function fieldRuleOf(
  field: EntityField,
  column: Column | undefined,
  tableOf: (name: string) => Table | undefined,
): FieldRule {
  const { name, type, kind, nullable, immutable, unique, default: expression } = field
  return {
    name,
    column: field.persistence ? column : undefined,
    codec: fieldTypes[type],
    // The column of the identifier takes null, for rows of other programs; a record of ours always has one.
    nullable: nullable && kind !== 'identifier',
    immutable,
    unique,
    defaultOf: expression && ((context) => evaluateDefault(expression, type, context)),
    constantDefault: expression?.kind === 'literal' ? { value: expression.value } : undefined,
    allowed: allowedValuesOf(field),
    reference: referenceOf(field, tableOf),
  }
}

function allowedValuesOf({ enum: values, type }: EntityField): AllowedValues | undefined {
  return values && { shown: values, encoded: encodedEnum(values, type) }
}

function referenceOf(
  { reference, persistence }: EntityField,
  tableOf: (name: string) => Table | undefined,
): Reference | undefined {
  if (reference === undefined || !persistence) return undefined
  const table = tableOf(reference.entity)
  const column = table?.columns.get(reference.field)
  return table && column && { table, column }
}
