import type { Connection } from '../../driver.ts'
import type { Row } from '../../sql-value.ts'
import type { CataloguedTable, TableCatalog } from '../../table-catalog.ts'

/** Reads the names of keys, indexes and references of one schema, in two statements. */
export async function readPostgresqlCatalog(connection: Connection, schema: string): Promise<TableCatalog> {
  const indexes = await connection.query({ sql: indexesSql, parameters: [schema] })
  const references = await connection.query({ sql: referencesSql, parameters: [schema] })
  const names = new Set([...indexes, ...references].map((row) => String(row[1])))
  const tables = new Map<string, CataloguedTable>()
  const referencesOf = Map.groupBy(references, (row) => String(row[0]))
  const indexesOf = Map.groupBy(indexes, (row) => String(row[0]))
  for (const table of new Set([...indexesOf.keys(), ...referencesOf.keys()])) {
    const keys = keysOf(indexesOf.get(table) ?? [])
    tables.set(table, {
      name: table,
      columns: [],
      primaryKey: keys.find(({ kind }) => kind === 'primary')?.columns ?? [],
      uniqueKeys: keys.filter(({ kind }) => kind === 'unique'),
      indexes: keys.filter(({ kind }) => kind === 'index'),
      foreignKeys: [...Map.groupBy(referencesOf.get(table) ?? [], (row) => String(row[1]))].map(
        ([name, parts]) => ({
          name,
          columns: parts.map((row) => String(row[3])),
          referencedTable: String(parts[0]?.[2]),
          referencedColumns: parts.map((row) => String(row[4])),
        }),
      ),
      others: [],
    })
  }
  return { tables, names }
}

function keysOf(rows: readonly Row[]) {
  return [...Map.groupBy(rows, (row) => String(row[1]))].map(([name, parts]) => ({
    name,
    kind: String(parts[0]?.[2]),
    columns: parts.map((row) => String(row[3])),
  }))
}

/** Indexes over plain columns, without a condition; the names of other indexes are taken as well. */
const indexesSql = `
select t.relname, c.relname,
  case when i.indpred is not null or i.indexprs is not null or not i.indisvalid then 'other'
    when i.indisprimary then 'primary' when i.indisunique then 'unique' else 'index' end,
  a.attname
from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  join pg_namespace n on n.oid = t.relnamespace
  cross join lateral unnest(i.indkey::int2[]) with ordinality as k(number, place)
  left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number and k.number > 0
where n.nspname = $1 and k.place <= i.indnkeyatts
order by t.relname, c.relname, k.place`

const referencesSql = `
select t.relname, r.conname, o.relname, own.attname, other.attname
from pg_constraint r join pg_class t on t.oid = r.conrelid join pg_class o on o.oid = r.confrelid
  join pg_namespace n on n.oid = t.relnamespace
  cross join lateral unnest(r.conkey, r.confkey) with ordinality as k(own, other, place)
  join pg_attribute own on own.attrelid = r.conrelid and own.attnum = k.own
  join pg_attribute other on other.attrelid = r.confrelid and other.attnum = k.other
where n.nspname = $1 and r.contype = 'f' and r.conparentid = 0
order by t.relname, r.conname, k.place`
