import { ownMember } from '../../../util/own-member.ts'
import type { Column, ColumnType } from '../../database-schema.ts'
import type { SpecType } from '../../table-spec.ts'

/** The column types of tables that the gateway makes. Texts compare by code point. */
export const declaredTypes: Readonly<Record<SpecType, string>> = {
  string: 'varchar(255) collate "C"',
  text: 'text collate "C"',
  smallInteger: 'smallint',
  integer: 'integer',
  bigInteger: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  dateTime: 'timestamp(6)',
  date: 'date',
  jsonText: 'text collate "C"',
}

const nativeTypes: Readonly<Record<SpecType, string>> = {
  string: 'character varying exact',
  text: 'text exact',
  smallInteger: 'smallint',
  integer: 'integer',
  bigInteger: 'bigint',
  float: 'double precision',
  decimal: 'numeric',
  dateTime: 'timestamp without time zone',
  date: 'date',
  jsonText: 'text exact',
}

/** The native type that introspection finds for a declared type. */
export function nativeTypeOfSpec(type: SpecType): string {
  return nativeTypes[type]
}

/** The type of a column in the catalogue; of a domain, its base type. */
export interface CatalogueType {
  /** As `format_type` names it, without a size: `character varying`, `integer[]`, `other_schema.mood`. */
  readonly name: string
  /** `pg_type.typtype`: `e` for an enum. */
  readonly kind: string
  /** `pg_type.typcategory`: `A` for an array. */
  readonly category: string
  readonly collation: Collation
}

/**
 * How the database compares the texts of a column: `exact` by code point, `deterministic` in its own order though only
 * identical texts are equal, `loose` if other texts are equal, too.
 */
export type Collation = 'none' | 'exact' | 'deterministic' | 'loose'

const columnTypes: Readonly<Record<string, ColumnType>> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'bigint',
  oid: 'bigint',
  real: 'float',
  'double precision': 'float',
  numeric: 'decimal',
  text: 'string',
  'character varying': 'string',
  character: 'string',
  name: 'string',
  '"char"': 'string',
  uuid: 'uuid',
  'timestamp without time zone': 'dateTime',
  'timestamp with time zone': 'dateTime',
  date: 'date',
  'time without time zone': 'time',
  'time with time zone': 'time',
  json: 'json',
  jsonb: 'json',
  bytea: 'binary',
}

/** The type of a column's values; `other` for types that are shown by their text form. */
export function columnTypeOf({ name, kind, category }: CatalogueType): ColumnType {
  if (kind === 'e' || isCaseIgnoring(name)) return 'string'
  if (category === 'A' && name.endsWith('[]')) return 'json'
  return ownMember(columnTypes, name) ?? 'other'
}

/** The native type: the type's name, and for texts how the database compares them. */
export function nativeTypeOf({ name, collation }: CatalogueType): string {
  return collation === 'none' ? name : `${name} ${collation}`
}

const unboundedTypes: ReadonlySet<ColumnType> = new Set(['float', 'decimal', 'date', 'dateTime'])

/** Whether the type has infinite values, NaN, or dates of any year. */
export function isUnbounded(type: ColumnType): boolean {
  return unboundedTypes.has(type)
}

/** Whether unequal values of the type are shown alike: times of day of the same moment with different offsets. */
export function isShownAlike({ name }: Pick<CatalogueType, 'name'>): boolean {
  return name === 'time with time zone'
}

/** The name of a column's type. */
export function typeName({ nativeType }: Pick<Column, 'nativeType'>): string {
  return nativeType.replace(/ (?:exact|deterministic|loose)$/, '')
}

export function collationOf({ nativeType }: Pick<Column, 'nativeType'>): Collation {
  const collation = / (exact|deterministic|loose)$/.exec(nativeType)?.[1]
  return (collation ?? 'none') as Collation
}

export function isArray(column: Pick<Column, 'nativeType'>): boolean {
  return typeName(column).endsWith('[]')
}

/** Whether values of the type are texts without a cast. */
export function isPlainText(column: Pick<Column, 'nativeType'>): boolean {
  return ['text', 'character varying'].includes(typeName(column))
}

/** Text types that, independent of collation, treat different texts as equal: case-insensitive, or blank-padded. */
export function isLooseText(column: Pick<Column, 'nativeType'>): boolean {
  const name = typeName(column)
  return name === 'character' || isCaseIgnoring(name) || collationOf(column) === 'loose'
}

function isCaseIgnoring(name: string): boolean {
  return /(?:^|\.)citext$/.test(name)
}

/** The type in which listed values are compared with the column; with a size they would be truncated. */
export function listItemType(column: Column): string {
  const name = typeName(column)
  if (column.type === 'integer' || column.type === 'bigint') return 'bigint'
  if (name === 'character') return 'bpchar'
  // Without quotes, `bit` means `bit(1)`.
  if (name === 'bit') return 'pg_catalog."bit"'
  if (name === 'character varying' || column.type === 'json') return 'text'
  return name
}
