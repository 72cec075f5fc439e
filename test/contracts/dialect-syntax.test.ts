/** How each product writes what the query compiler asks for: every member of `Syntax`, in small queries. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { TypedExpression } from '../../src/database/aggregate-syntax.ts'
import type { Column } from '../../src/database/database-schema.ts'
import { join, parameter, raw, type SqlFragment, sql } from '../../src/database/sql.ts'
import type { SqlValue } from '../../src/database/sql-value.ts'
import type { CaselessTest, KeyedSelect, Syntax } from '../../src/database/syntax.ts'
import { openForSuite } from '../support/opened-database.ts'
import { products } from '../support/products.ts'

type Fragment = SqlFragment<SqlValue>

const texts = [
  'Ärger',
  'ärger',
  'ARGER',
  'arger',
  'arger ',
  ' arger',
  '',
  '%',
  '_',
  'a%b_c',
  'a\\b',
  "it's",
  '"quoted" `name`',
  'ü日😀',
  '日',
  '10',
  '9',
  'null',
  'ΟΔΟΣ',
  'οδος İI',
]
const probes = [...texts, 'Σ', 'σ i', 'GER', 'a', 'ger', 'r ', ' ', '%b', '\\', '😀', 'none of them']

/** Texts sort by code point. */
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
/** Each character in its lower case by Unicode's table of single characters. */
const lowered = (text: string) => text.replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase()
/** Letters that have a lower case since a version of Unicode after 5.2, which not every server knows. */
const newLetters: readonly (readonly [first: number, last: number])[] = [
  [0x37f, 0x37f],
  [0x526, 0x52e],
  [0x10c7, 0x10cd],
  [0x13a0, 0x13f5],
  [0x1c89, 0x1cbf],
  [0x2c2f, 0x2c2f],
  [0x2cf2, 0x2cf2],
  [0xa660, 0xa660],
  [0xa698, 0xa69a],
  [0xa78d, 0xa7f5],
  [0x104b0, 0x1e921],
]
const isNewLetter = (code: number) => newLetters.some(([first, last]) => first <= code && code <= last)
const idsWhere = (holds: (text: string) => boolean) =>
  [...texts.keys()].filter((id) => holds(texts[id] ?? ''))

/** Names that quoting has to survive. */
const hostileNames = [
  'with blank',
  'select',
  'quo"te',
  'back`tick',
  "apo'strophe",
  'dot.ted',
  'semi;colon -- comment',
  'ünï 日',
  'back\\slash',
  '$1 ?1 ?',
  '%s',
]

describe.each(products)('$name', (product) => {
  let syntax: Syntax
  let word: Column
  const columns: Record<string, Column> = {}

  const opened = openForSuite(product, async ({ create, driver, statement, execute, table }) => {
    const common = { uniqueKeys: [], foreignKeys: [], indexes: [] }
    const id = { name: 'id', type: 'integer', nullable: false } as const
    await create(
      {
        ...common,
        name: 'texts',
        columns: [id, { name: 'word', type: 'string', nullable: true }],
        primaryKey: ['id'],
      },
      {
        ...common,
        name: 'numbers',
        columns: [
          id,
          { name: 'whole', type: 'integer', nullable: true },
          { name: 'big', type: 'bigInteger', nullable: true },
          { name: 'exact', type: 'decimal', nullable: true },
          { name: 'loose', type: 'float', nullable: true },
          { name: 'day', type: 'date', nullable: true },
          { name: 'moment', type: 'dateTime', nullable: true },
        ],
        primaryKey: ['id'],
      },
      {
        ...common,
        name: 'children',
        columns: [
          id,
          { name: 'parent', type: 'integer', nullable: true },
          { name: 'code', type: 'string', nullable: true },
        ],
        primaryKey: ['id'],
        indexes: [['parent', 'code']],
      },
    )
    await driver.transaction(async (connection) => {
      for (const [id, text] of [...texts, null].entries())
        await connection.execute(statement('insert into texts values (?, ?)', id, text))
      const rows: readonly (readonly SqlValue[])[] = [
        [0, 1, 2n ** 63n - 1n, '1.5', 0.1, '2026-01-31', '2026-01-31 09:30:00'],
        [1, -1, -(2n ** 63n), '-1000000', 1e-7, '1999-12-31', '2026-01-31 09:30:00.000001'],
        [2, 100, 5n, '10', 1e300, '2026-02-01', '0999-01-01 00:00:00'],
        [3, null, null, null, null, null, null],
      ]
      for (const row of rows)
        await connection.execute(statement('insert into numbers values (?, ?, ?, ?, ?, ?, ?)', ...row))
      for (let id = 0; id < 12; id += 1)
        await connection.execute(
          statement('insert into children values (?, ?, ?)', id, id < 10 ? id % 3 : null, `c${id % 2}`),
        )
    })
    await execute(`create table numbered (id ${product.numberedKey}, word varchar(10))`)
    for (const name of ['texts', 'numbers', 'children'])
      for (const column of (await table(name)).columns.values()) columns[column.name] = column
  })
  beforeAll(() => {
    syntax = opened.database.dialect.syntax
    word = columnOf('word')
  })

  const columnOf = (name: string): Column => {
    const column = columns[name]
    if (column === undefined) throw new Error(`there is no column ${name}`)
    return column
  }
  const named = (name: string): SqlFragment<never> => raw(syntax.quoteIdentifier(name))
  const firstOf = async (fragment: Fragment) => (await opened.rows(fragment)).map(([value]) => value)
  const idsOf = (condition: Fragment, table = 'texts') =>
    firstOf(sql<SqlValue>`select id from ${raw(table)} where ${condition} order by id`)

  describe('texts with wildcards, case, accents and blanks', () => {
    const tests: readonly (readonly [
      what: string,
      condition: (probe: string) => Fragment,
      holds: (text: string, probe: string) => boolean,
    ])[] = [
      [
        'equals',
        (probe) => syntax.equals(word, named('word'), parameter(probe)),
        (text, probe) => text === probe,
      ],
      [
        'inList',
        (probe) =>
          syntax.inList(word, named('word'), parameter(syntax.listParameter([probe, 'another', 'ärger']))),
        (text, probe) => text === probe || text === 'ärger',
      ],
      [
        'startsWith',
        (probe) => syntax.startsWith(word, named('word'), parameter(probe), parameter(`${probe}\u{10ffff}`)),
        (text, probe) => text.startsWith(probe),
      ],
      [
        'startsWith without an end',
        (probe) => syntax.startsWith<SqlValue>(word, named('word'), parameter(probe), undefined),
        (text, probe) => byCodePoint(text, probe) >= 0,
      ],
      [
        'endsWith',
        (probe) => syntax.endsWith(word, named('word'), parameter(probe)),
        (text, probe) => text.endsWith(probe),
      ],
      [
        'contains',
        (probe) => syntax.contains(word, named('word'), parameter(probe)),
        (text, probe) => text.includes(probe),
      ],
      ...(
        [
          ['iequals', (text, probe) => text === probe],
          ['istarts', (text, probe) => text.startsWith(probe)],
          ['iends', (text, probe) => text.endsWith(probe)],
          ['icontains', (text, probe) => text.includes(probe)],
        ] as const satisfies readonly (readonly [CaselessTest, (text: string, probe: string) => boolean])[]
      ).map(
        ([test, holds]) =>
          [
            test,
            (probe: string) => syntax.caseless<SqlValue>(test, word, named('word'), parameter(probe)),
            (text: string, probe: string) => holds(lowered(text), lowered(probe)),
          ] as const,
      ),
      [
        'comparedKey',
        (probe) =>
          sql`${syntax.comparedKey(word, named('word'))} < ${syntax.comparedKey<SqlValue>(word, parameter(probe))}`,
        (text, probe) => byCodePoint(text, probe) < 0,
      ],
    ]
    test.each(tests)('%s', async (_, condition, holds) => {
      for (const probe of probes)
        expect([probe, await idsOf(condition(probe))]).toEqual([
          probe,
          idsWhere((text) => holds(text, probe)),
        ])
    })

    test('each capital letter is like its small one', async () => {
      const capitals: string[] = []
      for (let code = 0; code <= 0x10ffff; code += 1) {
        const letter = code >= 0xd800 && code <= 0xdfff ? '' : String.fromCodePoint(code)
        if (lowered(letter) !== letter) capitals.push(letter)
      }
      const unlike: string[] = []
      for (const letter of capitals) {
        const alike = syntax.caseless<SqlValue>(
          'iequals',
          word,
          parameter(letter),
          parameter(lowered(letter)),
        )
        const [found] = await firstOf(sql<SqlValue>`select 1 where ${alike}`)
        if (found === undefined) unlike.push(letter)
      }
      expect(capitals.length).toBeGreaterThan(1400)
      const old = unlike.map((letter) => letter.codePointAt(0) ?? 0).filter((code) => !isNewLetter(code))
      expect(old.map((code) => code.toString(16))).toEqual([])
    })

    test('isNull', async () => {
      expect(await idsOf(syntax.isNull(word, named('word'), false))).toEqual([texts.length])
      expect(await idsOf(syntax.isNull(word, named('word'), true))).toEqual([...texts.keys()])
    })

    test('an empty list has none', async () => {
      expect(await idsOf(syntax.inList(word, named('word'), parameter(syntax.listParameter([]))))).toEqual([])
    })
  })

  test.each([
    ['whole', [1, 100], [0, 2]],
    ['big', [2n ** 63n - 1n, -(2n ** 63n), 7n], [0, 1]],
    ['exact', ['1.50', '10', '3'], [0, 2]],
    ['loose', [0.1, 1e300, 1e-7], [0, 1, 2]],
    ['day', ['1999-12-31', '2000-01-01'], [1]],
    ['moment', ['2026-01-31 09:30:00.000001'], [1]],
  ] as const)('values of the column %s are found, alone and in a list', async (name, values, expected) => {
    const column = columnOf(name)
    // Decimals are compared in the one form that all have.
    const plain = values.map((value) => (value === '1.50' ? '1.5' : value))
    const list = parameter(syntax.listParameter(plain))
    expect(await idsOf(syntax.inList(column, named(name), list), 'numbers')).toEqual(expected)
    const found = await Promise.all(
      plain.map((value) => idsOf(syntax.equals<SqlValue>(column, named(name), parameter(value)), 'numbers')),
    )
    expect(found.flat().toSorted()).toEqual(expected)
  })

  test.each([
    ['word', 'texts', [...texts.keys()].toSorted((a, b) => byCodePoint(texts[a] ?? '', texts[b] ?? ''))],
    ['whole', 'numbers', [1, 0, 2]],
    ['big', 'numbers', [1, 2, 0]],
    ['exact', 'numbers', [1, 0, 2]],
    ['loose', 'numbers', [1, 0, 2]],
    ['day', 'numbers', [1, 0, 2]],
    ['moment', 'numbers', [2, 0, 1]],
  ] as const)('the column %s is sorted, nulls lowest', async (name, table, expected) => {
    const column = columnOf(name)
    expect(syntax.nullsLowest(column)).toBe(true)
    expect(syntax.sortsNullsByIndex(column)).toBeTypeOf('boolean')
    const key = syntax.sortKey<never>(column, named(name))
    const sorted = (direction: 'asc' | 'desc') =>
      firstOf(sql`select id from ${raw(table)} order by ${syntax.orderTerm(key, direction, column)}`)
    const all = [expected.length, ...expected]
    expect(await sorted('asc')).toEqual(all)
    expect(await sorted('desc')).toEqual(all.toReversed())
    // A value of a cursor is compared as the column is.
    const read = syntax.readColumn(column, named(name))
    const [middle] = await firstOf(
      sql<SqlValue>`select ${read} from ${raw(table)} where id = ${parameter(expected[1] ?? 0)}`,
    )
    const behind = sql<SqlValue>`${key} > ${syntax.sortKey<SqlValue>(column, parameter(middle ?? null))}`
    expect(await idsOf(behind, table)).toEqual(expected.slice(2).toSorted((a, b) => a - b))
  })

  test('a number in its stored form is the number', async () => {
    const column = columnOf('loose')
    expect(
      await firstOf(sql`select ${syntax.storedForm(column, named('loose'))} from numbers order by id`),
    ).toEqual([0.1, 1e-7, 1e300, null])
  })

  test.each([
    [undefined, undefined, [0, 1, 2, 3]],
    [2, undefined, [0, 1]],
    [undefined, 2, [2, 3]],
    [2, 1, [1, 2]],
    [0, 0, []],
  ])('limit %s, offset %s', async (limit, offset, expected) => {
    const part = (count: number | undefined): Fragment | undefined =>
      count === undefined ? undefined : parameter<SqlValue>(count)
    const end = syntax.limitOffset(part(limit), part(offset))
    expect(await firstOf(sql<SqlValue>`select id from numbers order by id${end}`)).toEqual(expected)
  })

  test('the check for a cancellation is true for all rows', async () => {
    const table = await opened.table('children')
    const check = syntax.cancellationCheck(table, 'c') ?? raw('1 = 1')
    expect(await firstOf(sql`select id from children c where ${check} order by id`)).toHaveLength(12)
  })

  test('hostile names are quoted', async () => {
    for (const name of hostileNames) {
      const table = syntax.quoteTable({ name: `t ${name}` })
      const column = syntax.quoteIdentifier(name)
      await opened.execute(`create table ${table} (${column} int)`)
      const { placeholder } = syntax
      await opened.driver.transaction((connection) =>
        connection.execute({
          sql: `insert into ${table} (${column}) values (${placeholder(1)})`,
          parameters: [7],
        }),
      )
      expect(await firstOf(sql`select ${raw(column)} from ${raw(table)} where ${raw(column)} = 7`)).toEqual([
        7,
      ])
      const found = await opened.table(`t ${name}`)
      expect([...found.columns.keys()]).toEqual([name])
      await opened.execute(`drop table ${syntax.quoteTable(found)}`)
    }
  })

  test('the key of a new row is reported', async () => {
    const { insertedKeys, emptyRow } = syntax
    const insert = (text: string) =>
      opened.driver.transaction(async (connection) => {
        if (insertedKeys.by === 'returning')
          return connection.query(opened.statement(`insert into numbered ${text} returning id`))
        await connection.execute(opened.statement(`insert into numbered ${text}`))
        return connection.query(opened.statement(insertedKeys.query))
      })
    expect(await insert("(word) values ('a')")).toEqual([[1]])
    expect(await insert(emptyRow)).toEqual([[2]])
    expect(await opened.query('select id, word from numbered order by id')).toEqual([
      [1, 'a'],
      [2, null],
    ])
    expect((await opened.column('numbered', 'id')).written).toMatch(/^(?:numbered|never)$/)
  })

  test('rows are compared as a whole, where an index is said to serve that', async () => {
    expect(syntax.comparesRowsByIndex).toBeTypeOf('boolean')
    expect(syntax.spellsOutLists).toBeTypeOf('boolean')
    const condition = sql<SqlValue>`(parent, id) > (${parameter<SqlValue>(1)}, ${parameter<SqlValue>(4)})`
    expect(await idsOf(condition, 'children')).toEqual([2, 5, 7, 8])
  })

  test('the first rows of an order with terms in different directions', async () => {
    const { fromLeading } = syntax
    if (fromLeading === undefined) return
    const from = fromLeading<SqlValue>({
      table: raw(syntax.quoteTable({ name: 'children' })),
      alias: 'c',
      column: raw('c.parent'),
      order: raw('c.parent desc'),
      where: raw('c.parent is not null'),
      limit: parameter(1),
    })
    expect(await firstOf(sql<SqlValue>`select c.id from ${from} order by c.parent desc, c.id`)).toEqual([
      2, 5, 8,
    ])
  })

  describe('rows by keys', () => {
    const select = (parts: Partial<KeyedSelect<SqlValue>>): Omit<KeyedSelect<SqlValue>, 'keys'> => ({
      table: raw(syntax.quoteTable({ name: 'children' })),
      alias: 'c',
      keyColumns: [columnOf('parent')],
      rowKey: [columnOf('id')],
      columns: [raw('c.id')],
      where: undefined,
      orderBy: [raw('c.id')],
      limit: undefined,
      offset: undefined,
      ...parts,
    })
    const keysOf = (keys: readonly (readonly SqlValue[])[]) => parameter(syntax.keyListParameter(keys))
    const one = parameter<SqlValue>(1)
    const two = parameter<SqlValue>(2)
    const cases: readonly (readonly [
      what: string,
      parts: () => Partial<KeyedSelect<SqlValue>>,
      keys: readonly (readonly SqlValue[])[],
      expected: readonly (readonly SqlValue[])[],
    ])[] = [
      [
        'all',
        () => ({}),
        [[2], [7], [0]],
        [
          [0, 2],
          [0, 5],
          [0, 8],
          [2, 0],
          [2, 3],
          [2, 6],
          [2, 9],
        ],
      ],
      [
        'some',
        () => ({ limit: two }),
        [[2], [7], [0]],
        [
          [0, 2],
          [0, 5],
          [2, 0],
          [2, 3],
        ],
      ],
      [
        'behind some',
        () => ({ offset: two }),
        [[2], [0]],
        [
          [0, 8],
          [1, 6],
          [1, 9],
        ],
      ],
      [
        'some behind others',
        () => ({ limit: one, offset: one }),
        [[2], [0]],
        [
          [0, 5],
          [1, 3],
        ],
      ],
      [
        'some under a condition',
        () => ({ limit: two, where: raw("c.code = 'c1'") }),
        [[0], [1]],
        [
          [0, 3],
          [0, 9],
          [1, 1],
          [1, 7],
        ],
      ],
      [
        'in another order',
        () => ({ limit: one, orderBy: [raw('c.id desc')] }),
        [[0], [1]],
        [
          [0, 9],
          [1, 7],
        ],
      ],
      [
        'some of rows without a key',
        () => ({ limit: two, rowKey: [] }),
        [[2]],
        [
          [0, 2],
          [0, 5],
        ],
      ],
      [
        'with keys of two columns',
        () => ({ keyColumns: [columnOf('parent'), columnOf('code')] }),
        [
          [0, 'c1'],
          [1, 'c0'],
          [1, 'C0'],
        ],
        [
          [0, 3],
          [0, 9],
          [1, 4],
        ],
      ],
      [
        'some with keys of two columns',
        () => ({ keyColumns: [columnOf('parent'), columnOf('code')], limit: one }),
        [
          [0, 'c1'],
          [1, 'c0'],
        ],
        [
          [0, 3],
          [1, 4],
        ],
      ],
    ]
    // MariaDB 10.11 gives rows to keys that they do not have, if the columns of these are compared by `=`.
    test('with keys of two columns, from a select, where conditions look the keys up', async () => {
      const pairs = Array.from({ length: 45 }, (_, index) => [index % 5, index])
      await opened.execute('create table pairs (x bigint not null, y bigint not null, primary key (x, y))')
      await opened.execute(`insert into pairs values ${pairs.map((pair) => `(${pair.join()})`).join()}`)
      await opened.execute('create table parts (id integer primary key, x bigint, y bigint)')
      await opened.execute('insert into parts values (1, 3, 3), (2, 0, 5), (3, null, 1)')
      const isThere = raw('exists (select 1 from pairs o where o.x = c.x and o.y = c.y and o.x = 3)')
      const asked = syntax.selectByKeys<SqlValue>({
        ...select({ keyColumns: [await opened.column('parts', 'x'), await opened.column('parts', 'y')] }),
        table: raw('(select c.id, c.x, c.y from parts c where c.id > 0)'),
        where: sql`(${isThere} or not ${isThere})`,
        keys: keysOf(pairs),
      })
      expect(await opened.rows(asked)).toEqual([
        [3, 1],
        [5, 2],
      ])
    })

    test.each(cases)('%s', async (_, parts, keys, expected) => {
      const asked = syntax.selectByKeys<SqlValue>({ ...select(parts()), keys: keysOf(keys) })
      expect(await opened.rows(asked)).toEqual(expected)
    })

    test.each(cases)('%s, key by key', async (_, parts, keys, expected) => {
      const rows: (readonly SqlValue[])[] = []
      for (const [position, key] of keys.entries()) {
        const part = syntax.selectByKey?.<SqlValue>(select(parts()), key.map(parameter))
        // It need not be there, nor for these keys.
        if (part === undefined) return
        rows.push(...(await opened.rows(sql<SqlValue>`select ${raw(String(position))}${part}`)))
      }
      expect(rows).toEqual(expected)
    })

    test.each(cases.filter(([what]) => /^(?:some|in another)/.test(what)))(
      '%s, one select for each key',
      async (_, parts, keys, expected) => {
        const selects = keys.map((key, position) => {
          const part = syntax.selectByKey?.<SqlValue>(select(parts()), key.map(parameter))
          return part && sql<SqlValue>`(select ${raw(String(position))}${part})`
        })
        const known = selects.filter((part) => part !== undefined)
        // It need not be there, nor for these keys.
        if (known.length < selects.length) return
        const rows = await opened.rows(join(known, ' union all '))
        expect(rows.toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual(expected)
      },
    )

    test('all in any order', async () => {
      const { table, alias, keyColumns, columns, where } = select({})
      const keys = keysOf([[2], [7], [0]])
      const all = syntax.rowsByKeys<SqlValue>({ table, alias, keyColumns, keys, columns, where })
      const position = syntax.keyPosition(raw('a.k'))
      const rows = await opened.rows(sql<SqlValue>`select ${position}, a.* from (${all}) a order by a.k`)
      const positions = rows.map(([first]) => Number(first))
      expect(positions).toEqual(positions.toSorted((a, b) => a - b))
      const found = rows.map(([first, _number, ...row]) => [first, ...row])
      expect(found.toSorted((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]))).toEqual(
        cases[0]?.[3],
      )
    })

    test('are counted', async () => {
      const { table, alias, keyColumns } = select({})
      const counted = async (where: Fragment | undefined) => {
        const keys = keysOf([[2], [7], [0]])
        const rows = await opened.rows(syntax.countByKeys({ table, alias, keyColumns, keys, where }))
        return rows.map(([key, count]) => [key, Number(count)]).toSorted()
      }
      expect(await counted(undefined)).toEqual([
        [0, 3],
        [2, 4],
      ])
      expect(await counted(raw("c.code = 'c0'"))).toEqual([
        [0, 2],
        [2, 2],
      ])
    })
  })

  describe('groups and aggregates', () => {
    /** What is read of a typed expression. */
    const read = ({ column, expression }: TypedExpression) => syntax.readColumn(column, expression)
    const own = (name: string) => raw(syntax.quoteIdentifier(name))

    test('values are in one group exactly if they are shown alike', async () => {
      const { expression, column } = syntax.aggregates.exactValue(word, own('word'))
      const rows = await opened.rows(
        sql`select ${read({ column, expression: raw('a.g') })}, ${read(syntax.aggregates.countRows)} from (select ${expression} as g from texts) a group by a.g`,
      )
      expect(rows.map(([text, count]) => JSON.stringify([text, Number(count)])).toSorted()).toEqual(
        [...texts, null].map((text) => JSON.stringify([text, 1])).toSorted(),
      )
    })

    test.each([
      ['moment', 'HOUR', [null, '0999-01-01 00:00:00', '2026-01-31 09:00:00', '2026-01-31 09:00:00']],
      ['moment', 'DAY', [null, '0999-01-01 00:00:00', '2026-01-31 00:00:00', '2026-01-31 00:00:00']],
      ['moment', 'MONTH', [null, '0999-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00']],
      ['moment', 'YEAR', [null, '0999-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00']],
      ['day', 'DAY', [null, '1999-12-31', '2026-01-31', '2026-02-01']],
      ['day', 'MONTH', [null, '1999-12-01', '2026-01-01', '2026-02-01']],
      ['day', 'YEAR', [null, '1999-01-01', '2026-01-01', '2026-01-01']],
    ] as const)('%s: the beginning of its %s', async (name, unit, expected) => {
      const start = syntax.aggregates.startOf(unit, columnOf(name), own(name))
      const rows = await opened.rows(sql`select ${read(start)} from numbers`)
      expect(rows.map(([value]) => value).toSorted()).toEqual(expected.toSorted())
    })

    test.each([
      ['whole', 'count', 3],
      ['whole', 'countDistinct', 3],
      ['whole', 'sum', '100'],
      ['whole', 'avg', 100 / 3],
      ['whole', 'min', -1],
      ['whole', 'max', 100],
      ['big', 'sum', '4'],
      ['big', 'avg', 4 / 3],
      ['big', 'min', '-9223372036854775808'],
      ['big', 'max', '9223372036854775807'],
      ['exact', 'sum', '-999988.5'],
      ['exact', 'avg', -999988.5 / 3],
      ['exact', 'min', '-1000000'],
      ['exact', 'max', '10'],
      ['loose', 'min', 1e-7],
      ['loose', 'max', 1e300],
      ['loose', 'sum', 1e300],
      ['day', 'min', '1999-12-31'],
      ['moment', 'max', '2026-01-31 09:30:00.000001'],
    ] as const)('%s: %s', async (name, fn, expected) => {
      const exact = syntax.aggregates.exactValue(columnOf(name), own(name))
      const value = syntax.aggregates.aggregate(fn, exact.column, raw('a.v'))
      const parts = value.shownFrom?.parts ?? [value.expression]
      const named = parts.map((part, index) => sql`${part} as ${raw(`p${index}`)}`)
      const names = parts.map((_, index) => raw(`h.p${index}`))
      const shown = value.shownFrom?.show(names) ?? syntax.readColumn(value.column, names[0] ?? raw('null'))
      const [row] = await opened.rows(
        sql`select ${shown} from (select ${join(named, ', ')} from (select ${exact.expression} as v from numbers) a) h`,
      )
      const [found] = row ?? []
      expect(typeof expected === 'number' ? Number(found) : String(found)).toEqual(expected)
    })
  })
})
