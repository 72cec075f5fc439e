/** The data of the comparison: 1,000 tenants with 100 ports each, the same rows in every database. */
import type { Database } from '../../src/database/dialect.ts'
import type { SqlValue } from '../../src/database/sql-value.ts'
import type { ColumnSpec, TableSpec } from '../../src/database/table-spec.ts'

export const tenantCount = 1000
export const portsOfTenant = 100

const key: ColumnSpec = { name: 'id', type: 'string', nullable: false }

const tenantTable: TableSpec = {
  name: 'Tenant',
  columns: [
    key,
    { name: 'name', type: 'string', nullable: false },
    { name: 'country', type: 'string', nullable: true },
  ],
  primaryKey: ['id'],
  uniqueKeys: [],
  foreignKeys: [],
  indexes: [],
}

const portTable: TableSpec = {
  name: 'Port',
  columns: [
    key,
    { name: 'tenantId', type: 'string', nullable: false },
    { name: 'name', type: 'string', nullable: false },
    { name: 'status', type: 'string', nullable: false },
    { name: 'portType', type: 'string', nullable: false },
    { name: 'vlanRanges', type: 'text', nullable: false },
    { name: 'speed', type: 'integer', nullable: false },
    { name: 'isActivated', type: 'smallInteger', nullable: false },
    { name: 'description', type: 'text', nullable: true },
    { name: 'createdAt', type: 'dateTime', nullable: false },
  ],
  primaryKey: ['id'],
  uniqueKeys: [],
  foreignKeys: [{ columns: ['tenantId'], referencedTable: 'Tenant', referencedColumns: ['id'] }],
  // As the tables of entity definitions have them.
  indexes: [['tenantId', 'id']],
}

const statuses = ['UP', 'DOWN', 'TESTING', 'UNKNOWN', 'DORMANT']
const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett']

/** A key in the form and order of UUIDs of version 7. */
function keyOf(kind: 'tenant' | 'port', number: number): string {
  const digits = number.toString(16).padStart(8, '0')
  const tail = ((number * 2654435761) >>> 0).toString(16).padStart(8, '0')
  return `018f${digits.slice(0, 4)}-${digits.slice(4)}-7${kind === 'tenant' ? '0a' : '0b'}0-9${tail.slice(0, 3)}-${tail}${digits.slice(4)}`
}

export function tenantKey(number: number): string {
  return keyOf('tenant', number)
}

export function portKey(number: number): string {
  return keyOf('port', number)
}

function tenantRow(number: number): readonly SqlValue[] {
  return [tenantKey(number), `tenant ${number}`, number % 7 === 0 ? null : (words[number % 10] ?? '')]
}

function portRow(number: number): readonly SqlValue[] {
  const word = words[number % 10]
  const minute = String(number % 60).padStart(2, '0')
  return [
    portKey(number),
    tenantKey(number % tenantCount),
    `${word}-${String((number * 7919) % 100_000).padStart(5, '0')}`,
    statuses[(number >> 3) % 5] ?? '',
    number % 3 === 0 ? 'ethernet' : 'optical "LR4"',
    `${(number % 40) * 100}-${(number % 40) * 100 + 99}`,
    [1000, 10_000, 25_000, 100_000][number % 4] ?? 0,
    number % 2,
    number % 4 === 0
      ? null
      : `Port ${number} of tenant ${number % tenantCount}, in the ${word} building – 2nd floor`,
    `2026-01-${String((number % 28) + 1).padStart(2, '0')} 09:${minute}:00`,
  ]
}

/** Makes the tables and fills them. */
export async function makeData({ dialect, driver }: Database): Promise<void> {
  const { syntax, ddl } = dialect
  await driver.transaction(
    async (connection) => {
      for (const statement of ddl.createTables([tenantTable, portTable])) await connection.execute(statement)
      const insert = async (table: string, count: number, rowOf: (number: number) => readonly SqlValue[]) => {
        const rowsOfStatement = 50
        for (let start = 0; start < count; start += rowsOfStatement) {
          const rows = Array.from({ length: rowsOfStatement }, (_, index) => rowOf(start + index))
          let place = 0
          const lists = rows.map((row) => `(${row.map(() => syntax.placeholder(++place)).join(', ')})`)
          await connection.execute({
            sql: `insert into ${syntax.quoteIdentifier(table)} values ${lists.join(', ')}`,
            parameters: rows.flat(),
          })
        }
      }
      await insert('Tenant', tenantCount, tenantRow)
      await insert('Port', tenantCount * portsOfTenant, portRow)
    },
    { unlimited: true },
  )
}
