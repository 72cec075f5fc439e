import { GraphQLObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeOn } from '../../../../test/support/describe-on.ts'
import { withLongLists } from '../../../../test/support/long-lists.ts'
import { products } from '../../../../test/support/products.ts'
import {
  openSampleDatabase,
  runGraphql,
  type SampleDatabase,
} from '../../../../test/support/sample-database.ts'
import type { SchemaSnapshot } from '../../../graphql/snapshot.ts'
import { DatabaseError } from '../../database-error.ts'
import type { Table } from '../../database-schema.ts'
import type { SqlValue } from '../../sql-value.ts'
import type { TableChange } from '../../table-change.ts'

describeOn(
  products.filter(({ name }) => name === 'MariaDB'),
  (product) => {
    let sample: SampleDatabase
    let snapshot: SchemaSnapshot
    let tables: ReadonlyMap<string, Table>

    const execute = (sql: string, parameters: readonly SqlValue[] = []) =>
      sample.database.driver.transaction((connection) => connection.execute({ sql, parameters }))
    const query = (sql: string, parameters: readonly SqlValue[] = []) =>
      sample.database.driver.read((connection) => connection.query({ sql, parameters }))
    const run = (document: string, variables = {}) => runGraphql(sample, snapshot, document, variables)
    const failureOf = async (sql: string, parameters: readonly SqlValue[] = []) => {
      const error: unknown = await execute(sql, parameters).catch((reason: unknown) => reason)
      if (!(error instanceof DatabaseError)) throw error
      return { kind: error.kind, columns: error.columns }
    }

    beforeAll(async () => {
      sample = await openSampleDatabase(product)
      for (const sql of setUp) await execute(sql)
      await sample.database.driver.transaction(async (connection) => {
        await connection.execute({ sql: "set sql_mode = ''", parameters: [] })
        await connection.execute({
          sql: "insert into Kinds values (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, '0000-00-00', '0000-00-00', '0000-00-00', '00:00:00', 0, 'nonsense', '', '', '{}', '', null, null, default)",
          parameters: [],
        })
        await connection.execute({
          sql: "set sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
          parameters: [],
        })
      })
      snapshot = await sample.snapshot()
      tables = (await sample.database.driver.read(sample.database.dialect.introspect)).tables
    })
    afterAll(() => sample.close())

    test('many statements that wait on one connection are no leak', async () => {
      const warnings: string[] = []
      const onWarning = ({ name }: Error) => warnings.push(name)
      process.on('warning', onWarning)
      const statement = { sql: 'select 1', parameters: [] }
      await sample.database.driver.read((connection) =>
        Promise.all(Array.from({ length: 20 }, () => connection.select(statement, { mostBytes: 1000 }))),
      )
      // Warnings are emitted in the next tick.
      await new Promise((resolve) => setImmediate(resolve))
      process.off('warning', onWarning)
      expect(warnings).toEqual([])
    })

    test('R18: the server has its own limits, except for changes of tables', async () => {
      const { driver } = sample.database
      const limit = { sql: 'select @@max_statement_time, @@idle_write_transaction_timeout', parameters: [] }
      const found = [
        await driver.read((connection) => connection.query(limit)),
        await driver.transaction((connection) => connection.query(limit)),
        await driver.transaction((connection) => connection.query(limit), { unlimited: true }),
        // The connection of the one before has its limits again.
        ...(await Promise.all(
          Array.from({ length: 4 }, () => driver.transaction((connection) => connection.query(limit))),
        )),
      ]
      const limited = [[65, '120']]
      expect(found).toEqual([limited, limited, [[0, '120']], limited, limited, limited, limited])
    })

    test('the catalogue: tables and views by name, without the own ones', () => {
      expect([...tables].map(([name, { kind }]) => [name, kind])).toEqual([
        ['Child', 'table'],
        ['Kinds', 'table'],
        ['Latin', 'table'],
        ['Odd', 'table'],
        ['odd "name" `of` it', 'table'],
        ['seen', 'view'],
      ])
    })

    test('the catalogue: keys and references of several columns, two to one table and to itself', () => {
      const child = tables.get('Child')
      expect(child?.primaryKey).toEqual(['id'])
      expect(child?.uniqueKeys).toEqual([['a', 'b']])
      const odd = { referencedTable: 'odd "name" `of` it', referencedColumns: ['key a', 'key b'] }
      expect(child?.foreignKeys).toEqual([
        { columns: ['a', 'b'], ...odd },
        { columns: ['c', 'd'], ...odd },
        { columns: ['parent'], referencedTable: 'Child', referencedColumns: ['id'] },
      ])
      expect(tables.get('odd "name" `of` it')?.primaryKey).toEqual(['key a', 'key b'])
    })

    test('the catalogue: a key over the beginnings of texts is none', () => {
      expect(tables.get('Latin')?.uniqueKeys).toEqual([['code']])
    })

    test('the catalogue: types, nulls and defaults', () => {
      const columns = [...(tables.get('Kinds')?.columns.values() ?? [])]
      expect(
        columns.map(({ name, type, nullable, hasDefault }) => [name, type, nullable, hasDefault]),
      ).toEqual([
        ['id', 'integer', false, true],
        ['flag', 'integer', true, false],
        ['unsigned', 'bigint', true, false],
        ['big', 'bigint', true, false],
        ['huge', 'bigint', true, false],
        ['bits', 'bigint', true, false],
        ['exact', 'decimal', true, false],
        ['whole', 'decimal', true, false],
        ['single', 'float', true, false],
        ['twice', 'float', true, false],
        ['moment', 'dateTime', true, false],
        ['second', 'dateTime', true, false],
        ['day', 'date', true, false],
        ['hour', 'time', true, false],
        ['year', 'integer', true, false],
        ['choice', 'string', true, false],
        ['several', 'string', true, false],
        ['fixed', 'string', true, true],
        ['document', 'string', true, false],
        ['bytes', 'binary', true, false],
        ['place', 'other', true, false],
        ['uuid', 'uuid', true, false],
        ['made', 'integer', true, true],
      ])
    })

    const allKinds =
      'id flag unsigned big huge bits exact whole single twice moment second day hour year choice several fixed document bytes place uuid made'

    test('values of every type', async () => {
      expect(await run(`{ Kinds(id: 1) { edges { node { ${allKinds} } } } }`)).toEqual({
        data: {
          Kinds: {
            edges: [
              {
                node: {
                  id: 1,
                  flag: 2,
                  unsigned: 4294967295,
                  big: '-9223372036854775808',
                  huge: '18446744073709551615',
                  bits: 5,
                  exact: '-1.5',
                  whole: '1200',
                  single: 0.5,
                  twice: 1e-7,
                  moment: '2026-01-31T09:30:00.12',
                  second: '2026-01-31T09:30:00',
                  day: '2026-01-31',
                  hour: '-838:59:59',
                  year: 2026,
                  choice: 'b c',
                  several: 'x,y',
                  fixed: 'ab',
                  document: '{"a": [1]}',
                  bytes: 'AP8=',
                  place: 'POINT(1 2)',
                  uuid: '3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e10',
                  made: 2,
                },
              },
            ],
          },
        },
      })
    })

    test('columns with names that JavaScript keeps for itself', async () => {
      expect(await run('{ Odd(asc: "n__proto__") { edges { node { n__proto__ constructor } } } }')).toEqual({
        data: {
          Odd: {
            edges: [
              { node: { n__proto__: null, constructor: null } },
              { node: { n__proto__: 5, constructor: 3 } },
            ],
          },
        },
      })
    })

    test.each([
      ['wide: ["99999999999999999999999999999999999999999999999999999999999999999"]', [1]],
      ['wide: ["1.5"]', []],
      ['filters: [{key: "wide", op: "not in", val: ["1.9999"]}]', [1, 2]],
    ])('decimals of all digits: %s', async (list, ids) => {
      for (const argument of [list, withLongLists(list)])
        expect(await run(`{ Odd(${argument}) { edges { node { id } } } }`)).toEqual({
          data: { Odd: { edges: ids.map((id) => ({ node: { id } })) } },
        })
    })

    test('zero dates and values outside an enum are shown as the database has them', async () => {
      expect(await run('{ Kinds(id: 2) { edges { node { moment second day hour year choice } } } }')).toEqual(
        {
          data: {
            Kinds: {
              edges: [
                {
                  node: {
                    moment: '0000-00-00T00:00:00',
                    second: '0000-00-00T00:00:00',
                    day: '0000-00-00',
                    hour: '00:00:00',
                    year: 0,
                    choice: '',
                  },
                },
              ],
            },
          },
        },
      )
    })

    test.each([
      'flag: 2',
      'unsigned: 4294967295',
      'big: "-9223372036854775808"',
      'bits: 5',
      'huge: "18446744073709551615"',
      'huge: ["18446744073709551615"]',
      'filters: [{ key: "huge", op: ">", val: "9223372036854775807" }]',
      'exact: "-1.50"',
      'whole: [7, 1200]',
      'exact: ["-1.50", 7]',
      'big: ["-9223372036854775808", 7]',
      'twice: 1e-7',
      'moment: "2026-01-31T10:30:00.12+01:00"',
      'moment: ["2026-01-31T10:30:00.12+01:00"]',
      'day: ["2026-01-31"]',
      'hour: "-838:59:59"',
      'hour: ["-838:59:59"]',
      'year: 2026',
      'choice: "b c"',
      'choice: ["b c"]',
      'several: "x,y"',
      'several: ["x,y"]',
      'fixed: "ab"',
      'bytes: "AP8="',
      'bytes: ["AP8="]',
      'place: "POINT(1 2)"',
      'place: ["POINT(1 2)"]',
      'uuid: "3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e10"',
      'uuid: ["3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e10"]',
      'filters: [{key: "uuid", op: "starts", val: "3b1c"}]',
      'filters: [{key: "place", op: "contains", val: "1 2"}]',
      'filters: [{key: "choice", op: "ends", val: " c"}]',
      'filters: [{key: "choice", op: ">", val: "a"}]',
    ])('%s finds its row', async (condition) => {
      for (const argument of [condition, withLongLists(condition)])
        expect(await run(`{ Kinds(${argument}) { edges { node { id } } } }`)).toEqual({
          data: { Kinds: { edges: [{ node: { id: 1 } }] } },
        })
    })

    test.each([
      'uuid: "3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e11"',
      'choice: "no such"',
      'place: "no such"',
      'fixed: "AB"',
    ])('%s finds nothing', async (condition) => {
      expect(await run(`{ Kinds(${condition}) { edges { node { id } } } }`)).toEqual({
        data: { Kinds: { edges: [] } },
      })
    })

    // `huge` holds more than 63 bits, which values of a request cannot.
    test.each(allKinds.split(' '))('pages in the order of %s', async (name) => {
      const page = async (after: string | null) => {
        const document = `query ($after: String) { Kinds(desc: "${name}", filters: [{key: "id", op: "in", val: [1, 3]}], first: 1, after: $after) { edges { cursor node { id } } } }`
        const answer = (await run(document, { after })) as {
          data: { Kinds: { edges: { cursor: string; node: { id: number } }[] } }
        }
        return answer.data.Kinds.edges[0]
      }
      const first = await page(null)
      const second = await page(first?.cursor ?? null)
      expect([first?.node.id, second?.node.id].sort()).toEqual([1, 3])
      expect(await page(second?.cursor ?? null)).toBeUndefined()
    })

    test('UUIDs sort as the server stores them, or as texts', async () => {
      await execute('create table Uuids (id uuid primary key)')
      const [late, early] = ['ffffffff-0000-11e1-8000-000000000000', '00000001-0000-11f1-8000-000000000000']
      await execute(`insert into Uuids values ('${late}'), ('${early}')`)
      const listed = { data: { Uuids: { edges: [late, early].map((id) => ({ node: { id } })) } } }
      const ofOrder = async (order: 'native' | 'portable', list: string) =>
        runGraphql(sample, await sample.snapshot(order), `{ ${list} { edges { node { id } } } }`)
      // The time in a UUID of version 1 comes first in what MariaDB stores.
      expect(await ofOrder('native', 'Uuids')).toEqual(listed)
      expect(await ofOrder('portable', 'Uuids(desc: "id")')).toEqual(listed)
    })

    describe('texts in a column that ignores case, of another character set', () => {
      test.each([
        ['name: "Ärger"', [1]],
        ['name: "ärger"', [2]],
        ['name: "arger"', []],
        ['name: "Ärger "', []],
        ['name: "日"', []],
        ['name: ["Ärger", "日", null]', [1]],
        ['filters: [{key: "name", op: "!=", val: "Ärger"}]', [2, 3]],
        ['filters: [{key: "name", op: "not in", val: ["Ärger", "日"]}]', [2, 3]],
        ['filters: [{key: "name", op: "starts", val: "Ä"}]', [1]],
        ['filters: [{key: "name", op: "contains", val: "RG"}]', [3]],
        ['filters: [{key: "name", op: "ends", val: "日"}]', []],
        ['asc: "name"', [3, 1, 2]],
      ])('%s', async (condition, expected) => {
        for (const argument of [condition, withLongLists(condition)])
          expect(await run(`{ Latin(${argument}) { edges { node { id } } } }`)).toEqual({
            data: { Latin: { edges: expected.map((id) => ({ node: { id } })) } },
          })
      })
    })

    test('references go by what the database takes for equal, limited per parent too', async () => {
      const child = snapshot.graphqlSchema.getType('Child_')
      const fields = child instanceof GraphQLObjectType ? Object.values(child.getFields()) : []
      const names = fields
        .filter(({ type }) => /_(Connection)?!?$/.test(String(type)))
        .map(({ name }) => name)
      expect(names).toHaveLength(4)
      const relations = names.map((name) =>
        name.includes('Collection')
          ? `${name}(first: 1) { totalCount edges { node { id } } }`
          : `${name} { GlobalId }`,
      )
      const answer = (await run(`{ Child { edges { node { id ${relations.join(' ')} } } } }`)) as {
        data: { Child: { edges: { node: Record<string, unknown> }[] } }
        errors?: unknown
      }
      expect(answer.errors).toBeUndefined()
      const [first, second] = answer.data.Child.edges.map(({ node }) => Object.values(node))
      expect(first?.filter((value) => value === null)).toHaveLength(1)
      expect(second?.filter((value) => value === null)).toHaveLength(1)
      expect(first).toContainEqual({ totalCount: 1, edges: [{ node: { id: 2 } }] })
    })

    test.each([
      ["insert into Child (id, a, b) values (9, 'none', 1)", 'foreignKeyViolation', ['a', 'b']],
      ['delete from Child where id = 1', 'foreignKeyViolation', ['parent']],
    ])('%s fails as %s', async (sql, kind, columns) => {
      expect(await failureOf(sql)).toEqual({ kind, columns })
    })

    test('values go in and come out where nothing says their type', async () => {
      const values = [5, 1.5, 2n ** 64n - 1n, -(2n ** 63n), "it's", new Uint8Array([0, 255]), null]
      expect(await query('select ?, ?, ?, ?, ?, ?, ?', values)).toEqual([
        ['5', 1.5, '18446744073709551615', '-9223372036854775808', "it's", Buffer.from([0, 255]), null],
      ])
    })

    test('a column of a reference has its new name before its table is copied', async () => {
      const text = (name: string) => ({ name, type: 'string', nullable: true }) as const
      await sample.create([
        {
          name: 'loop',
          columns: [{ ...text('id'), nullable: false }, text('other'), text('filled')],
          primaryKey: ['id'],
          uniqueKeys: [],
          foreignKeys: [{ columns: ['other'], referencedTable: 'loop', referencedColumns: ['id'] }],
          indexes: [],
        },
      ])
      const catalog = await sample.database.driver.read(sample.database.dialect.readCatalog)
      const renamed = (column: string): readonly TableChange[] => [
        { kind: 'renameColumn', table: 'loop', column, to: 'new' },
        {
          kind: 'changeColumn',
          table: 'loop',
          from: text('new'),
          to: { name: 'new', type: 'text', nullable: true },
          isLossy: false,
        },
      ]
      const statementsOf = (column: string) =>
        sample.database.dialect.ddl
          .changeTables(renamed(column), catalog)
          .flatMap(({ statements }) => statements.map(({ sql }) => sql))
      expect(statementsOf('filled')).toEqual([
        expect.stringMatching(/^alter table `loop` change column `filled` `new` longtext collate \w+ null$/),
      ])
      // No table can be copied while a column of a reference gets another name.
      expect(statementsOf('other')).toEqual([
        'alter table `loop` rename column `other` to `new`',
        expect.stringMatching(/^alter table `loop` change column `new` `new` longtext collate \w+ null$/),
      ])
      await execute('drop table `loop`')
    })
  },
)

const setUp = [
  `create table \`odd "name" \`\`of\`\` it\` (\`key a\` varchar(20) not null, \`key b\` int unsigned not null, \`it's "x"\` int, primary key (\`key a\`, \`key b\`)) character set utf8mb4 collate utf8mb4_general_ci`,
  `insert into \`odd "name" \`\`of\`\` it\` values ('K', 1, 5), ('M', 4294967295, 6)`,
  `create table Child (id int primary key, a varchar(20), b int unsigned, c varchar(20), d int unsigned, parent int,
    unique key pair (a, b),
    constraint one foreign key (a, b) references \`odd "name" \`\`of\`\` it\` (\`key a\`, \`key b\`),
    constraint other foreign key (c, d) references \`odd "name" \`\`of\`\` it\` (\`key a\`, \`key b\`),
    constraint self foreign key (parent) references Child (id)) character set utf8mb4 collate utf8mb4_general_ci`,
  "insert into Child values (1, 'k', 1, 'M', 4294967295, null), (2, null, null, 'k', 1, 1)",
  `create table Kinds (id int not null auto_increment primary key, flag tinyint(1), \`unsigned\` int unsigned, big bigint, huge bigint unsigned, bits bit(3),
    exact decimal(10,3), whole decimal(10,0), single float, twice double, moment datetime(6), second timestamp null, day date, hour time, year year,
    choice enum('a', 'b c') character set utf8mb4 collate utf8mb4_general_ci, several set('x', 'y'), fixed char(5) default 'q', document json, bytes varbinary(10), place point, uuid uuid,
    made int generated always as (flag + 0) stored)`,
  `insert into Kinds values (1, 2, 4294967295, -9223372036854775808, 18446744073709551615, 5, -1.5, 1200, 0.5, 1e-7, '2026-01-31 09:30:00.12', '2026-01-31 09:30:00',
    '2026-01-31', '-838:59:59', 2026, 'b c', 'x,y', 'ab', '{"a": [1]}', x'00ff', st_geomfromtext('POINT(1 2)'), '3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e10', default)`,
  'insert into Kinds (id, fixed) values (3, null)',
  'create table Latin (id int primary key, code varchar(5) not null unique, name varchar(20) not null, unique key beginnings (name(2), id)) character set latin1 collate latin1_swedish_ci',
  "insert into Latin values (1, 'a', 'Ärger'), (2, 'b', 'ärger'), (3, 'c', 'ARGER')",
  'create table Odd (id int primary key, `__proto__` int, `constructor` bit(8), wide decimal(65,0))',
  "insert into Odd values (1, 5, b'11', 99999999999999999999999999999999999999999999999999999999999999999), (2, null, null, 2)",
  'create view seen as select id, year as y from Kinds',
  'create table gatehouse_own (id int)',
]
