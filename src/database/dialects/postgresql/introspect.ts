import { TimeSlices } from '../../../util/time-slices.ts'
import type { Column, DatabaseSchema, ForeignKey, LeftOut, Table } from '../../database-schema.ts'
import type { Connection } from '../../driver.ts'
import { ownTablePrefix } from '../../own-tables.ts'
import type { Row } from '../../sql-value.ts'
import { sizeOf } from './column-size.ts'
import { arrayText } from './key-list.ts'
import { type Collation, columnTypeOf, isShownAlike, isUnbounded, nativeTypeOf } from './types.ts'

/**
 * Reads tables, views, columns, enums, keys and references of some schemas, in five statements. Tables in the first schema
 * need no schema for a unique name. A partition is part of its table, not a separate table.
 */
export async function introspectPostgresql(
  connection: Connection,
  schemas: readonly string[],
): Promise<DatabaseSchema> {
  const ask = (sql: string) => connection.query({ sql, parameters: [arrayText(schemas)] })
  const tables = await ask(tablesSql)
  const columns = groupByOid(await ask(columnsSql))
  const enums = valuesByType(await connection.query({ sql: enumsSql, parameters: [] }))
  const keys = groupByOid(await ask(keysSql))
  const references = groupByOid(await ask(referencesSql))

  const idByOid = new Map<string, string>()
  const leftOut: LeftOut[] = []
  const found: { readonly oid: string; readonly table: Table }[] = []
  const slices = new TimeSlices()
  // Processing the columns took a while.
  await slices.next()
  for (const row of tables) {
    if (slices.isOver) await slices.next()
    const [oid, schema, name, kind, comment, readable, populated, isPlain] = row as readonly string[] &
      readonly number[]
    const table = tableOf(
      { schema: String(schema), name: String(name), kind: String(kind), comment, isPlain: isPlain === 1 },
      schemas,
      columns.get(String(oid)) ?? [],
      enums,
      keys.get(String(oid)) ?? [],
    )
    const reason = readable === 0 ? 'this user may not read it' : reasonAgainst(table, populated !== 0)
    if (reason === undefined) {
      idByOid.set(String(oid), table.id)
      found.push({ oid: String(oid), table })
    } else {
      leftOut.push({ what: describe(table), reason })
    }
  }
  for (const row of tables) leftOut.push(...unreadableColumns(columns.get(String(row[0])) ?? [], row))

  const complete = found.map(({ oid, table }) => ({
    ...table,
    foreignKeys: foreignKeysOf(references.get(oid) ?? [], idByOid),
  }))
  complete.sort((a, b) => (a.id < b.id ? -1 : 1))
  return { tables: new Map(complete.map((table) => [table.id, table])), leftOut, schemas }
}

const ownTables = ownTablePrefix.replaceAll('_', '\\_')

/** Tables, partitioned and foreign ones, views and materialized views. */
const servedSql = `pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any($1::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and c.relname not like '${ownTables}%'`

const tablesSql = `
select c.oid::text, n.nspname, c.relname, c.relkind::text, obj_description(c.oid, 'pg_class'),
  has_schema_privilege(n.oid, 'usage') and has_any_column_privilege(c.oid, 'select'), c.relispopulated,
  c.relkind = 'r' and not c.relhasrules and not c.relhassubclass and not c.relrowsecurity
    and not exists (select from pg_trigger t where t.tgrelid = c.oid and (not t.tgisinternal or t.tginitdeferred))
from ${servedSql}
order by n.nspname, c.relname`

/**
 * For a column whose type is a domain: the base type below all domains. PostgreSQL has to see that there are few
 * domains: it JIT-compiles statements that it estimates to be expensive, which takes seconds.
 */
const columnsSql = `
with recursive base as (
  select oid as domain, oid, typbasetype, typtype, typcategory, typnotnull, typtypmod from pg_type where typtype = 'd'
  union all
  select base.domain, t.oid, t.typbasetype, t.typtype, t.typcategory, base.typnotnull or t.typnotnull,
    case when base.typtypmod >= 0 then base.typtypmod else t.typtypmod end
  from base join pg_type t on t.oid = base.typbasetype where base.typtype = 'd'
)
select c.oid::text, a.attname, format_type(coalesce(base.oid, own.oid), null),
  coalesce(base.typtype, own.typtype)::text, coalesce(base.typcategory, own.typcategory)::text,
  a.attnotnull or coalesce(base.typnotnull, false),
  a.atthasdef or a.attidentity <> '' or own.typdefault is not null,
  case
    when a.attcollation = 0 then 'none'
    when not l.collisdeterministic then 'loose'
    when l.collname in ('C', 'POSIX', 'ucs_basic') or l.collname = 'default' and d.datcollate in ('C', 'POSIX') and d.encoding = 6
      then 'exact'
    else 'deterministic'
  end,
  col_description(c.oid, a.attnum), has_column_privilege(c.oid, a.attnum, 'select'),
  a.attgenerated <> '' or a.attidentity = 'a', coalesce(base.oid, own.oid)::text, coalesce(base.typtypmod, a.atttypmod)
from pg_attribute a
  join pg_type own on own.oid = a.atttypid
  left join base on base.domain = a.atttypid and base.typtype <> 'd'
  left join pg_collation l on l.oid = a.attcollation
  join pg_database d on d.datname = current_database(),
  ${servedSql} and c.oid = a.attrelid and a.attnum > 0 and not a.attisdropped
order by c.oid, a.attnum`

/** All of them: few databases have many. */
const enumsSql = 'select enumtypid::text, enumlabel from pg_enum order by enumtypid, enumsortorder'

/** Keys over whole columns of all rows; the included columns of an index are not part of its key. */
const keysSql = `
select c.oid::text, i.indexrelid::text, i.indisprimary, a.attname
from pg_index i cross join lateral unnest(i.indkey::int2[]) with ordinality as k(number, place)
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number,
  ${servedSql} and c.oid = i.indrelid and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
  and k.place <= i.indnkeyatts
  -- Its collation may tell texts apart that the column holds equal: more than one row is found by such a key.
  and not exists (
    select from unnest(i.indkey::int2[], i.indcollation::oid[]) as x(number, compared)
      join pg_attribute xa on xa.attrelid = i.indrelid and xa.attnum = x.number
      join pg_collation l on l.oid = xa.attcollation and not l.collisdeterministic
    where x.compared <> xa.attcollation)
  -- Rows of tables that inherit from a table are shown among its own, and its keys do not bind them.
  and not (c.relkind = 'r' and exists (select from pg_inherits h where h.inhparent = c.oid))
order by c.oid, i.indexrelid, k.place`

const referencesSql = `
select c.oid::text, r.oid::text, r.confrelid::text, own.attname, other.attname
from pg_constraint r cross join lateral unnest(r.conkey, r.confkey) with ordinality as k(own, other, place)
  join pg_attribute own on own.attrelid = r.conrelid and own.attnum = k.own
  join pg_attribute other on other.attrelid = r.confrelid and other.attnum = k.other,
  ${servedSql} and c.oid = r.conrelid and r.contype = 'f' and r.conparentid = 0
order by c.oid, r.oid, k.place`

interface TableHead {
  readonly schema: string
  readonly name: string
  readonly kind: string
  readonly comment: string | number | undefined
  readonly isPlain: boolean
}

function tableOf(
  { schema, name, kind, comment, isPlain }: TableHead,
  schemas: readonly string[],
  columnRows: readonly Row[],
  enums: ReadonlyMap<string, readonly string[]>,
  keyRows: readonly Row[],
): Table {
  const columns = columnRows.filter((row) => row[9] === 1).map((row) => columnOf(row, enums))
  const names = new Set(columns.map((column) => column.name))
  const keys = [...Map.groupBy(keyRows, (row) => row[1]).values()]
    .map((rows) => ({ primary: rows[0]?.[2] === 1, columns: rows.map((row) => String(row[3])) }))
    .filter((key) => key.columns.every((column) => names.has(column)))
  return {
    id: tableIdOf(schema, name, schemas),
    name,
    schema,
    kind: kind === 'v' || kind === 'm' ? 'view' : 'table',
    columns: new Map(columns.map((column) => [column.name, column])),
    primaryKey: keys.find(({ primary }) => primary)?.columns ?? [],
    uniqueKeys: keys.filter(({ primary }) => !primary).map((key) => key.columns),
    foreignKeys: [],
    ...(isPlain &&
      columnRows.every((row) => !cuttingTypes.has(String(row[2]))) && { isPlain: true as const }),
    ...(typeof comment === 'string' && { comment }),
  }
}

/** Types that cut longer texts without an error. */
const cuttingTypes: ReadonlySet<string> = new Set(['name', '"char"'])

function columnOf(row: Row, enums: ReadonlyMap<string, readonly string[]>): Column {
  const [
    ,
    name,
    type,
    kind,
    category,
    notNull,
    hasDefault,
    collation,
    comment,
    ,
    isComputed,
    typeId,
    modifier,
  ] = row
  const size = sizeOf(String(type), Number(modifier))
  const listed = enums.get(String(typeId))
  const catalogueType = {
    name: String(type),
    kind: String(kind),
    category: String(category),
    collation: String(collation) as Collation,
  }
  const columnType = columnTypeOf(catalogueType)
  return {
    name: String(name),
    type: columnType,
    nativeType: nativeTypeOf(catalogueType),
    ...(listed !== undefined && { listed }),
    ...(size !== undefined && { size }),
    nullable: notNull !== 1,
    hasDefault: hasDefault === 1,
    ...((isComputed === 1 || columnType === 'other') && { written: 'never' }),
    ...(String(type).endsWith('[]') && { items: /^jsonb?\[\]$/.test(String(type)) ? 'json' : 'values' }),
    ...(isShownAlike(catalogueType) && { shownAlike: true }),
    ...(isUnbounded(columnType) && { unbounded: true }),
    ...(typeof comment === 'string' && { comment }),
  }
}

function reasonAgainst(table: Table, populated: boolean): string | undefined {
  if (!populated) return 'the materialized view was never filled'
  return table.columns.size === 0 ? 'it has no column that can be read' : undefined
}

function unreadableColumns(rows: readonly Row[], [, schema, table, , , readable]: Row): readonly LeftOut[] {
  if (readable === 0) return []
  return rows
    .filter((row) => row[9] !== 1)
    .map((row) => ({
      what: `column "${row[1]}" of ${describe({ schema: String(schema), name: String(table) })}`,
      reason: 'this user may not read it',
    }))
}

function describe({ schema, name }: Pick<Table, 'schema' | 'name'>): string {
  return `table "${schema}"."${name}"`
}

/** References to tables that are not served are left out. */
function foreignKeysOf(rows: readonly Row[], idByOid: ReadonlyMap<string, string>): readonly ForeignKey[] {
  return [...Map.groupBy(rows, (row) => row[1]).values()].flatMap((parts) => {
    const referencedTable = idByOid.get(String(parts[0]?.[2]))
    if (referencedTable === undefined) return []
    return [
      {
        columns: parts.map((row) => String(row[3])),
        referencedTable,
        referencedColumns: parts.map((row) => String(row[4])),
      },
    ]
  })
}

/** The values of enums, by the oid of the type. */
function valuesByType(rows: readonly Row[]): ReadonlyMap<string, readonly string[]> {
  return new Map([...groupByOid(rows)].map(([oid, values]) => [oid, values.map((row) => String(row[1]))]))
}

function groupByOid(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => String(row[0]))
}

/** The id of a table. No name contains a NUL. */
export function tableIdOf(schema: string, name: string, schemas: readonly string[]): string {
  return schema === schemas[0] ? name : `${schema}\u0000${name}`
}
