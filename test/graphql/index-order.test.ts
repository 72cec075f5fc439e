import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Table } from '../../src/database/database-schema.ts'
import type { Statement } from '../../src/database/driver.ts'
import { type SortOrder, withSortOrder } from '../../src/database/table-order.ts'
import { literalArgument } from '../../src/query/argument.ts'
import { bind } from '../../src/query/binding.ts'
import { compileSelect } from '../../src/query/compile-select.ts'
import { decodeCursor, encodeCursor } from '../../src/query/cursor.ts'
import { readOrder } from '../../src/query/read-order.ts'
import { runSelect } from '../../src/query/run-select.ts'
import type { CursorSource, Page, SelectPlan } from '../../src/query/select-plan.ts'
import { products } from '../support/products.ts'
import { openSampleDatabase, type SampleDatabase } from '../support/sample-database.ts'
import { objectionsTo } from '../support/work-of-select.ts'

const rows = 20_000
const pageRows = 10
/** A page, one row more, and as many again of each further range; elsewhere also what is equal, where the key is not in the index. */
const mostRows = { own: 1500, others: 5000 }

/** What one product calls things. */
interface Words {
  readonly text: string
  readonly integer: string
  /** `n` from 0 on. */
  readonly numbers: string
  joined(...parts: readonly string[]): string
  readonly analyze: string
}

const words: Readonly<Record<string, Words>> = {
  sqlite: {
    text: 'text',
    integer: 'integer',
    numbers: `(with recursive s (n) as (select 0 union all select n + 1 from s where n < ${rows - 1}) select n from s) s`,
    joined: (...parts) => parts.join(' || '),
    analyze: 'analyze',
  },
  postgresql: {
    text: 'text',
    integer: 'integer',
    numbers: `generate_series(0, ${rows - 1}) s (n)`,
    joined: (...parts) => parts.join(' || '),
    analyze: 'analyze',
  },
  mysql: {
    text: 'varchar(50)',
    integer: 'int',
    numbers: `(select seq as n from seq_0_to_${rows - 1}) s`,
    joined: (...parts) => `concat(${parts.join(', ')})`,
    analyze: 'analyze table Port, foreign_port',
  },
}

/** In another order than the numbers. */
const scattered = (number: string) => `((${number}) * 7919 % 100003 + 100000)`
const group = '(n - n % 10)'
const orNull = (value: string) => `case when n % 100 = 13 then null else ${value} end`

/** The rows of the table of an entity, and a table of others: `p` is plainly indexed there, and names that end in `n` are never null. */
function statementsFor(
  { text, integer, numbers, joined }: Words,
  quote: (name: string) => string,
): readonly string[] {
  const few = '(n * 31 % 400)'
  return [
    `insert into ${quote('Port')} select ${joined("'i'", scattered('n'))}, ${orNull(joined("'id'", scattered('n')))}, n, ${orNull(joined("'id'", scattered(group)))}, ${joined("'i'", scattered(group))} from ${numbers}`,
    `create table foreign_tenant (id ${integer} primary key)`,
    `create table foreign_port (id ${integer} primary key, u ${text} unique, un ${text} not null unique, r ${integer} references foreign_tenant (id), p ${integer}, pn ${integer} not null)`,
    'create index foreign_r on foreign_port (r)',
    'create index foreign_p on foreign_port (p)',
    'create index foreign_pn on foreign_port (pn)',
    `insert into foreign_tenant select n from ${numbers} where n < 400`,
    `insert into foreign_port select ${scattered('n')}, ${orNull(joined("'u'", scattered('n')))}, ${joined("'n'", scattered('n'))}, ${orNull(few)}, ${orNull(few)}, ${few} from ${numbers}`,
  ]
}

describe.each(products)('$name', (product) => {
  let sample: SampleDatabase

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    const { dialect } = sample.database
    await sample.create([
      {
        name: 'Port',
        columns: [
          { name: 'instance', type: 'string', nullable: false },
          { name: 'id', type: 'string', nullable: true },
          { name: 'code', type: 'integer', nullable: false },
          { name: 'parent', type: 'string', nullable: true },
          { name: 'origin', type: 'string', nullable: false },
        ],
        primaryKey: ['instance'],
        uniqueKeys: [['id'], ['code']],
        foreignKeys: [
          { columns: ['parent'], referencedTable: 'Port', referencedColumns: ['id'] },
          { columns: ['origin'], referencedTable: 'Port', referencedColumns: ['instance'] },
        ],
        indexes: [
          ['parent', 'instance'],
          ['origin', 'instance'],
        ],
      },
    ])
    const own = words[dialect.product]
    if (own === undefined) throw new Error('The product has no words')
    await sample.execute([...statementsFor(own, dialect.syntax.quoteIdentifier), own.analyze])
  })
  afterAll(() => sample.close())

  async function tableOf(name: string, isOwn: boolean, sortOrder: SortOrder): Promise<Table> {
    const { dialect, driver } = sample.database
    const found = await driver.read((connection) => dialect.introspect(connection))
    const table = withSortOrder(found, new Set(isOwn ? [name] : []), sortOrder).tables.get(name)
    if (table === undefined) throw new Error(`There is no table ${name}`)
    return table
  }

  function planOf(table: Table, asc: readonly string[], desc: readonly string[], page: Page): SelectPlan {
    const argument = (name: string, value: unknown) => literalArgument(value, name)
    const orderBy = readOrder(argument('asc', asc), argument('desc', desc), { columns: table.columns }, table)
    const columns = orderBy.map(({ column }) =>
      column.storedApart ? { ...column, isStoredForm: true as const } : column,
    )
    const wanted = { rows: true, total: false, hasNextPage: true, hasPreviousPage: false }
    return { table, rights: undefined, columns, orderBy, page, wanted }
  }

  function statementOf(plan: SelectPlan): Statement {
    const { dialect } = sample.database
    const { rows: template } = compileSelect(plan, dialect, 1000)
    if (template === undefined) throw new Error('The rows are wanted')
    return {
      sql: template.sql,
      parameters: bind(template.bindings, { variables: {}, syntax: dialect.syntax }),
    }
  }

  const literal = (value: unknown) => ({ kind: 'literal', value, label: 'test' }) as const

  /** The cursors of rows at some places of the list. */
  async function cursorsOf(table: Table, asc: readonly string[], desc: readonly string[]) {
    const { dialect, driver } = sample.database
    const select = compileSelect(planOf(table, asc, desc, {}), dialect)
    const [page] = await driver.read((connection) =>
      runSelect(connection, select, { variables: {}, syntax: dialect.syntax }),
    )
    return [5, rows / 2, rows - 500].map((place): CursorSource => {
      const text = encodeCursor('order', page?.rows[place] ?? [])
      const nulls = decodeCursor(text)?.values.map((value) => value === null) ?? []
      return { source: literal(text), nulls }
    })
  }

  async function expectIndex(table: Table, asc: readonly string[], desc: readonly string[]): Promise<void> {
    const cursors = await cursorsOf(table, asc, desc)
    const size = literal(pageRows)
    const most = table.name === 'Port' ? mostRows.own : mostRows.others
    const pages: readonly Page[] = [
      { first: size },
      { last: size },
      { first: size, offset: literal(5) },
      ...cursors.flatMap((cursor): readonly Page[] => [
        { first: size, after: cursor },
        { last: size, before: cursor },
      ]),
    ]
    for (const page of pages) {
      const statement = statementOf(planOf(table, asc, desc, page))
      expect({
        sql: statement.sql,
        objections: await objectionsTo(statement, most, sample.database),
      }).toEqual({
        sql: statement.sql,
        objections: [],
      })
    }
  }

  describe('a table of an entity', () => {
    test.each(['instance', 'id', 'code', 'parent', 'origin'])('ascending by %s', async (name) => {
      await expectIndex(await tableOf('Port', true, 'native'), [name], [])
    })
    test.each(['instance', 'id', 'code', 'parent', 'origin'])('descending by %s', async (name) => {
      await expectIndex(await tableOf('Port', true, 'native'), [], [name])
    })
  })

  describe('a table of others', () => {
    test.each(['id', 'u', 'un', 'r', 'p', 'pn'])('ascending and descending by %s', async (name) => {
      const table = await tableOf('foreign_port', false, 'native')
      await expectIndex(table, [name], [])
      await expectIndex(table, [], [name])
    })
  })
})
