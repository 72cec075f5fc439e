import type { Connection } from '../../driver.ts'
import type { Row } from '../../sql-value.ts'
import type { CataloguedTable, TableCatalog } from '../../table-catalog.ts'

/** Reads columns, keys, indexes and other objects that depend on the tables, in five statements. */
export async function readSqliteCatalog(connection: Connection): Promise<TableCatalog> {
  const ask = async (sql: string) =>
    Map.groupBy(await connection.query({ sql, parameters: [] }), (row) => String(row[0]))
  const columns = await ask(
    `select t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk from ${tables} join temp.pragma_table_xinfo(t.name) c where c.hidden = 0 order by t.name, c.cid`,
  )
  const indexes = await ask(
    `select t.name, i.name, i."unique", i.origin, i.partial, c.name, s.sql from ${tables} join temp.pragma_index_list(t.name) i join temp.pragma_index_info(i.name) c left join sqlite_schema s on s.name = i.name order by t.name, i.seq desc, c.seqno`,
  )
  const references = await ask(
    `select t.name, f.id, f."table", f."from", f."to" from ${tables} join temp.pragma_foreign_key_list(t.name) f order by t.name, f.id desc, f.seq`,
  )
  const triggers = await ask(
    "select tbl_name, sql from sqlite_schema where type = 'trigger' order by tbl_name, name",
  )
  const definitions = await ask("select name, sql from sqlite_schema where type = 'table'")
  const names = new Set([...indexes.values()].flat().map((row) => String(row[1])))
  const found = [...columns].map(([name, rows]): readonly [string, CataloguedTable] => {
    const keys = keysOf(indexes.get(name) ?? [])
    return [
      name,
      {
        name,
        columns: rows.map(([, column, type, notNull, fallback]) => ({
          name: String(column),
          definition: fallback === null ? String(type) : `${type} default ${fallback}`,
          nullable: notNull === 0,
        })),
        primaryKey: rows
          .filter((row) => row[5] !== 0)
          .sort((a, b) => Number(a[5]) - Number(b[5]))
          .map((row) => String(row[1])),
        uniqueKeys: keys.filter(({ kind }) => kind === 'unique'),
        indexes: keys.filter(({ kind }) => kind === 'index'),
        foreignKeys: [...Map.groupBy(references.get(name) ?? [], (row) => row[1]).values()].map((parts) => ({
          name: '',
          columns: parts.map((row) => String(row[3])),
          referencedTable: String(parts[0]?.[2]),
          referencedColumns: parts.map((row) => String(row[4])),
        })),
        others: [
          ...keys.filter(({ kind }) => kind === 'other').map(({ sql }) => sql),
          ...(triggers.get(name) ?? []).map((row) => String(row[1])),
        ],
        ...(saysMore(String(definitions.get(name)?.[0]?.[1])) && { saysMore: true }),
      },
    ]
  })
  return { tables: new Map(found), names }
}

/** Whether a definition has more than columns with their types, defaults and keys. */
function saysMore(definition: string): boolean {
  const withoutTexts = definition.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]/g, '')
  return /\b(?:as|autoincrement|check|collate|deferrable|generated|match|on|strict|without)\b|--|\/\*/i.test(
    withoutTexts,
  )
}

const tables =
  "(select name from temp.pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\') t"

function keysOf(rows: readonly Row[]) {
  return [...Map.groupBy(rows, (row) => String(row[1]))].flatMap(([name, parts]) => {
    const [, , unique, origin, partial, , sql] = parts[0] ?? []
    if (origin === 'pk') return []
    const isPlain = partial === 0 && parts.every((row) => typeof row[5] === 'string')
    const kind = !isPlain ? 'other' : unique === 1 ? 'unique' : 'index'
    return [{ name, kind, columns: parts.map((row) => String(row[5])), sql: String(sql) }]
  })
}
