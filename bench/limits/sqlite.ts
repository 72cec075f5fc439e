/** Flat rows in the server's own process and thread by `node:sqlite`, one statement for each parent. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Rows, rowAnswers, type Value } from './row-answers.ts'
import { serve } from './serve.ts'
import { postgresqlStatements, type StatementName } from './statements.ts'

const database = new DatabaseSync(JSON.parse(process.env.DATABASE ?? '{}').file, { readOnly: true })

const ofTenant = (columns: string, limit: number) =>
  `select ?, ${columns} from "Port" where "tenantId" = ? order by id limit ${limit}`

const perKey: Partial<Record<StatementName, string>> = {
  portsOfTenants: ofTenant('id, name, status, "portType", speed, "createdAt"', 10),
  portsWithTenant: ofTenant('id, name, "tenantId"', 10),
  fewPortsOfTenants: ofTenant('id, name', 5),
  tenantsByKeys: 'select id, name from "Tenant" where id = ?2',
}

const statements = new Map<string, StatementSync>()
function prepare(sql: string): StatementSync {
  let statement = statements.get(sql)
  if (statement === undefined) {
    statement = database.prepare(sql)
    statement.setReturnArrays(true)
    statements.set(sql, statement)
  }
  return statement
}

serve(
  rowAnswers((name, values): Rows => {
    const single = perKey[name]
    const [first] = values
    if (single !== undefined) {
      const statement = prepare(single)
      return (first as readonly Value[]).flatMap(
        (key, index) => statement.all(index + 1, key) as unknown as Rows,
      )
    }
    const list = Array.isArray(first) ? first.map(() => '?').join(', ') : ''
    const sql = postgresqlStatements[name].replace('= any($1::text[])', `in (${list})`).replace(/\$\d+/g, '?')
    return prepare(sql).all(...(values.flat() as Value[])) as unknown as Rows
  }),
)
