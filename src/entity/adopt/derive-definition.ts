/** Derives the definition that would have made an existing table, or says why there is none. */
import type { Column, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import { systemColumns } from '../../record/record-rules.ts'
import { type FieldTypeName, fieldTypes } from '../definition/field-types/index.ts'
import { isUnique, referenceOf } from '../plan/drift.ts'
import { isMadeByOthers } from '../plan/table-spec-of.ts'
import { takesField } from './foreign-columns.ts'

/** A definition in the form of an upload, or sentences that say what prevents it. */
export type DerivedDefinition =
  | {
      readonly definition: Readonly<Record<string, unknown>>
      /** What of the table is missing in it, or may be unexpected, in sentences. */
      readonly warnings: readonly string[]
    }
  | { readonly refused: readonly string[] }

/** If a column fits several types, the one that keeps its values unchanged: a text stays a text. */
const preferredTypes = [
  'string',
  'text',
  'integer',
  'float',
  'decimal',
  'boolean',
  'DateTime',
  'Date',
] as const satisfies readonly FieldTypeName[]

/**
 * Derives the definition of a table that was made from one. Rules that a table does not show (immutable, enum, default)
 * are omitted.
 */
export function deriveDefinition(table: Table, ddl: Pick<Ddl, 'hasType'>): DerivedDefinition {
  const refused: string[] = []
  const warnings: string[] = []
  const isTaken = isMadeByOthers(table, ddl)
  const fields = [...table.columns.values()]
    .filter(({ name }) => !systemColumns.some((system) => system === name))
    .flatMap((column) => {
      const type = typeOf(column, table, ddl)
      if (type === undefined) {
        const detail = `The column "${column.name}" is of type ${column.nativeType}, which fits no field type.`
        if (isTaken && (column.nullable || column.hasDefault)) warnings.push(`${detail} It is left out.`)
        else refused.push(detail)
      }
      return type === undefined ? [] : [{ column, type }]
    })
  const identifier = identifierOf(fields, table, isTaken)
  if (typeof identifier === 'string') refused.push(identifier)
  if (typeof identifier === 'string' || refused.length > 0) return { refused }
  const others = fields.filter((field) => field !== identifier)
  const isReference = ({ column }: TypedColumn) => referenceOf(table, column.name) !== undefined
  return {
    warnings,
    definition: {
      name: table.name,
      attributes: {
        identifier: { field_name: identifier.column.name, field_type: identifier.type },
        local_fields: others.filter((field) => !isReference(field)).map((field) => fieldOf(field, table)),
        ref_fields: others.filter(isReference).map((field) => fieldOf(field, table)),
      },
    },
  }
}

interface TypedColumn {
  readonly column: Column
  readonly type: FieldTypeName
}

function typeOf(column: Column, table: Table, ddl: Pick<Ddl, 'hasType'>): FieldTypeName | undefined {
  const isKey = isUnique(table, column.name) || referenceOf(table, column.name) !== undefined
  const able = preferredTypes.filter((type) => fieldTypes[type].mayBeKey || !isKey)
  const own = able.find((type) =>
    ddl.hasType(column, {
      name: column.name,
      type: fieldTypes[type].column,
      nullable: column.nullable,
    }),
  )
  if (own !== undefined) return own
  const taken = able.filter((type) => takesField(column, type))
  return isLong(column) && taken.includes('text') ? 'text' : taken[0]
}

/** Whether another program allowed longer texts than a string. */
function isLong({ nativeType }: Column): boolean {
  const [, length] = /char\w*\((\d+)\)/i.exec(nativeType) ?? []
  return length === undefined ? /text|clob/i.test(nativeType) : Number(length) > 255
}

/** The only column that can identify records, or "id" if there are several; otherwise a sentence that says so. */
function identifierOf(fields: readonly TypedColumn[], table: Table, isTaken: boolean): TypedColumn | string {
  const candidates = fields.filter(
    ({ column, type }) =>
      (type === 'string' || type === 'integer') &&
      (column.nullable || isTaken) &&
      isUnique(table, column.name) &&
      referenceOf(table, column.name) === undefined,
  )
  const [only] = candidates
  const named = candidates.find(({ column }) => column.name === 'id')
  if (named !== undefined) return named
  if (only !== undefined && candidates.length === 1) return only
  return candidates.length === 0
    ? 'The table has no column that could be the identifier: a nullable text or integer with a unique key of its own.'
    : `Several columns could be the identifier: ${candidates.map(({ column }) => `"${column.name}"`).join(', ')}. Send the definition instead of the name.`
}

function fieldOf({ column, type }: TypedColumn, table: Table): Readonly<Record<string, unknown>> {
  const reference = referenceOf(table, column.name)
  return {
    field_name: column.name,
    field_type: type,
    field_nullable: column.nullable,
    field_unique: isUnique(table, column.name),
    ...(reference !== undefined && {
      ref_class: reference.referencedTable,
      ref_class_field: reference.referencedColumns[0],
    }),
  }
}
