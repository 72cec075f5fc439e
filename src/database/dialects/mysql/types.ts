import type { Column, ColumnType } from '../../database-schema.ts'
import type { SpecType } from '../../table-spec.ts'
import type { MysqlServer } from './server.ts'

/** The column types of tables that the gateway makes. */
export const declaredTypes: Readonly<Record<SpecType, string>> = {
  string: 'varchar(255)',
  text: 'longtext',
  smallInteger: 'smallint',
  integer: 'int',
  bigInteger: 'bigint',
  float: 'double',
  decimal: 'decimal(65,30)',
  dateTime: 'datetime(6)',
  date: 'date',
  jsonText: 'longtext',
}

/** Whether a column has the type that we declare; servers differ in the display widths of integers. */
export function hasDeclaredType(
  { nativeType }: Pick<Column, 'nativeType'>,
  type: SpecType,
  { exactCollation }: MysqlServer,
): boolean {
  const declared = declaredTypes[type]
  const isText = /^(?:varchar|longtext)/.test(declared)
  const found = nativeType.replace(/^((?:small|big)?int)\(\d+\)/, '$1')
  return found === (isText ? `${declared} collate ${exactCollation}` : declared)
}

/** The type of a column in the catalogue. */
export interface CatalogueType {
  /** `bigint` */
  readonly dataType: string
  /** `bigint(20) unsigned` */
  readonly columnType: string
  readonly collation: string | null
}

/** The native type: the type from the catalogue, and for texts the collation after it. */
export function nativeTypeOf({ columnType, collation }: CatalogueType): string {
  return collation === null ? columnType : `${columnType} collate ${collation}`
}

/**
 * Number types without sizes that unsigned ones exceed. `tinyint(1)` is a number, because others store more than two
 * values in it.
 */
const columnTypes: Readonly<Record<string, ColumnType>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  year: 'integer',
  bigint: 'bigint',
  bit: 'bigint',
  float: 'float',
  double: 'float',
  decimal: 'decimal',
  date: 'date',
  datetime: 'dateTime',
  timestamp: 'dateTime',
  time: 'time',
  char: 'string',
  varchar: 'string',
  tinytext: 'string',
  text: 'string',
  mediumtext: 'string',
  longtext: 'string',
  enum: 'string',
  set: 'string',
  uuid: 'uuid',
  json: 'json',
  binary: 'binary',
  varbinary: 'binary',
  tinyblob: 'binary',
  blob: 'binary',
  mediumblob: 'binary',
  longblob: 'binary',
}

/** The type of a column's values; `other` for types that are shown by their text form. */
export function columnTypeOf({ dataType, columnType }: CatalogueType): ColumnType {
  const name = dataType.toLowerCase()
  if (name === 'int' && isUnsigned({ dataType, columnType })) return 'bigint'
  return columnTypes[name] ?? 'other'
}

/** The first word of a native type. */
export function dataTypeOf({ nativeType }: Pick<Column, 'nativeType'>): string {
  return /^\w+/.exec(nativeType)?.[0].toLowerCase() ?? ''
}

/** The collation of a text column; undefined for a column without one. */
export function collationOf({ nativeType }: Pick<Column, 'nativeType'>): string | undefined {
  return / collate (\w+)$/.exec(nativeType)?.[1]
}

/** The character set that a collation belongs to. */
export function characterSetOf(collation: string): string {
  return collation.split('_', 1)[0] ?? collation
}

const geometryTypes: ReadonlySet<string> = new Set([
  'geometry',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'geometrycollection',
  'geomcollection',
])

export function isGeometry(column: Column): boolean {
  return geometryTypes.has(dataTypeOf(column))
}

/** Decimal places: of a decimal, or of the seconds in a date and time. */
export function scaleOf({ nativeType, type }: Column): number {
  const pattern = type === 'decimal' ? /^\w+\(\d+,(\d+)\)/ : /^\w+\((\d+)\)/
  return Number(pattern.exec(nativeType)?.[1] ?? 0)
}

/** The type as which listed values are read from JSON text, before they are compared with the column. */
export function listItemType(column: Column): string {
  switch (column.type) {
    case 'integer':
    case 'bigint':
    case 'boolean':
      return column.unsigned ? 'bigint unsigned' : 'bigint'
    case 'float':
      return 'double'
    case 'decimal':
      return `decimal(65,${listedScaleOf(column)})`
    case 'dateTime':
      return declaredTypes.dateTime
    case 'date':
      return declaredTypes.date
    case 'time':
      return 'time(6)'
    case 'string':
      return `${textType(column)} character set utf8mb4`
    default:
      return 'longtext character set utf8mb4'
  }
}

/** How many decimal places a listed decimal may have, beside all integer digits that the column can have. */
export function listedScaleOf({ nativeType }: Pick<Column, 'nativeType'>): number {
  const [, precision = '65', scale = '0'] = /^\w+\((\d+),(\d+)\)/.exec(nativeType) ?? []
  return Math.min(30, 65 - (Number(precision) - Number(scale)))
}

/** One character longer than the column allows: a longer text is truncated to one that equals nothing in the column. */
function textType(column: Column): string {
  const length = /^(?:var)?char\((\d+)\)/.exec(column.nativeType)?.[1]
  if (length !== undefined && Number(length) < 16_000) return `varchar(${Number(length) + 1})`
  return dataTypeOf(column) === 'enum' ? 'varchar(256)' : 'longtext'
}

/** Whether a number type is unsigned. */
export function isUnsigned({
  dataType,
  columnType,
}: Pick<CatalogueType, 'dataType' | 'columnType'>): boolean {
  return dataType === 'bit' || /\) unsigned|^\w+ unsigned/.test(columnType)
}
