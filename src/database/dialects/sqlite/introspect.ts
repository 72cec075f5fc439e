import { TimeSlices } from '../../../util/time-slices.ts'
import { DatabaseError } from '../../database-error.ts'
import type {
  Affinity,
  Column,
  ColumnType,
  DatabaseSchema,
  ForeignKey,
  LeftOut,
  Table,
} from '../../database-schema.ts'
import type { Connection } from '../../driver.ts'
import { ownTablePrefix, systemKey } from '../../own-tables.ts'
import type { Row } from '../../sql-value.ts'
import { affinityOf, collatedType, columnTypeOf, declaredTypes, exactDecimal } from './types.ts'

/** Reads tables, views, columns, keys and references by SQLite's table-valued pragmas, in few statements. */
export async function introspectSqlite(connection: Connection): Promise<DatabaseSchema> {
  const ask = (sql: string) => connection.query({ sql, parameters: [] })
  const tables = await ask(
    "select l.name, l.type, s.sql, l.wr, l.strict from temp.pragma_table_list l join sqlite_schema s on s.name = l.name where l.schema = 'main' and l.type in ('table', 'view', 'virtual') order by l.name",
  )
  const { columns, leftOut } = await readColumns(connection, tables)
  const uniqueKeys = groupByTable(
    await ask(
      `select t.name, i.seq, c.name from ${served} join temp.pragma_index_list(t.name) i join temp.pragma_index_info(i.name) c where i."unique" = 1 and i.partial = 0 and i.origin <> 'pk' order by t.name, i.seq desc, c.seqno`,
    ),
  )
  const keyIndexes = new Set(
    (
      await ask(`select t.name from ${served} join temp.pragma_index_list(t.name) i where i.origin = 'pk'`)
    ).map(([name]) => name),
  )
  const foreignKeys = groupByTable(
    await ask(
      `select t.name, f.id, f."table", f."from", f."to" from ${served} join temp.pragma_foreign_key_list(t.name) f order by t.name, f.id desc, f.seq`,
    ),
  )

  const slices = new TimeSlices()
  const found = new Map<string, Table>()
  for (const [name, type, definition, withoutRowid, strict] of tables as readonly (readonly [
    string,
    string,
    string,
    number,
    number,
  ])[]) {
    if (slices.isOver) await slices.next()
    if (name.startsWith(ownTablePrefix) || name.startsWith('sqlite_')) continue
    const rows = columns.get(name)
    if (rows === undefined) continue
    const collated = type === 'view' || /\bcollate\b/i.test(definition)
    const kept = strict === 1 ? 'exact' : isEntityTable(rows) ? 'ours' : 'loose'
    const isNumbered = type === 'table' && withoutRowid === 0
    const own = new Map(
      rows.map((row): [string, Column] => {
        const isNumber = !keyIndexes.has(name) && isRowNumber(row, rows)
        return [row[1] as string, columnOf(row, collated, isNumber, kept)]
      }),
    )
    const primaryKey = rows
      .filter((row) => row[5] !== 0)
      .sort((a, b) => Number(a[5]) - Number(b[5]))
      .map((row) => row[1] as string)
    found.set(name, {
      id: name,
      name,
      kind: type === 'view' ? 'view' : 'table',
      ...(resolvesConflicts.test(definition) && { resolvesConflicts: true }),
      ...(isNumbered && { rowNumbered: true }),
      ...(isNumbered && rowNumberOf(own, primaryKey)),
      columns: own,
      primaryKey,
      uniqueKeys: uniqueKeysOf(uniqueKeys.get(name) ?? []),
      foreignKeys: foreignKeysOf(foreignKeys.get(name) ?? []),
    })
  }
  const shadows = await ask(
    "select name from temp.pragma_table_list where schema = 'main' and type = 'shadow' order by name",
  )
  return { tables: withReferencedKeys(found), leftOut: [...leftOut, ...shadowsLeftOut(shadows)] }
}

/**
 * The columns of each table. For a view or a virtual table SQLite evaluates its definition, which fails if something
 * it depends on is missing: those are read one by one.
 */
async function readColumns(
  connection: Connection,
  tables: readonly Row[],
): Promise<{ readonly columns: ReadonlyMap<string, readonly Row[]>; readonly leftOut: readonly LeftOut[] }> {
  const query = (condition: string, parameters: readonly string[] = []) =>
    connection.query({ sql: columnsSql(condition), parameters, mayFail: true })
  const columns = groupByTable(await query("type = 'table'"))
  const leftOut: LeftOut[] = []
  for (const [name, type] of tables as readonly (readonly [string, string])[]) {
    if (type === 'table') continue
    try {
      columns.set(name, [...(await query('name = ?1', [name]))])
    } catch (error) {
      const kinds = ['statement', 'schemaChanged', 'triggerFailed']
      if (!(error instanceof DatabaseError && kinds.includes(error.kind))) throw error
      leftOut.push({ what: `${type} ${JSON.stringify(name)}`, reason: error.message })
    }
  }
  return { columns, leftOut }
}

/** The shadow tables of virtual tables: reported in one line for all of them. */
function shadowsLeftOut(shadows: readonly Row[]): readonly LeftOut[] {
  if (shadows.length === 0) return []
  const names = shadows.slice(0, 10).map(([name]) => JSON.stringify(name))
  const more = shadows.length - names.length
  const what = `tables ${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`
  return [{ what, reason: 'virtual tables keep their data in them' }]
}

const columnsSql = (condition: string) =>
  `select t.name, c.name, c.type, c."notnull", c.dflt_value is not null, c.pk, c.hidden from (select name from temp.pragma_table_list where schema = 'main' and ${condition}) t join temp.pragma_table_xinfo(t.name) c where c.hidden <> 1 order by t.name, c.cid`

const served = "(select name from temp.pragma_table_list where schema = 'main' and type <> 'shadow') t"

/**
 * A primary key of one INTEGER column without a separate index is the rowid:
 * https://www.sqlite.org/lang_createtable.html#rowid
 */
function isRowNumber([, , type, , , key]: Row, rows: readonly Row[]): boolean {
  const isOnly = rows.filter((row) => row[5] !== 0).length === 1
  return key === 1 && isOnly && /^INTEGER$/i.test(type as string)
}

/** Whether the table has the key of an entity's table: writers of such tables respect the column types. */
function isEntityTable(rows: readonly Row[]): boolean {
  const [key, ...others] = rows.filter((row) => row[5] !== 0)
  return others.length === 0 && key?.[1] === systemKey && key[2] === declaredTypes.string
}

/** Which kinds of values a column accepts beside those of its type. */
function looseOf(type: string, kept: 'exact' | 'ours' | 'loose'): Affinity | undefined {
  // In strict tables the type ANY accepts any value, and stores it unchanged.
  if (kept === 'exact') return /^ANY$/i.test(type) ? 'none' : undefined
  return kept === 'ours' || type === exactDecimal ? undefined : affinityOf(type)
}

/**
 * Whether the values of a column are read in the form in which they are stored and compared: texts, possibly with bytes
 * among them.
 */
function isReadAsStored(type: ColumnType, collated: boolean, loose: Affinity | undefined): boolean {
  return type === 'string' && !collated && (loose === undefined || loose === 'text')
}

/**
 * The rowid by a name that no column has, if the primary key may contain nulls, as SQLite allows, or there is none:
 * https://www.sqlite.org/quirks.html#primary_keys_can_sometimes_contain_nulls
 */
function rowNumberOf(
  columns: ReadonlyMap<string, Column>,
  primaryKey: readonly string[],
): Pick<Table, 'rowNumber'> {
  const nullable = primaryKey.filter((name) => columns.get(name)?.nullable !== false)
  if (primaryKey.length > 0 && nullable.length === 0) return {}
  const taken = new Set([...columns.keys()].map((name) => name.toLowerCase()))
  const name = ['rowid', '_rowid_', 'oid'].find((free) => !taken.has(free))
  if (name === undefined) return {}
  return {
    rowNumber: {
      name,
      type: 'bigint',
      nativeType: 'INTEGER',
      nullable: false,
      hasDefault: true,
      written: 'never',
      ...(nullable.length > 0 && { onlyWithout: nullable }),
    },
  }
}

function columnOf(
  [, name, type, notNull, hasDefault, , hidden]: Row,
  collated: boolean,
  isRowNumber: boolean,
  kept: 'exact' | 'ours' | 'loose',
): Column {
  const columnType = columnTypeOf(type as string)
  const loose = isRowNumber ? undefined : looseOf(type as string, kept)
  return {
    name: name as string,
    type: columnType,
    nativeType: collated && columnType === 'string' ? collatedType(type as string) : (type as string),
    // A rowid is never null, whatever the catalogue says.
    nullable: notNull === 0 && !isRowNumber,
    hasDefault: hasDefault === 1,
    ...(isRowNumber && { written: 'numbered' }),
    ...(!(isRowNumber || isReadAsStored(columnType, collated, loose)) && { storedApart: true }),
    ...(loose !== undefined && { loose }),
    // Generated columns are partly hidden. A column that may contain anything is read as a text, though the stored
    // value may not be one.
    ...((hidden !== 0 || columnType === 'other') && { written: 'never' }),
  }
}

/** Only `abort` refuses the statement and nothing else: https://www.sqlite.org/lang_conflict.html */
const resolvesConflicts = /\bon\s+conflict\s+(?:rollback|fail|ignore|replace)\b/i

function uniqueKeysOf(rows: readonly Row[]): readonly (readonly string[])[] {
  const keys = [...Map.groupBy(rows, (row) => row[1]).values()]
  // An index over an expression has columns without a name: references cannot use it as a key.
  return keys
    .filter((parts) => parts.every((row) => typeof row[2] === 'string'))
    .map((parts) => parts.map((row) => row[2] as string))
}

function foreignKeysOf(rows: readonly Row[]): readonly ForeignKey[] {
  return [...Map.groupBy(rows, (row) => row[1]).values()].map((parts) => ({
    columns: parts.map((row) => row[3] as string),
    referencedTable: parts[0]?.[2] as string,
    referencedColumns: parts.map((row) => row[4] as string).filter((name) => name !== null),
  }))
}

/** References without columns mean the primary key; references to missing tables are left out. */
function withReferencedKeys(tables: ReadonlyMap<string, Table>): ReadonlyMap<string, Table> {
  const byLowerCase = new Map([...tables.values()].map((table) => [table.name.toLowerCase(), table]))
  const resolve = (key: ForeignKey): ForeignKey | undefined => {
    const referenced = byLowerCase.get(key.referencedTable.toLowerCase())
    if (referenced === undefined) return undefined
    const columns = key.referencedColumns.length > 0 ? key.referencedColumns : referenced.primaryKey
    if (columns.length !== key.columns.length) return undefined
    return { columns: key.columns, referencedTable: referenced.name, referencedColumns: columns }
  }
  return new Map(
    [...tables].map(([name, table]) => [
      name,
      { ...table, foreignKeys: table.foreignKeys.map(resolve).filter((key) => key !== undefined) },
    ]),
  )
}

function groupByTable(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row[0] as string)
}
