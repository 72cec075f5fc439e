import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeOn } from '../../../../test/support/describe-on.ts'
import { readers } from '../../../../test/support/products.ts'
import {
  openSampleDatabase,
  runGraphql,
  type SampleDatabase,
} from '../../../../test/support/sample-database.ts'
import { type SchemaSnapshot, snapshotOf } from '../../../graphql/snapshot.ts'
import { DatabaseError } from '../../database-error.ts'
import type { DatabaseSchema } from '../../database-schema.ts'
import type { SqlValue } from '../../sql-value.ts'
import { introspectPostgresql } from './introspect.ts'

const outOfRange = 'The database cannot take a value of this request: it is out of the range of its type.'

describeOn(
  readers.filter(({ name }) => name.startsWith('PostgreSQL')),
  (product) => {
    let sample: SampleDatabase
    let snapshot: SchemaSnapshot
    let schema: DatabaseSchema

    const execute = (sql: string, parameters: readonly SqlValue[] = []) =>
      sample.database.driver.transaction((connection) => connection.execute({ sql, parameters }))
    const query = (sql: string, parameters: readonly SqlValue[] = []) =>
      sample.database.driver.read((connection) => connection.query({ sql, parameters }))
    const run = (document: string, variables = {}) => runGraphql(sample, snapshot, document, variables)
    const idsOf = async (table: string, condition: string) => {
      const answer = (await run(`{ ${table}(${condition}) { edges { node { id } } } }`)) as {
        data: Record<string, { edges: { node: { id: number } }[] }>
      }
      return answer.data[table]?.edges.map(({ node }) => node.id)
    }
    const failureOf = async (sql: string, parameters: readonly SqlValue[] = []) => {
      const error: unknown = await execute(sql, parameters).catch((reason: unknown) => reason)
      if (!(error instanceof DatabaseError)) throw error
      return { kind: error.kind, columns: error.columns }
    }

    beforeAll(async () => {
      sample = await openSampleDatabase(product)
      for (const sql of setUp) await execute(sql)
      const { driver, dialect } = sample.database
      schema = await driver.read((connection) =>
        introspectPostgresql(connection, ['public', 'other "schema"']),
      )
      snapshot = await snapshotOf(schema, dialect)
    })
    afterAll(() => sample.close())

    test('R18: the server has its own limits, except for changes of tables', async () => {
      const { driver } = sample.database
      const limit = {
        sql: "select current_setting('statement_timeout'), current_setting('idle_in_transaction_session_timeout')",
        parameters: [],
      }
      const found = [
        await driver.read((connection) => connection.query(limit)),
        await driver.transaction((connection) => connection.query(limit)),
        await driver.transaction((connection) => connection.query(limit), { unlimited: true }),
        // The connection of the one before has its limits again.
        ...(await Promise.all(
          Array.from({ length: 4 }, () => driver.transaction((connection) => connection.query(limit))),
        )),
      ]
      const limited = [['65s', '2min']]
      expect(found).toEqual([limited, limited, [['0', '2min']], limited, limited, limited, limited])
    })

    test('the catalogue: tables and views of the schemas, partitions once, and what is left out', () => {
      expect([...schema.tables.values()].map(({ schema: where, name, kind }) => [where, name, kind])).toEqual(
        [
          ['public', 'Child', 'table'],
          ['public', 'Kinds', 'table'],
          ['public', 'Loose', 'table'],
          ['public', 'events', 'table'],
          ['public', 'filled', 'view'],
          ['public', 'heir', 'table'],
          ['public', 'inherited', 'table'],
          ['public', 'odd "name"', 'table'],
          ['other "schema"', 'Kinds', 'table'],
          ['public', 'seen', 'view'],
        ],
      )
      expect(schema.leftOut).toEqual([
        { what: 'table "public"."empty"', reason: 'it has no column that can be read' },
        { what: 'table "public"."unfilled"', reason: 'the materialized view was never filled' },
      ])
    })

    test('the catalogue: keys, references of several columns, to itself, across schemas, comments', () => {
      const child = schema.tables.get('Child')
      expect(child?.primaryKey).toEqual(['id'])
      expect(child?.comment).toBe('Says """things""".')
      expect(child?.columns.get('a')?.comment).toBe('First part.')
      const odd = { referencedTable: 'odd "name"', referencedColumns: ['key a', 'key b'] }
      expect(child?.foreignKeys).toEqual([
        { columns: ['a', 'b'], ...odd },
        { columns: ['c', 'd'], ...odd },
        { columns: ['parent'], referencedTable: 'Child', referencedColumns: ['id'] },
        { columns: ['far'], referencedTable: 'other "schema"\u0000Kinds', referencedColumns: ['id'] },
      ])
      expect(schema.tables.get('inherited')?.primaryKey).toEqual([])
      expect(schema.tables.get('events')?.primaryKey).toEqual(['day', 'id'])
    })

    test('tables of the same name in two schemas are both there', async () => {
      expect(await run('{ other__schema__Kinds { edges { node { id note } } } }')).toEqual({
        data: { other__schema__Kinds: { edges: [{ node: { id: 7, note: 'far' } }] } },
      })
      expect(await run('{ Child(id: 1) { edges { node { other__schema__Kinds { note } } } } }')).toEqual({
        data: { Child: { edges: [{ node: { other__schema__Kinds: { note: 'far' } } }] } },
      })
    })

    test('the catalogue: types', () => {
      const columns = [...(schema.tables.get('Kinds')?.columns.values() ?? [])]
      expect(columns.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
        ['id', 'integer', false],
        ['flag', 'boolean', true],
        ['small', 'integer', true],
        ['big', 'bigint', true],
        ['object', 'bigint', true],
        ['exact', 'decimal', true],
        ['single', 'float', true],
        ['twice', 'float', true],
        ['moment', 'dateTime', true],
        ['zoned', 'dateTime', true],
        ['day', 'date', true],
        ['hour', 'time', true],
        ['zonedhour', 'time', true],
        ['length', 'other', true],
        ['choice', 'string', true],
        ['fixed', 'string', true],
        ['word', 'string', true],
        ['letter', 'string', true],
        ['uid', 'uuid', true],
        ['document', 'json', true],
        ['binarydocument', 'json', true],
        ['list', 'json', true],
        ['matrix', 'json', true],
        ['bytes', 'binary', true],
        ['range', 'other', true],
        ['address', 'other', true],
        ['pair', 'other', true],
        ['bits', 'other', true],
        ['place', 'other', true],
        ['price', 'other', true],
        ['search', 'other', true],
        ['markup', 'other', true],
        ['amount', 'decimal', false],
        ['made', 'integer', true],
      ])
    })

    const node = {
      id: 1,
      flag: true,
      small: -32768,
      big: '-9223372036854775808',
      object: 4294967295,
      exact: '-1.5',
      single: 0.1,
      twice: 1e-7,
      moment: '2026-01-31T09:30:00.12',
      zoned: '2026-01-31T08:30:00.000001',
      day: '2026-01-31',
      hour: '09:30:00.25',
      zonedhour: '07:30:00',
      length: '1 year 2 days 03:00:00',
      choice: 'b c',
      fixed: 'ab',
      word: 'Text',
      letter: 'x',
      uid: '3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e10',
      document: '{"b":1,  "a":[1]}',
      binarydocument: '{"a": [1], "b": 12345678901234567890.5}',
      list: '["a","b,c",null]',
      matrix: '[[1,2],[3,4]]',
      bytes: 'AP8=',
      range: '[1,5)',
      address: '10.0.0.0/8',
      pair: '(1,"x y")',
      bits: '101',
      place: '(1,2)',
      price: '$1,234.50',
      search: "'cat':1",
      markup: '<a>1</a>',
      amount: '10.5',
      made: 2,
    }
    const allKinds = Object.keys(node).join(' ')

    test('values of every type', async () => {
      expect(await run(`{ Kinds(id: 1) { edges { node { ${allKinds} } } } }`)).toEqual({
        data: { Kinds: { edges: [{ node }] } },
      })
    })

    test('values that other products have not: infinite ones, no-numbers, years before 1 and after 9999', async () => {
      const fields = 'exact single twice moment zoned day'
      const [version] = await query("select current_setting('server_version_num')::integer >= 140000")
      const hasInfiniteDecimals = version?.[0] === 1
      expect(
        await run(`{ Kinds(filters: [{key: "id", op: ">=", val: 10}]) { edges { node { ${fields} } } } }`),
      ).toEqual({
        data: {
          Kinds: {
            edges: [
              {
                node: {
                  exact: 'NaN',
                  single: 'NaN',
                  twice: 'Infinity',
                  moment: 'infinity',
                  zoned: '-infinity',
                  day: 'infinity',
                },
              },
              {
                node: {
                  exact: hasInfiniteDecimals ? '-Infinity' : '-1000000000000',
                  single: '-Infinity',
                  twice: 'NaN',
                  moment: '-0043-03-15T12:00:00',
                  zoned: '+10000-01-01T00:00:00',
                  day: '+0000-01-01',
                },
              },
            ],
          },
        },
      })
    })

    test.each([
      ...Object.entries(node)
        .filter(([name]) => name !== 'letter')
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
      ...Object.entries(node).map(([name, value]) => `${name}: [${JSON.stringify(value)}]`),
      'exact: "-1.50"',
      'moment: "2026-01-31T10:30:00.12+01:00"',
      'zoned: "2026-01-31T09:30:00.000001+01:00"',
      'hour: "09:30:00.250"',
      'uid: "3B1C1E5E-6A55-4F3C-9C2E-0D8B1F7A9E10"',
      'filters: [{key: "uid", op: "starts", val: "3b1c"}]',
      'filters: [{key: "list", op: "contains", val: "b,c"}]',
      'filters: [{key: "choice", op: "ends", val: " c"}]',
      'filters: [{key: "choice", op: ">", val: "b"}, {key: "choice", op: "<", val: "c"}]',
      'filters: [{key: "small", op: "<", val: -32767}, {key: "small", op: ">", val: "-9000000000"}]',
      'filters: [{key: "zonedhour", op: "<", val: "07:30:01"}]',
    ])('%s finds its row', async (condition) => {
      expect(await idsOf('Kinds', condition)).toEqual([1])
    })

    test.each([
      ['day: "infinity"', [10]],
      ['day: "+0000-01-01"', [11]],
      ['moment: "-0043-03-15T12:00:00"', [11]],
      ['zoned: "+10000-01-01T00:00:00"', [11]],
      ['exact: "NaN"', [10]],
      ['twice: "Infinity"', [10]],
      ['filters: [{key: "day", op: "<", val: "0001-01-01"}]', [11]],
      ['filters: [{key: "day", op: ">", val: "9999-12-31"}]', [10]],
    ])('%s finds a value that other products have not', async (condition, expected) => {
      expect(await idsOf('Kinds', condition)).toEqual(expected)
    })

    test.each([
      'choice: "no such"',
      'address: "no such"',
      'range: "no such"',
      'document: "{}"',
      'small: 70000',
      'id: 5000000000',
      'id: "-9223372036854775808"',
      'object: -1',
      'fixed: "AB"',
      'fixed: "ab "',
      'exact: 1e60',
    ])('%s finds nothing', async (condition) => {
      expect(await idsOf('Kinds', condition)).toEqual([])
    })

    test.each([
      [
        'uid: "no such"',
        'uid: "uid" takes a UUID such as "018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f", not "no such".',
      ],
      ['hour: "25 past"', 'hour: "hour" takes a time such as "09:30:00", not "25 past".'],
      ['single: "-Inf"', 'single: "single" takes a number, not "-Inf".'],
      ['single: 1e300', outOfRange],
      ['day: "+20000-02-31"', 'day: "day" takes a date such as "2026-01-31", not "+20000-02-31".'],
    ])('%s is refused', async (condition, message) => {
      expect(await run(`{ Kinds(${condition}) { totalCount } }`)).toEqual({
        data: { Kinds: null },
        errors: [
          {
            message,
            locations: [{ line: 1, column: 3 }],
            path: ['Kinds'],
            extensions: { code: 'PARAMETER_INVALID' },
          },
        ],
      })
    })

    test.each(allKinds.split(' '))('pages in the order of %s, both ways', async (name) => {
      for (const direction of ['asc', 'desc']) {
        const whole = await idsOf('Kinds', `${direction}: "${name}"`)
        const walked: number[] = []
        let after: string | null = null
        for (;;) {
          const document = `query ($after: String) { Kinds(${direction}: "${name}", first: 1, after: $after) { edges { cursor node { id } } } }`
          const answer = (await run(document, { after })) as {
            data: { Kinds: { edges: { cursor: string; node: { id: number } }[] } | null }
          }
          const [edge] = answer.data.Kinds?.edges ?? []
          if (edge === undefined) break
          walked.push(edge.node.id)
          after = edge.cursor
        }
        expect(walked).toEqual(whole)
        expect(walked.toSorted()).toEqual([1, 10, 11, 2])
      }
    })

    describe.each(['ignoring', 'nocase', 'padded', 'plain'])('texts in the column %s', (column) => {
      test.each([
        ['"Ärger"', [1]],
        ['"ärger"', [2]],
        ['"arger"', []],
        ['"ARGER"', [3]],
        ['["Ärger", "日", null]', [1]],
      ])('equal to %s', async (value, expected) => {
        expect(await idsOf('Loose', `${column}: ${value}`)).toEqual(expected)
      })
      test.each([
        ['op: "!=", val: "Ärger"', [2, 3]],
        ['op: "not in", val: ["Ärger", "日"]', [2, 3]],
        ['op: "starts", val: "Ä"', [1]],
        ['op: "contains", val: "RG"', [3]],
        ['op: "ends", val: "r"', [1, 2]],
        ['op: "ends", val: "日"', []],
      ])('by %s', async (filter, expected) => {
        expect(await idsOf('Loose', `filters: [{key: "${column}", ${filter}}]`)).toEqual(expected)
      })
      test('sorted, and compared by >', async () => {
        const own = column === 'ignoring'
        expect(await idsOf('Loose', `asc: "${column}"`)).toEqual(own ? [1, 2, 3] : [3, 1, 2])
        const greater = await idsOf('Loose', `filters: [{key: "${column}", op: ">", val: "a"}]`)
        expect(greater).toEqual(own ? [1, 2, 3] : [1, 2])
      })
    })

    test('references of several columns, limited per parent too', async () => {
      expect(
        await run(
          '{ odd__name_ { edges { node { key_a ChildCollection: childCollection(first: 1) { totalCount pageInfo { hasNextPage } edges { node { id bRef { key_b } } } } childCollectionByCD { edges { node { id } } } } } } }',
        ),
      ).toEqual({
        data: {
          odd__name_: {
            edges: [
              {
                node: {
                  key_a: 'K',
                  ChildCollection: {
                    totalCount: 2,
                    pageInfo: { hasNextPage: true },
                    edges: [{ node: { id: 1, bRef: { key_b: '9007199254740993' } } }],
                  },
                  childCollectionByCD: { edges: [{ node: { id: 2 } }] },
                },
              },
              {
                node: {
                  key_a: 'M',
                  ChildCollection: { totalCount: 0, pageInfo: { hasNextPage: false }, edges: [] },
                  childCollectionByCD: { edges: [{ node: { id: 1 } }] },
                },
              },
            ],
          },
        },
      })
    })

    test.each([
      ['insert into "Child" (id, a, b) values (9, \'none\', 1)', 'foreignKeyViolation', ['a', 'b']],
      ['delete from "Child" where id = 1', 'foreignKeyViolation', ['id']],
      ["select '5x'::integer", 'valueRefused', []],
    ])('%s fails as %s', async (sql, kind, columns) => {
      expect(await failureOf(sql)).toEqual({ kind, columns })
    })

    // Bytes are sent in the binary form of their type.
    test.each([
      ['too short for it', [0, 255]],
      ['too long for it', Array.from({ length: 17 }, () => 0)],
    ])(
      'bytes for a column that is of another type meanwhile, and %s: the statement fails alone',
      async (_case, bytes) => {
        const found = await sample.database.driver.transaction(async (connection) => {
          const pid = async () =>
            (await connection.query({ sql: 'select pg_backend_pid()', parameters: [] }))[0]?.[0]
          const before = await pid()
          await connection.execute({ sql: 'savepoint s', parameters: [] })
          const failure = await connection
            .query({ sql: "select 1 where $1 = interval '1 day'", parameters: [Buffer.from(bytes)] })
            .catch((error: DatabaseError) => error.kind)
          await connection.execute({ sql: 'rollback to savepoint s', parameters: [] })
          return { failure, isSame: (await pid()) === before }
        })
        expect(found).toEqual({ failure: 'statement', isSame: true })
      },
    )

    test('a changed column type fails one prepared statement, and not once on each connection', async () => {
      await execute('create table "Retyped" (v int)')
      await execute('insert into "Retyped" values (1)')
      /** Reads on so many connections, one inside the other. */
      const readOn = (connections: number): Promise<readonly unknown[]> =>
        sample.database.driver.read(async (connection) => {
          const seen = await connection
            .select({ sql: 'select v from "Retyped"', parameters: [] })
            .then((rows) => rows.value(0, 0))
            .catch((error: unknown) => (error as DatabaseError).kind)
          return [seen, ...(connections > 1 ? await readOn(connections - 1) : [])]
        })
      expect(await readOn(2)).toEqual([1, 1])
      await execute('alter table "Retyped" alter v type text')
      const seen = await readOn(2)
      expect(seen.toSorted()).toEqual(['1', 'schemaChanged'])
    })

    test('refused changes leave no prepared statements behind on the server', async () => {
      await execute('create table "Checked" (v int check (v > 0), w int)')
      const change = (v: number) =>
        sample.database.driver.transaction(async (connection) => {
          // Of all that this process of the server has, since others may take turns.
          const prepared = 'select count(*) from pg_prepared_statements'
          const [row] = await connection.query({ sql: prepared, parameters: [] })
          await connection.execute({ sql: 'insert into "Checked" (v) values ($1)', parameters: [v] })
          return Number(row?.[0])
        })
      const most = await change(1)
      for (let time = 0; time < 50; time += 1) await change(-1).catch(() => undefined)
      for (let time = 0; time < 50; time += 1)
        await execute('insert into "Checked" (w) values ($1)', [1.5]).catch(() => undefined)
      expect(await change(1)).toBeLessThan(most + 10)
    })

    test('a user that may read some tables and columns gets those, and hears of the others', async () => {
      const role = `gatehouse_reader_${process.pid}`
      await execute(`create role ${role}`)
      try {
        await execute(`grant select on "Loose" to ${role}`)
        await execute(`grant select (id, a) on "Child" to ${role}`)
        const seen = await sample.database.driver.read(async (connection) => {
          await connection.execute({ sql: `set local role ${role}`, parameters: [] })
          return introspectPostgresql(connection, ['public'])
        })
        expect([...seen.tables.values()].map(({ name, columns }) => [name, columns.size])).toEqual([
          ['Child', 2],
          ['Loose', 5],
        ])
        expect(seen.leftOut).toContainEqual({
          what: 'table "public"."Kinds"',
          reason: 'this user may not read it',
        })
        expect(seen.leftOut).toContainEqual({
          what: 'column "parent" of table "public"."Child"',
          reason: 'this user may not read it',
        })
      } finally {
        await execute(`drop owned by ${role}`)
        await execute(`drop role ${role}`)
      }
    })
  },
)

const setUp = [
  'create extension citext',
  'create extension intarray',
  "create collation ignoring (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
  `create table "odd ""name""" ("key a" citext, "key b" bigint, "it's ""x""" int, primary key ("key a", "key b"))`,
  `insert into "odd ""name""" values ('K', 9007199254740993, 5), ('M', -1, 6)`,
  'create schema "other ""schema"""',
  'create table "other ""schema"""."Kinds" (id int primary key, note text)',
  `insert into "other ""schema"""."Kinds" values (7, 'far')`,
  `create table "Child" (id int primary key, a citext, b bigint, c citext, d bigint, parent int, far int,
    constraint one foreign key (a, b) references "odd ""name""",
    constraint other foreign key (c, d) references "odd ""name""",
    constraint self foreign key (parent) references "Child" (id),
    constraint far foreign key (far) references "other ""schema"""."Kinds")`,
  `comment on table "Child" is 'Says """things""".'`,
  `comment on column "Child".a is 'First part.'`,
  `insert into "Child" values (1, 'k', 9007199254740993, 'M', -1, null, 7), (2, 'K', 9007199254740993, 'k', 9007199254740993, 1, null)`,
  `create type mood as enum ('b c', 'a')`,
  'create type couple as (number int, word text)',
  'create domain positive as numeric check (value > 0) not null',
  'create domain more_positive as positive check (value > 1)',
  `create table "Kinds" (id int generated by default as identity primary key, flag boolean, small smallint, big bigint, object oid, exact numeric(10,3),
    single real, twice double precision, moment timestamp, zoned timestamptz, day date, hour time, zonedhour timetz, length interval, choice mood,
    fixed char(5), word text, letter "char", uid uuid, document json, binarydocument jsonb, list text[], matrix smallint[][], bytes bytea, range int4range,
    address cidr, pair couple, bits bit(3), place point, price money, search tsvector, markup xml, amount more_positive default 2,
    made int generated always as (small + 32770) stored)`,
  `insert into "Kinds" values (1, true, -32768, -9223372036854775808, 4294967295, -1.5, 0.1, 1e-7, '2026-01-31 09:30:00.12', '2026-01-31 09:30:00.000001+01',
    '2026-01-31', '09:30:00.25', '09:30:00+02', '1 year 2 days 3 hours', 'b c', 'ab', 'Text', 'x', '3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e10', '{"b":1,  "a":[1]}',
    '{"b": 12345678901234567890.5, "a":[1]}', '{a,"b,c",null}', '{{1,2},{3,4}}', '\\x00ff', '[1,4]', '10.0.0.0/8', '(1,"x y")', '101', '(1,2)', 1234.5, 'cat:1', '<a>1</a>', 10.50)`,
  'insert into "Kinds" (id) values (2)',
  `insert into "Kinds" (id, exact, single, twice, moment, zoned, day) values
    (10, 'NaN', 'NaN', 'Infinity', 'infinity', '-infinity', 'infinity')`,
  `insert into "Kinds" (id, single, twice, moment, zoned, day) values
    (11, '-Infinity', 'NaN', '0044-03-15 12:00:00 BC', '10000-01-01 00:00:00+00', '0001-01-01 BC')`,
  `alter table "Kinds" alter exact type numeric`,
  // Decimals are infinite from version 14 on.
  `update "Kinds" set exact = (case when current_setting('server_version_num')::int >= 140000 then '-Infinity' else '-1e12' end)::numeric
    where id = 11`,
  'create table "Loose" (id int primary key, ignoring text collate ignoring, nocase citext, padded char(10), plain varchar(20))',
  `insert into "Loose" select id, name, name, name, name from (values (1, 'Ärger'), (2, 'ärger'), (3, 'ARGER')) v (id, name)`,
  'create table events (id int, day date, primary key (day, id)) partition by range (day)',
  `create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01')`,
  'create table inherited (id int primary key)',
  'create table heir (extra text) inherits (inherited)',
  'create table empty ()',
  'create view seen as select id, word from "Kinds"',
  'create materialized view filled as select id from "Kinds"',
  'create materialized view unfilled as select id from "Kinds" with no data',
  'create table gatehouse_own (id int)',
]
