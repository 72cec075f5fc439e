import { expect, test } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { products, type TestProduct } from '../support/products.ts'
import { openSampleDatabase, runGraphql } from '../support/sample-database.ts'

/** Runs a query on tables that another program made. */
async function onTables(
  product: TestProduct,
  statements: readonly string[],
  query: string,
): Promise<unknown> {
  const sample = await openSampleDatabase(product)
  try {
    await sample.execute(statements)
    return await runGraphql(sample, await sample.snapshot('native'), query)
  } finally {
    await sample.close()
  }
}

const named = (name: string) => products.filter((product) => product.name === name)

describeOn(products, (product) => {
  test('a table without a key, and columns with the names of ours', async () => {
    const quote = product.name === 'MariaDB' ? '`' : '"'
    const columns = ['count', 'sum', 'keys', 'and', 'null'].map((name) => `${quote}${name}${quote} int`)
    expect(
      await onTables(
        product,
        [
          `create table plain (${columns.join(', ')})`,
          'insert into plain values (1, 2, 3, 4, 5), (1, 2, 3, 4, null)',
        ],
        `{ plain { aggregates { count sum { count sum keys and null } }
           groups(by: [{field: count}, {field: null_}], having: {sum: {keys: {eq: 3}}}) { keys { count null } sum { and } } } }`,
      ),
    ).toEqual({
      data: {
        plain: {
          aggregates: { count: 2, sum: { count: 2, sum: 4, keys: 6, and: 8, null: 5 } },
          groups: [
            { keys: { count: 1, null: null }, sum: { and: 4 } },
            { keys: { count: 1, null: 5 }, sum: { and: 4 } },
          ],
        },
      },
    })
  })

  test('a view, and composite keys of collections', async () => {
    const text = 'varchar(20)'
    expect(
      await onTables(
        product,
        [
          `create table shelf (house ${text} not null, number int not null, primary key (house, number))`,
          `create table book (id int primary key, house ${text}, shelf int, pages int, foreign key (house, shelf) references shelf (house, number))`,
          "insert into shelf values ('a', 1), ('a', 2), ('b', 1)",
          "insert into book values (1, 'a', 1, 10), (2, 'a', 1, 20), (3, 'b', 1, 5), (4, null, 1, 7)",
          'create view thick as select id, pages from book where pages > 6',
        ],
        `{ shelf { edges { node { house number bookCollection { aggregates { sum { pages } } groups(by: {field: pages}) { count keys { pages } } } } } }
           thick { aggregates { count avg { pages } } } }`,
      ),
    ).toEqual({
      data: {
        shelf: {
          edges: [
            ['a', 1, 30, [10, 20]],
            ['a', 2, null, []],
            ['b', 1, 5, [5]],
          ].map(([house, number, pages, all]) => ({
            node: {
              house,
              number,
              bookCollection: {
                aggregates: { sum: { pages } },
                groups: (all as number[]).map((one) => ({ count: 1, keys: { pages: one } })),
              },
            },
          })),
        },
        thick: { aggregates: { count: 3, avg: { pages: 37 / 3 } } },
      },
    })
  })
})

describeOn(named('PostgreSQL'), (product) => {
  test('types of PostgreSQL', async () => {
    expect(
      await onTables(
        product,
        [
          "create type mood as enum ('sad', 'happy')",
          `create table odd (id int primary key, small real, money numeric, at timestamptz, clock timetz, day date, yes boolean,
             mood mood, who uuid, raw bytea, span interval, data jsonb, tags text[], code char(4), o oid, folded text collate "und-x-icu")`,
          `insert into odd values
            (1, 0.1, 1.50, '2024-01-01 00:30+02', '01:00+02', '2024-02-29', true, 'happy', '018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f', 'a', '1 day', '{}', '{a}', 'ab', 4294967295, 'a'),
            (2, 0.1, 1.5, '2023-12-31 22:30+00', '23:00+00', 'infinity', false, 'sad', null, 'a', '24:00', '{}', '{a}', 'ab', 1, 'A'),
            (3, 'NaN', 'NaN', 'infinity', null, '0044-03-15 BC', null, null, null, null, null, null, null, null, null, 'ä')`,
        ],
        `{ odd {
          aggregates {
            countDistinct { small money at clock day yes mood who raw span code o folded }
            sum { id o } min { day clock mood code folded small } max { at day mood o folded }
          }
          money: groups(by: {field: money}) { keys { money } count }
          yes: groups(by: {field: yes}) { keys { yes } }
          mood: groups(by: {field: mood}) { keys { mood } }
          raw: groups(by: {field: raw}) { keys { raw } count }
          span: groups(by: {field: span}) { keys { span } }
          clock: groups(by: {field: clock}) { keys { clock } }
          year: groups(by: {field: at, every: YEAR}) { keys { at } count }
          days: groups(by: {field: day, every: YEAR}) { keys { day } }
          folded: groups(by: {field: folded}) { keys { folded } }
        } }`,
      ),
    ).toEqual({
      data: {
        odd: {
          aggregates: {
            countDistinct: {
              small: 2,
              money: 2,
              at: 2,
              clock: 1,
              day: 3,
              yes: 2,
              mood: 2,
              who: 1,
              raw: 1,
              span: 2,
              code: 1,
              o: 2,
              folded: 3,
            },
            sum: { id: 6, o: 4294967296 },
            min: {
              day: '-0043-03-15',
              clock: '23:00:00',
              mood: 'happy',
              code: 'ab',
              folded: 'A',
              small: 0.1,
            },
            max: { at: 'infinity', day: 'infinity', mood: 'sad', o: 4294967295, folded: 'ä' },
          },
          money: [
            { keys: { money: '1.5' }, count: 2 },
            { keys: { money: 'NaN' }, count: 1 },
          ],
          yes: [null, false, true].map((yes) => ({ keys: { yes } })),
          mood: [null, 'happy', 'sad'].map((mood) => ({ keys: { mood } })),
          raw: [
            { keys: { raw: null }, count: 1 },
            { keys: { raw: 'YQ==' }, count: 2 },
          ],
          span: [null, '1 day', '24:00:00'].map((span) => ({ keys: { span } })),
          clock: [null, '23:00:00'].map((clock) => ({ keys: { clock } })),
          year: [
            { keys: { at: '2023-01-01T00:00:00' }, count: 2 },
            { keys: { at: 'infinity' }, count: 1 },
          ],
          days: ['-0043-01-01', '2024-01-01', 'infinity'].map((day) => ({ keys: { day } })),
          folded: ['A', 'a', 'ä'].map((folded) => ({ keys: { folded } })),
        },
      },
    })
  })

  test('sums beyond 64-bit numbers', async () => {
    expect(
      await onTables(
        product,
        [
          'create table wide (id int primary key, n numeric)',
          'insert into wide values (1, 1e400), (2, 1e400), (3, 1e-400)',
        ],
        '{ wide { groups(by: {field: id}) { avg { n } } aggregates { avg { n } } } }',
      ),
    ).toEqual({
      data: {
        wide: {
          groups: ['Infinity', 'Infinity', 0].map((n) => ({ avg: { n } })),
          aggregates: { avg: { n: 'Infinity' } },
        },
      },
    })
  })
})

describeOn(named('MariaDB'), (product) => {
  test('types and collations of MariaDB', async () => {
    expect(
      await onTables(
        product,
        [
          `create table odd (id int primary key, folded varchar(10) collate utf8mb4_general_ci, latin varchar(10) character set latin1,
             tone enum('z', 'a'), bits bit(4), small float, single float, made timestamp null, year year, clock time, raw varbinary(9), big bigint unsigned, money decimal(65,30), long_text longtext)`,
          `insert into odd values
            (1, 'a', 'é', 'z', b'1', 0.1, 1, '2024-01-01 00:00:01', 2024, '-10:00', 'a', 18446744073709551615, 1.5, concat(repeat('x', 3000), '1')),
            (2, 'A', 'É', 'a', b'11', 0.1, 2, '2024-12-31 23:59:59', 1999, '100:00', 'A', 1, 0.000000000000000000000000000001, concat(repeat('x', 3000), '2')),
            (3, 'a ', 'e', null, null, null, 3, null, null, null, 'a', null, 99999999999999999999999999999999999, concat(repeat('x', 3000), '1'))`,
        ],
        `{ odd {
          aggregates {
            countDistinct { folded latin tone bits small raw big long_text }
            sum { bits year big money } min { folded latin tone small clock year } max { folded tone clock big money }
          }
          folded: groups(by: {field: folded}) { keys { folded } count }
          latin: groups(by: {field: latin}) { keys { latin } }
          tone: groups(by: {field: tone}) { keys { tone } }
          bits: groups(by: {field: bits}) { keys { bits } }
          raw: groups(by: {field: raw}) { keys { raw } count }
          small: groups(by: {field: small}) { keys { small } count }
          months: groups(by: {field: made, every: MONTH}) { keys { made } }
          money: groups(by: {field: money}) { keys { money } }
          text: groups(by: {field: long_text}) { count }
        } }`,
      ),
    ).toEqual({
      data: {
        odd: {
          aggregates: {
            countDistinct: { folded: 3, latin: 3, tone: 2, bits: 2, small: 1, raw: 2, big: 2, long_text: 2 },
            sum: {
              bits: 4,
              year: 4023,
              big: '18446744073709551616',
              money: '100000000000000000000000000000000000.500000000000000000000000000001',
            },
            min: { folded: 'A', latin: 'e', tone: 'a', small: 0.1, clock: '-10:00:00', year: 1999 },
            max: {
              folded: 'a ',
              tone: 'z',
              clock: '100:00:00',
              big: '18446744073709551615',
              money: '99999999999999999999999999999999999',
            },
          },
          folded: ['A', 'a', 'a '].map((folded) => ({ keys: { folded }, count: 1 })),
          latin: ['e', 'É', 'é'].map((latin) => ({ keys: { latin } })),
          tone: [null, 'a', 'z'].map((tone) => ({ keys: { tone } })),
          bits: [null, 1, 3].map((bits) => ({ keys: { bits } })),
          raw: [
            { keys: { raw: 'QQ==' }, count: 1 },
            { keys: { raw: 'YQ==' }, count: 2 },
          ],
          small: [
            { keys: { small: null }, count: 1 },
            { keys: { small: 0.1 }, count: 2 },
          ],
          months: [null, '2024-01-01T00:00:00', '2024-12-01T00:00:00'].map((made) => ({ keys: { made } })),
          money: ['0.000000000000000000000000000001', '1.5', '99999999999999999999999999999999999'].map(
            (money) => ({ keys: { money } }),
          ),
          text: [{ count: 2 }, { count: 1 }],
        },
      },
    })
  })
})

describeOn(named('SQLite'), (product) => {
  test('values of any kind', async () => {
    expect(
      await onTables(
        product,
        [
          'create table odd (id integer primary key, n integer, money numeric(10,2), at datetime, day date, yes boolean, folded text collate nocase, any_thing, f real)',
          `insert into odd values
            (1, 9223372036854775807, 0.1, '2024-01-01T00:30:00+02:00', '2024-02-29', 1, 'a', 1, 0.5),
            (2, 9223372036854775807, 0.2, '2023-12-31 22:30:00', 'soon', 'true', 'A', '1', 'x'),
            (3, 1.5, 12345678901234567890, 'never', null, 0, 'a', 1.0, 2),
            (4, 'x', 'y', null, '2024-02-01', null, null, 1.5, null)`,
        ],
        `{ odd {
          aggregates { countDistinct { n money at yes folded any_thing } sum { n money f } avg { f money } min { folded money } max { at } }
          at: groups(by: {field: at, every: YEAR}) { keys { at } count }
          hours: groups(by: {field: at, every: HOUR}) { keys { at } }
          day: groups(by: {field: day, every: MONTH}) { keys { day } count }
          yes: groups(by: {field: yes}) { keys { yes } count }
          folded: groups(by: {field: folded}) { keys { folded } count }
          any: groups(by: {field: any_thing}) { keys { any_thing } count }
          money: groups(by: {field: money}) { keys { money } }
        } }`,
      ),
    ).toEqual({
      data: {
        odd: {
          aggregates: {
            countDistinct: { n: 3, money: 4, at: 2, yes: 2, folded: 2, any_thing: 2 },
            sum: { n: '18446744073709551615.5', money: '12345678901234567000.3', f: 2.5 },
            avg: { f: 1.25, money: Number('12345678901234567000.3') / 3 },
            min: { folded: 'A', money: '0.1' },
            max: { at: 'never' },
          },
          at: [
            { keys: { at: null }, count: 2 },
            { keys: { at: '2023-01-01T00:00:00' }, count: 2 },
          ],
          hours: [null, '2023-12-31T22:00:00'].map((at) => ({ keys: { at } })),
          day: [
            { keys: { day: null }, count: 2 },
            { keys: { day: '2024-02-01' }, count: 2 },
          ],
          yes: [
            { keys: { yes: null }, count: 1 },
            { keys: { yes: false }, count: 1 },
            { keys: { yes: true }, count: 2 },
          ],
          folded: [
            { keys: { folded: null }, count: 1 },
            { keys: { folded: 'A' }, count: 1 },
            { keys: { folded: 'a' }, count: 2 },
          ],
          any: [
            { keys: { any_thing: '1' }, count: 3 },
            { keys: { any_thing: '1.5' }, count: 1 },
          ],
          money: ['0.1', '0.2', '12345678901234567000', 'y'].map((money) => ({ keys: { money } })),
        },
      },
    })
  })
})
