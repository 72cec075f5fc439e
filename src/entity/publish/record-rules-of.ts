import type { Column, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import { heldTime } from '../../query/held-time.ts'
import { isKeyOf } from '../../record/key-checks.ts'
import { type FieldRule, type Reference, systemColumns, type WriteRules } from '../../record/record-rules.ts'
import { codecOfColumn, codecOfOwnColumn } from '../adopt/foreign-columns.ts'
import { withinSize } from '../adopt/within-size.ts'
import { encodedEnum } from '../definition/check-field.ts'
import { evaluateDefault } from '../definition/default-expression.ts'
import type { EntityDefinition, EntityField } from '../definition/entity-definition.ts'
import { columnSpecOf } from '../plan/table-spec-of.ts'

/** The tables of the connected database. */
export interface RuleTables {
  /** The table of an entity. */
  readonly tableOf: (name: string) => Table | undefined
  /** All that are served, by id. */
  readonly tables: ReadonlyMap<string, Table>
}

/** The rules for writing records of an entity. */
export function writeRulesOf(
  definition: EntityDefinition,
  { tableOf, tables }: RuleTables,
  ddl: Pick<Ddl, 'hasType'>,
): WriteRules {
  const { key, adopted } = definition
  const table = tableOf(definition.name)
  const columns = table?.columns
  const rules = definition.fields.map((field) =>
    fieldRuleOf({ field, isKey: key.includes(field.name), column: columns?.get(field.name) }, tableOf, ddl),
  )
  const defined = rules.flatMap(({ reference }) => reference ?? [])
  return {
    key,
    systemColumns: adopted === undefined ? systemColumns : [],
    fields: new Map(rules.map((rule) => [rule.name, rule])),
    references: [...defined, ...furtherReferences(table, defined, tables)],
  }
}

interface FieldOfTable {
  readonly field: EntityField
  readonly isKey: boolean
  readonly column: Column | undefined
}

function fieldRuleOf(
  { field, isKey, column }: FieldOfTable,
  tableOf: (name: string) => Table | undefined,
  ddl: Pick<Ddl, 'hasType'>,
): FieldRule {
  const { name, type, nullable, immutable, unique, default: expression } = field
  // For a column of another program the database decides which values are valid, and the default.
  const isOwn =
    field.column === undefined && (column === undefined || ddl.hasType(column, columnSpecOf(field)))
  const foreign = isOwn ? undefined : column
  const isText = field.column === undefined && foreign?.type === 'string'
  const codecOfType =
    foreign === undefined || isText ? codecOfOwnColumn(column, type) : codecOfColumn(foreign, type)
  const codec = foreign === undefined ? codecOfType : withinSize(codecOfType, foreign)
  return {
    name,
    type,
    column: field.persistence ? column : undefined,
    isMissing: field.persistence && column === undefined,
    codec,
    // The column of a key may be nullable, for rows of other programs; a record of the gateway always has a value.
    nullable: nullable && !isKey,
    isReadOnly: foreign?.written === 'never',
    isFilled: foreign !== undefined && (foreign.hasDefault || foreign.written === 'numbered'),
    immutable,
    unique,
    default: expression,
    defaultOf:
      expression &&
      ((context) => evaluateDefault(expression, type, { ...context, now: heldTime(context.now, foreign) })),
    allowed: field.enum && { shown: field.enum, encoded: encodedEnum(field.enum, codec) },
    reference: referenceOf(field, tableOf),
  }
}

function referenceOf(
  { name, reference, persistence }: EntityField,
  tableOf: (name: string) => Table | undefined,
): Reference | undefined {
  if (reference === undefined || !persistence) return undefined
  const table = tableOf(reference.entity)
  const column = table?.columns.get(reference.field)
  return table && column && { names: [name], table, columns: [column] }
}

/** The foreign keys of a table that the definition does not have as references. */
function furtherReferences(
  table: Table | undefined,
  defined: readonly Reference[],
  tables: ReadonlyMap<string, Table>,
): readonly Reference[] {
  return (table?.foreignKeys ?? []).flatMap((key) => {
    const { columns: names, referencedTable, referencedColumns } = key
    const target = tables.get(referencedTable)
    const columns = referencedColumns.flatMap((name) => target?.columns.get(name) ?? [])
    const isWhole = columns.length === names.length
    if (target === undefined || !isWhole || defined.some((reference) => isKeyOf(key, reference))) return []
    return { names, table: target, columns }
  })
}
