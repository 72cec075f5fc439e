/** How a product carries out a statement: by which index, and how many rows it looks at. */
import type { Database } from '../../src/database/dialect.ts'
import type { Connection, Statement } from '../../src/database/driver.ts'

/** What speaks against a statement that is to read only as many entries of an index as it gives rows; empty where nothing does. */
export function objectionsTo(
  statement: Statement,
  mostRows: number,
  { dialect, driver }: Database,
): Promise<readonly string[]> {
  const look = { sqlite: lookAtSqlite, postgresql: lookAtPostgresql, mysql: lookAtMysql }
  const product = dialect.product as keyof typeof look
  return driver.read((connection) => look[product](statement, mostRows, connection))
}

/** https://www.sqlite.org/eqp.html */
async function lookAtSqlite({ sql, parameters }: Statement, _mostRows: number, connection: Connection) {
  const steps = await connection.query({ sql: `explain query plan ${sql}`, parameters })
  const details = steps.map((step) => String(step[3]))
  // The rows of several ranges, as many as a page has each, are put together and sorted.
  const sorts = details.filter((detail) => detail === 'USE TEMP B-TREE FOR ORDER BY')
  const most = details.some((detail) => detail.startsWith('SCAN ranges')) ? 1 : 0
  return sorts.length > most ? details : []
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

async function lookAtPostgresql({ sql, parameters }: Statement, mostRows: number, connection: Connection) {
  const [row] = await connection.query({ sql: `explain (analyze, format json) ${sql}`, parameters })
  const [{ Plan: root }] = JSON.parse(String(row?.[0])) as [{ Plan: PlanNode }]
  const nodes: PlanNode[] = []
  const visit = (node: PlanNode) => {
    nodes.push(node)
    for (const below of node.Plans ?? []) visit(below)
  }
  visit(root)
  const isScan = ({ 'Node Type': type }: PlanNode) => type.endsWith('Scan') && type !== 'Subquery Scan'
  const read = nodes
    .filter(isScan)
    .reduce(
      (sum, node) => sum + node['Actual Rows'] * node['Actual Loops'] + (node['Rows Removed by Filter'] ?? 0),
      0,
    )
  return [
    ...nodes.map((node) => node['Node Type']).filter((type) => type === 'Seq Scan'),
    ...(read > mostRows ? [`${read} rows read`] : []),
  ]
}

async function lookAtMysql({ sql, parameters }: Statement, mostRows: number, connection: Connection) {
  const readRows = async () => {
    const rows = await connection.query({ sql: "show session status like 'Handler_read%'", parameters: [] })
    return rows.reduce((sum, [, count]) => sum + Number(count), 0)
  }
  await readRows()
  const idle = -(await readRows()) + (await readRows())
  const before = await readRows()
  await connection.query({ sql, parameters })
  const read = (await readRows()) - before - idle
  return read > mostRows ? [`${read} rows read`] : []
}
