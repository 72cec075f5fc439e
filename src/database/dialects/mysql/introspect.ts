import { mapInSlices } from '../../../util/time-slices.ts'
import type { Column, ColumnType, DatabaseSchema, ForeignKey, Table } from '../../database-schema.ts'
import type { Connection } from '../../driver.ts'
import { ownTablePrefix, systemKey } from '../../own-tables.ts'
import type { Row } from '../../sql-value.ts'
import { sizeOf } from './column-size.ts'
import { type CatalogueType, columnTypeOf, isUnsigned, nativeTypeOf } from './types.ts'

/** Reads tables, views, columns, keys and references of the connected database, in four statements. */
export async function introspectMysql(connection: Connection): Promise<DatabaseSchema> {
  const ask = (sql: string) => connection.query({ sql, parameters: [] })
  const tables = await ask(
    "select table_name, table_type, table_comment, engine in (select engine from information_schema.engines where transactions = 'YES') from information_schema.tables where table_schema = database() and table_type <> 'SEQUENCE'",
  )
  const columns = groupByTable(
    await ask(
      'select table_name, column_name, data_type, column_type, collation_name, is_nullable, column_default, extra, column_comment from information_schema.columns where table_schema = database() order by table_name, ordinal_position',
    ),
  )
  // A key over a prefix of a column (sub_part) does not make the column unique.
  const indexes = groupByTable(
    await ask(
      'select table_name, index_name, column_name, sub_part, non_unique from information_schema.statistics where table_schema = database() order by table_name, index_name, seq_in_index',
    ),
  )
  const foreignKeys = groupByTable(
    await ask(
      'select table_name, constraint_name, column_name, referenced_table_name, referenced_column_name from information_schema.key_column_usage where table_schema = database() and referenced_table_schema = database() order by table_name, constraint_name, ordinal_position',
    ),
  )

  const served = (tables as readonly (readonly [string, string, string, unknown])[]).filter(
    ([name]) => !name.startsWith(ownTablePrefix),
  )
  const all = (
    await mapInSlices(served, ([name, type, comment, isTransactional]): Table => {
      const isView = /VIEW/.test(type)
      const wholeIndexes = keysOf(indexes.get(name) ?? [])
      const keys = keysOf((indexes.get(name) ?? []).filter((row) => Number(row[4]) === 0))
      const primaryKey = keys.get('PRIMARY') ?? []
      return {
        id: name,
        name,
        kind: isView ? 'view' : 'table',
        ...(!isView && Number(isTransactional) === 0 && { isPermanent: true as const }),
        columns: new Map(
          (columns.get(name) ?? []).map((row) => [
            row[1] as string,
            { ...columnOf(row), ...oddTexts(primaryKey) },
          ]),
        ),
        primaryKey,
        uniqueKeys: [...keys].filter(([key]) => key !== 'PRIMARY').map(([, names]) => names),
        foreignKeys: foreignKeysOf(foreignKeys.get(name) ?? []),
        indexed: new Set([...wholeIndexes.values()].flatMap((names) => names.slice(0, 1))),
        // For a view the comment is `VIEW`, or the reason why it is broken.
        ...(!isView && comment !== '' && { comment }),
      }
    })
  ).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const [found, broken] = [all.filter(hasColumns), all.filter((table) => !hasColumns(table))]
  return {
    tables: withReferencedTables(found),
    leftOut: broken.map(({ name }) => ({
      what: `view ${JSON.stringify(name)}`,
      reason: 'the database cannot tell its columns',
    })),
  }
}

/** Texts of entities are limited to those that every product can store. */
function oddTexts(primaryKey: readonly string[]): Pick<Column, 'withNul'> {
  return primaryKey.length === 1 && primaryKey[0] === systemKey ? {} : { withNul: true }
}

const hasColumns = ({ columns }: Table) => columns.size > 0

function columnOf(row: Row): Column {
  const [, name, dataType, declared, collation, nullable, defaultText, extra, comment] =
    row as readonly string[]
  const type: CatalogueType = {
    dataType: dataType ?? '',
    columnType: declared ?? '',
    collation: collation ?? null,
  }
  const columnType = columnTypeOf(type)
  const size = sizeOf(type)
  return {
    name: name ?? '',
    type: columnType,
    nativeType: nativeTypeOf(type),
    ...(isEnum(type) && { listed: listedValues(type.columnType) }),
    ...(size !== undefined && { size }),
    ...(isUnsigned(type) && { unsigned: true }),
    ...((columnType === 'date' || columnType === 'dateTime') && { zeroDates: true }),
    ...(type.dataType.toLowerCase() === 'float' && { single: true }),
    nullable: nullable === 'YES',
    hasDefault: hasDefault(defaultText ?? null, extra ?? ''),
    ...writtenBy(extra ?? '', columnType),
    ...(isStoredApart(type) && { storedApart: true }),
    ...(comment && { comment }),
  }
}

function isEnum({ dataType }: CatalogueType): boolean {
  return dataType.toLowerCase() === 'enum'
}

/** The values in the declaration of an enum, where a quotation mark is written twice: `enum('a','it''s')`. */
function listedValues(declared: string): readonly string[] {
  return [...declared.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"))
}

/** Numbers that are shown with fewer digits than they have, and invalid dates. */
function isStoredApart({ dataType }: CatalogueType): boolean {
  return ['float', 'date', 'datetime', 'timestamp'].includes(dataType.toLowerCase())
}

/** `DEFAULT_GENERATED` marks a default that is an expression. */
function writtenBy(extra: string, type: ColumnType): Pick<Column, 'written'> {
  if (type === 'other' || /(?<!default_)generated/i.test(extra)) return { written: 'never' }
  return /auto_increment/i.test(extra) ? { written: 'numbered' } : {}
}

/** MariaDB writes `NULL` if there is no default; generated and auto-increment columns need no value either. */
function hasDefault(text: string | null, extra: string): boolean {
  return (text !== null && text !== 'NULL') || /auto_increment|generated/i.test(extra)
}

/** Keys by name, each with its columns; without keys over expressions or prefixes of columns. */
function keysOf(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  const whole = [...Map.groupBy(rows, (row) => row[1] as string)].filter(([, parts]) =>
    parts.every((row) => typeof row[2] === 'string' && row[3] === null),
  )
  return new Map(whole.map(([name, parts]) => [name, parts.map((row) => row[2] as string)]))
}

function foreignKeysOf(rows: readonly Row[]): readonly ForeignKey[] {
  return [...Map.groupBy(rows, (row) => row[1]).values()].map((parts) => ({
    columns: parts.map((row) => row[2] as string),
    referencedTable: parts[0]?.[3] as string,
    referencedColumns: parts.map((row) => row[4] as string),
  }))
}

/** If the server ignores the case of table names, references may spell them differently. */
function withReferencedTables(tables: readonly Table[]): ReadonlyMap<string, Table> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const byLowerCase = new Map(tables.map((table) => [table.name.toLowerCase(), table]))
  const resolve = (key: ForeignKey): ForeignKey | undefined => {
    const referenced = byName.get(key.referencedTable) ?? byLowerCase.get(key.referencedTable.toLowerCase())
    return referenced && { ...key, referencedTable: referenced.name }
  }
  return new Map(
    tables.map((table) => [
      table.name,
      { ...table, foreignKeys: table.foreignKeys.map(resolve).filter((key) => key !== undefined) },
    ]),
  )
}

function groupByTable(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row[0] as string)
}
