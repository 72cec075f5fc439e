import type { CatalogMark } from '../../catalog-mark.ts'
import type { Connection } from '../../driver.ts'
import { ownTablePrefix } from '../../own-tables.ts'

/** The server counts statements when they start, for all of its databases. */
const countedSql =
  "show global status where variable_name in ('Com_alter_db', 'Com_alter_table', 'Com_create_db', 'Com_create_index', 'Com_create_table', 'Com_create_view', 'Com_drop_db', 'Com_drop_index', 'Com_drop_table', 'Com_drop_view', 'Com_grant', 'Com_rename_table', 'Com_revoke', 'Com_revoke_all')"

const started = 'select @@hostname, @@port, @@server_id'

const digest = (view: string, where: string, columns: readonly string[]) =>
  `(select concat_ws('/', count(*), sum(crc32(concat_ws('|', ${columns.map((column) => `coalesce(${column}, '')`).join(', ')})))) from information_schema.${view} where ${where})`

const own = ownTablePrefix.replaceAll('_', '\\\\_')
const here = `table_schema = database() and table_name not like '${own}%'`

const exactSql = `select concat_ws(' ', ${[
  digest('tables', here, ['table_name', 'table_type', 'engine', 'table_comment']),
  digest('columns', here, [
    'table_name',
    'ordinal_position',
    'column_name',
    'column_type',
    'collation_name',
    'is_nullable',
    'column_default',
    'extra',
    'column_comment',
  ]),
  digest('statistics', `${here} and non_unique = 0`, [
    'table_name',
    'index_name',
    'seq_in_index',
    'column_name',
    'sub_part',
  ]),
  digest('key_column_usage', `${here} and referenced_table_schema = database()`, [
    'table_name',
    'constraint_name',
    'ordinal_position',
    'column_name',
    'referenced_table_name',
    'referenced_column_name',
  ]),
].join(', ')})`

/** How many consecutive checks may rely on the counters alone: a slow change is counted when it starts. */
const quickLooks = 5

/**
 * Reads the state of the catalogue. That is slow if there are many tables: as long as no statement that changes tables
 * has started, only some of the checks are exact.
 */
export async function mysqlCatalogMark(connection: Connection, before?: CatalogMark): Promise<CatalogMark> {
  const ask = async (sql: string) => JSON.stringify(await connection.query({ sql, parameters: [] }))
  const counted = `${await ask(started)}${await ask(countedSql)}`
  const isSame = before?.quick?.text === counted
  const looksLeft = before?.quick?.looksLeft ?? 0
  if (before !== undefined && isSame && looksLeft > 0) {
    return { text: before.text, quick: { text: counted, looksLeft: looksLeft - 1 } }
  }
  return {
    text: await ask(exactSql),
    quick: { text: counted, looksLeft: isSame ? quickLooks : 0 },
  }
}
