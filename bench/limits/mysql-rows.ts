/** Flat rows on MariaDB or MySQL through `mysql2`. */
import mysql from 'mysql2/promise'
import { type Rows, rowAnswers } from './row-answers.ts'
import { serve } from './serve.ts'
import { postgresqlStatements, type StatementName } from './statements.ts'

const { name: database, ...server } = JSON.parse(process.env.DATABASE ?? '{}')
const pool = mysql.createPool({
  ...server,
  database,
  connectionLimit: 4,
  rowsAsArray: true,
  dateStrings: true,
  charset: 'utf8mb4',
})

const mysqlForm = (sql: string) => sql.replaceAll('"', '`').replace(/\$\d+/g, '?')
const places = (count: number) => Array.from({ length: count }, () => '?').join(', ')

/** One limited select for each key: MariaDB has no lateral joins. */
const union = (columns: string, limit: number) => (keys: number) =>
  Array.from(
    { length: keys },
    (_, key) =>
      `(select ${key + 1}, ${columns} from \`Port\` where \`tenantId\` = ? order by id limit ${limit})`,
  ).join(' union all ')

const byKeys: Partial<Record<StatementName, (keys: number) => string>> = {
  portsOfTenants: union('id, name, status, `portType`, speed, `createdAt`', 10),
  portsWithTenant: union('id, name, `tenantId`', 10),
  fewPortsOfTenants: union('id, name', 5),
  tenantsByKeys: (keys) => `select id, name from \`Tenant\` where id in (${places(keys)})`,
}

serve(
  rowAnswers(async (name, values): Promise<Rows> => {
    const keys = Array.isArray(values[0]) ? values[0].length : 0
    const sql =
      byKeys[name]?.(keys) ??
      mysqlForm(postgresqlStatements[name].replace('= any($1::text[])', `in (${places(keys)})`))
    const [rows] = await pool.execute(sql, values.flat() as string[])
    return rows as unknown as Rows
  }),
)
