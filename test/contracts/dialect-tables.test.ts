/** Tables of entity definitions: made, found again, changed, locked and watched, on every product. */
import { describe, expect, test, vi } from 'vitest'
import { type ConversionName, conversionName, convertibleTypes } from '../../src/database/conversion.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Table } from '../../src/database/database-schema.ts'
import type { Connection } from '../../src/database/driver.ts'
import type { SqlValue } from '../../src/database/sql-value.ts'
import { inverseOf, type TableChange } from '../../src/database/table-change.ts'
import type { ColumnSpec, SpecType, TableSpec } from '../../src/database/table-spec.ts'
import { openForSuite } from '../support/opened-database.ts'
import { products } from '../support/products.ts'

const types: readonly SpecType[] = [
  'string',
  'text',
  'smallInteger',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'dateTime',
  'date',
  'jsonText',
]
const text = (name: string, nullable = false): ColumnSpec => ({ name, type: 'string', nullable })
const plain = (name: string, ...columns: readonly ColumnSpec[]): TableSpec => ({
  name,
  columns: [text('id'), ...columns],
  primaryKey: ['id'],
  uniqueKeys: [],
  foreignKeys: [],
  indexes: [],
})

/** A table with everything, and one that refers to it and that it refers to; with long names and such as have to be quoted. */
const long = 'l'.repeat(60)
const kinds = types.map((type) => ({ name: `a ${type}`, type, nullable: type !== 'integer' }))
const whole: TableSpec = {
  name: `a "whole" \`one\` ${'ü'.repeat(22)}`,
  columns: [text('id'), text('other', true), text('more', true), ...kinds],
  primaryKey: ['id'],
  uniqueKeys: [['other', 'more']],
  foreignKeys: [{ columns: ['more'], referencedTable: long, referencedColumns: ['id'] }],
  indexes: [['more', 'id']],
}
const loop: TableSpec = {
  name: long,
  columns: [text('part'), text('id'), text('to', true), text('up', true)],
  primaryKey: ['part', 'id'],
  uniqueKeys: [['id']],
  foreignKeys: [
    { columns: ['to'], referencedTable: whole.name, referencedColumns: ['id'] },
    { columns: ['up'], referencedTable: long, referencedColumns: ['id'] },
  ],
  indexes: [],
}

/** Of each conversion values of the old type, and what becomes of them: `cut` is the value that is kept, `unfit` has none. */
type Converted = readonly [value: SqlValue, as: SqlValue | 'unfit', isCut?: true]
const conversions: Readonly<Record<ConversionName, readonly Converted[]>> = {
  textToString: [
    ['short', 'short'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['ü'.repeat(300), 'ü'.repeat(255), true],
    [null, null],
  ],
  textToText: [
    ['a', 'a'],
    [null, null],
  ],
  integerToFloat: [
    [-7, -7],
    [2147483647, 2147483647],
    [null, null],
  ],
  integerToDecimal: [
    [-7, '-7'],
    [0, '0'],
    [null, null],
  ],
  integerToText: [
    [-7, '-7'],
    [null, null],
  ],
  integerToBoolean: [
    [0, 0],
    [1, 1],
    [2, 'unfit'],
    [-1, 'unfit'],
    [null, null],
  ],
  booleanToInteger: [
    [0, 0],
    [1, 1],
    [null, null],
  ],
  textToInteger: [
    ['7', 7],
    ['-2147483648', -2147483648],
    ['2147483648', 'unfit'],
    ['07', 'unfit'],
    ['1.5', 'unfit'],
    [' 7', 'unfit'],
    ['-0', 'unfit'],
    ['', 'unfit'],
    ['seven', 'unfit'],
    ['99999999999999999999', 'unfit'],
    [null, null],
  ],
  decimalToInteger: [
    ['7', 7],
    ['-1.5', -1, true],
    ['1.999', 1, true],
    ['2147483648', 'unfit'],
    [null, null],
  ],
  floatToInteger: [
    [7, 7],
    [-1.5, -1, true],
    [1e300, 'unfit'],
    [null, null],
  ],
  dateToDateTime: [
    ['2026-01-31', '2026-01-31 00:00:00'],
    [null, null],
  ],
  dateTimeToDate: [
    ['2026-01-31 00:00:00', '2026-01-31'],
    ['2026-01-31 09:30:00.5', '2026-01-31', true],
    [null, null],
  ],
}
const pairs = types.flatMap((from) => convertibleTypes(from).map((to) => [from, to] as const))

describe.each(products)('$name', (product) => {
  const opened = openForSuite(product)

  const change = (changes: readonly TableChange[]) =>
    opened.driver.transaction(
      async (connection) => {
        const { ddl, readCatalog } = opened.database.dialect
        const catalog = await readCatalog(connection)
        const steps = ddl.changeTables(changes, catalog)
        expect(new Set(steps.flatMap((step) => step.changes))).toEqual(new Set(changes.keys()))
        const present = changes.map(({ table }) => table).filter((table) => catalog.tables.has(table))
        for (const statement of [...ddl.boundLocks(present), ...steps.flatMap((step) => step.statements)])
          await connection.execute(statement)
        for (const statement of ddl.unboundLocks) await connection.execute(statement)
      },
      { unlimited: true },
    )
  /** A table as it was asked for. */
  const shapeOf = ({ columns, primaryKey, uniqueKeys, foreignKeys }: Table) => ({
    columns: [...columns.values()].map(({ name, nullable }) => [name, nullable]),
    primaryKey,
    uniqueKeys,
    foreignKeys: foreignKeys.toSorted((a, b) => String(a.columns).localeCompare(String(b.columns))),
  })
  const wantedShape = ({ columns, primaryKey, uniqueKeys, foreignKeys }: TableSpec) => ({
    columns: columns.map(({ name, nullable }) => [name, nullable]),
    primaryKey,
    uniqueKeys,
    foreignKeys: foreignKeys.toSorted((a, b) => String(a.columns).localeCompare(String(b.columns))),
  })
  const expectTable = async (spec: TableSpec) => {
    const found = await opened.table(spec.name)
    expect(shapeOf(found)).toEqual(wantedShape(spec))
    const { hasType } = opened.database.dialect.ddl
    for (const column of spec.columns) {
      const own = found.columns.get(column.name)
      expect([column.name, own && hasType(own, column)]).toEqual([column.name, true])
    }
    return found
  }
  const drop = (...tables: readonly string[]) => change(tables.map((table) => ({ kind: 'dropTable', table })))

  test('tables that refer to each other are found as they were asked for', async () => {
    await opened.create(whole, loop)
    const found = await expectTable(whole)
    await expectTable(loop)
    expect(found.kind).toBe('table')
    expect(found.columns.get('a integer')).toMatchObject({ type: 'integer', nullable: false })
    // Types that are kept in one way are one type.
    const { hasType } = opened.database.dialect.ddl
    for (const { name } of kinds)
      for (const other of ['integer', 'bigInteger', 'float', 'date'] as const) {
        const own = found.columns.get(name)
        if (own !== undefined && name !== `a ${other}`)
          expect([name, other, hasType(own, { name, type: other, nullable: true })]).toEqual([
            name,
            other,
            false,
          ])
      }
  })

  test('the catalogue knows keys and references by name', async () => {
    const catalog = await opened.driver.read((connection) => opened.database.dialect.readCatalog(connection))
    const known = catalog.tables.get(whole.name)
    expect(known?.primaryKey).toEqual(['id'])
    expect(known?.uniqueKeys.map(({ columns }) => columns)).toEqual([['other', 'more']])
    expect(known?.indexes.map(({ columns }) => columns)).toContainEqual(['more', 'id'])
    expect(known?.foreignKeys).toMatchObject(whole.foreignKeys)
    for (const { name } of [...(known?.uniqueKeys ?? []), ...(known?.indexes ?? [])])
      expect(catalog.names).toContain(name)
  })

  test('views are found as such, and own tables are not', async () => {
    const { quoteIdentifier } = opened.database.dialect.syntax
    await opened.create(plain('gatehouse_own'))
    await opened.execute(`create view ${quoteIdentifier('seen "by"')} as select id from gatehouse_own`)
    const { tables } = await opened.driver.read((connection) =>
      opened.database.dialect.introspect(connection),
    )
    expect([...tables].map(([name, { kind }]) => [name, kind])).toEqual([
      [whole.name, 'table'],
      [long, 'table'],
      ['seen "by"', 'view'],
    ])
    expect([...(tables.get('seen "by"')?.columns.keys() ?? [])]).toEqual(['id'])
    await opened.execute(`drop view ${quoteIdentifier('seen "by"')}`)
    await drop('gatehouse_own')
  })

  test('each change is made, with the rows that are there', async () => {
    const other = plain('other')
    const thing = plain('thing', text('name', true))
    await opened.create(other, thing)
    await opened.execute("insert into other values ('o')")
    await opened.execute("insert into thing values ('a', 'x'), ('b', null)")
    const rows = (columns: string, table = 'thing') =>
      opened.query(`select ${columns} from ${table} order by id`)

    await change([
      {
        kind: 'createTable',
        table: 'made',
        spec: {
          ...plain('made', text('of', true)),
          foreignKeys: [{ columns: ['of'], referencedTable: 'thing', referencedColumns: ['id'] }],
        },
      },
    ])
    await expectTable({
      ...plain('made', text('of', true)),
      foreignKeys: [{ columns: ['of'], referencedTable: 'thing', referencedColumns: ['id'] }],
    })
    await change([{ kind: 'renameTable', table: 'made', to: 'renamed' }])
    await drop('renamed')

    await change([
      { kind: 'addColumn', table: 'thing', column: { ...text('filled'), fill: "it's" } },
      { kind: 'addColumn', table: 'thing', column: { name: 'amount', type: 'decimal', nullable: true } },
      {
        kind: 'addColumn',
        table: 'thing',
        column: { name: 'number', type: 'integer', nullable: false, fill: 7 },
      },
    ])
    expect(await rows('id, name, filled, amount, number')).toEqual([
      ['a', 'x', "it's", null, 7],
      ['b', null, "it's", null, 7],
    ])

    const unique = { kind: 'addUnique', table: 'thing', columns: ['filled', 'id'] } as const
    await change([unique])
    expect((await opened.table('thing')).uniqueKeys).toEqual([['filled', 'id']])
    await change([inverseOf(unique)])
    expect((await opened.table('thing')).uniqueKeys).toEqual([])

    const renaming = { kind: 'renameColumn', table: 'thing', column: 'filled', to: 'given' } as const
    await change([renaming])
    expect(await rows('given')).toEqual([["it's"], ["it's"]])
    await change([
      { kind: 'dropColumn', table: 'thing', column: 'given' },
      { kind: 'dropColumn', table: 'thing', column: 'amount' },
    ])

    await change([
      {
        kind: 'changeColumn',
        table: 'thing',
        from: text('name', true),
        to: { ...text('name'), fill: 'none' },
        isLossy: false,
      },
      {
        kind: 'changeColumn',
        table: 'thing',
        from: { name: 'number', type: 'integer', nullable: false },
        to: { name: 'number', type: 'decimal', nullable: true },
        isLossy: false,
      },
    ])
    const changed = plain('thing', text('name'), { name: 'number', type: 'decimal', nullable: true })
    await expectTable(changed)
    expect(await rows('id, name')).toEqual([
      ['a', 'x'],
      ['b', 'none'],
    ])

    const key = { columns: ['to'], referencedTable: 'other', referencedColumns: ['id'] }
    const reference = { kind: 'addReference', table: 'thing', key, index: ['to', 'id'] } as const
    await change([{ kind: 'addColumn', table: 'thing', column: text('to', true) }, reference])
    expect((await opened.table('thing')).foreignKeys).toEqual([key])
    const { quoteIdentifier } = opened.database.dialect.syntax
    await opened.execute(`update thing set ${quoteIdentifier('to')} = ?`, 'o')
    await expect(opened.execute(`update thing set ${quoteIdentifier('to')} = ?`, 'x')).rejects.toMatchObject({
      kind: 'foreignKeyViolation',
    })
    await change([inverseOf(reference)])
    expect((await opened.table('thing')).foreignKeys).toEqual([])
    await change([reference])
    expect((await opened.table('thing')).foreignKeys).toEqual([key])
    await drop('thing', 'other')
  })

  test('what a change costs is more where rows are looked at', () => {
    const { effortOf } = opened.database.dialect.ddl
    const column = text('name', true)
    const key = { columns: ['name'], referencedTable: 'other', referencedColumns: ['id'] }
    const instant: readonly TableChange[] = [
      { kind: 'createTable', table: 'thing', spec: plain('thing') },
      { kind: 'dropTable', table: 'thing' },
      { kind: 'renameTable', table: 'thing', to: 'other' },
      { kind: 'renameColumn', table: 'thing', column: 'name', to: 'other' },
      { kind: 'addColumn', table: 'thing', column },
    ]
    for (const change of instant) expect(effortOf(change)).toEqual({ table: 'instant', blocks: 'nothing' })
    const looking: readonly TableChange[] = [
      { kind: 'addUnique', table: 'thing', columns: ['name'] },
      { kind: 'addReference', table: 'thing', key, index: ['name'] },
      { kind: 'changeColumn', table: 'thing', from: column, to: text('name'), isLossy: false },
      {
        kind: 'changeColumn',
        table: 'thing',
        from: column,
        to: { name: 'name', type: 'integer', nullable: true },
        isLossy: false,
      },
    ]
    for (const change of looking) expect(['read', 'rewritten']).toContain(effortOf(change).table)
  })

  test('a table is said to be made again only where rows are written', async () => {
    const catalog = await opened.driver.read((connection) => opened.database.dialect.readCatalog(connection))
    const { rebuildsTable } = opened.database.dialect.ddl
    expect(
      rebuildsTable([{ kind: 'addColumn', table: whole.name, column: text('new', true) }], catalog),
    ).toBe(false)
    expect(
      rebuildsTable([{ kind: 'renameColumn', table: whole.name, column: 'other', to: 'new' }], catalog),
    ).toBe(false)
    const dropping: TableChange = { kind: 'dropColumn', table: whole.name, column: 'a text' }
    if (rebuildsTable([dropping], catalog))
      expect(opened.database.dialect.ddl.effortOf(dropping).table).toBe('rewritten')
  })

  test.each(pairs)('values of %s become those of %s', async (from, to) => {
    const name = conversionName(from, to)
    if (name === undefined) throw new Error('there is no conversion')
    const own = conversions[name]
    const old: ColumnSpec = { name: 'old', type: from, nullable: true }
    const table = `${from}_to_${to}`.toLowerCase()
    await opened.create(plain(table, old))
    await opened.driver.transaction(async (connection) => {
      for (const [index, [value]] of own.entries()) {
        const id = String.fromCharCode(0x61 + index)
        await connection.execute(opened.statement(`insert into ${table} values (?, ?)`, id, value))
      }
    })
    const {
      expression,
      isCut = '1 = 0',
      isUnfit = '1 = 0',
    } = opened.database.dialect.ddl.conversion(name, 'old')
    expect(expression).not.toBe('')
    const flags = await opened.query(
      `select case when ${isUnfit} then 1 else 0 end, case when ${isCut} then 1 else 0 end from ${table} order by id`,
    )
    expect(
      flags.map(([unfit, cut]) => [Number(unfit) === 1, Number(unfit) !== 1 && Number(cut) === 1]),
    ).toEqual(own.map(([, as, cut]) => [as === 'unfit', cut === true]))
    await opened.execute(`delete from ${table} where ${isUnfit}`)
    const isLossy = own.some(([, , cut]) => cut === true)
    await change([{ kind: 'changeColumn', table, from: old, to: { ...old, type: to }, isLossy }])
    const { syntax } = opened.database.dialect
    const column = await opened.column(table, 'old')
    const read = syntax.readColumn(column, { pieces: ['old'] }).pieces.join('')
    expect((await opened.query(`select ${read} from ${table} order by id`)).map(([value]) => value)).toEqual(
      own.flatMap(([, as]) => (as === 'unfit' ? [] : [as])),
    )
    await drop(table)
  })

  test('a change of a table that others use gives up soon', async () => {
    const { boundLocks } = opened.database.dialect.ddl
    // Where there is one writer only, it waits in the program.
    if (boundLocks(['used']).length === 0) return
    await opened.create(plain('used'))
    await opened.driver.transaction(async (connection) => {
      await connection.execute(opened.statement("insert into used values ('a')"))
      const changing = change([{ kind: 'addColumn', table: 'used', column: text('more', true) }])
      await expect(changing).rejects.toSatisfy(
        (error) => error instanceof DatabaseError && error.kind === 'busy',
      )
    })
    await change([{ kind: 'addColumn', table: 'used', column: text('more', true) }])
    await drop('used')
  })

  describe('a look at the catalogue', () => {
    const look = () => opened.driver.read((connection) => opened.database.dialect.lookAtCatalog(connection))
    const again = (before: Awaited<ReturnType<typeof look>>) =>
      opened.driver.read((connection) => opened.database.dialect.lookAtCatalog(connection, before))

    test('sees the same again as long as only rows change', async () => {
      await opened.create(plain('watched', text('name', true)))
      const before = await look()
      let mark = before
      for (let number = 0; number < 8; number += 1) {
        await opened.execute('insert into watched values (?, ?)', String(number), 'x')
        mark = await again(mark)
        expect(mark.text).toBe(before.text)
      }
    })

    test('sees each change of tables, columns, keys, references and views', async () => {
      const key = { columns: ['name'], referencedTable: 'watched', referencedColumns: ['id'] }
      const changes: readonly TableChange[] = [
        { kind: 'addColumn', table: 'watched', column: text('more', true) },
        { kind: 'renameColumn', table: 'watched', column: 'more', to: 'other' },
        { kind: 'addUnique', table: 'watched', columns: ['name'] },
        { kind: 'addReference', table: 'watched', key, index: ['name', 'id'] },
        { kind: 'dropReference', table: 'watched', key, index: ['name', 'id'] },
        { kind: 'dropUnique', table: 'watched', columns: ['name'] },
        {
          kind: 'changeColumn',
          table: 'watched',
          from: text('name', true),
          to: { name: 'name', type: 'text', nullable: true },
          isLossy: false,
        },
        { kind: 'dropColumn', table: 'watched', column: 'other' },
        { kind: 'renameTable', table: 'watched', to: 'seen' },
        { kind: 'createTable', table: 'made', spec: plain('made') },
        { kind: 'dropTable', table: 'made' },
      ]
      let mark = await look()
      const expectChange = async (what: string, work: () => Promise<unknown>) => {
        const [text, quick] = [mark.text, await again(mark)]
        expect([what, quick.text]).toEqual([what, text])
        await work()
        const next = await again(quick)
        // Text to text is no change of the schema where texts have one type.
        if (what !== 'changeColumn') expect([what, next.text === text]).toEqual([what, false])
        mark = next
      }
      await opened.execute('delete from watched')
      for (const one of changes) await expectChange(one.kind, () => change([one]))
      await expectChange('a view', () => opened.execute('create view shown as select id from seen'))
      await expectChange('no view', () => opened.execute('drop view shown'))
      await drop('seen')
    })
  })

  test('a plan says how a statement with values would run, which is not run', async () => {
    const { dialect, driver } = opened.database
    await opened.create(plain('Explained', text('name', true)))
    const { quoteIdentifier, placeholder } = dialect.syntax
    const sql = `select 1 from ${quoteIdentifier('Explained')} where ${quoteIdentifier('id')} = ${placeholder(1)}`
    const lines = await driver.read((connection) =>
      dialect.explainPlan(connection, { sql, parameters: ['a'] }),
    )
    expect(lines.length).toBeGreaterThan(0)
    const known: Readonly<Record<string, RegExp>> = {
      sqlite: /^SEARCH \w+ USING (COVERING )?INDEX/,
      postgresql: /^ *(->|Bitmap|Index|Seq)/,
      mysql: /"(table_name|access_type|message)"/,
    }
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(known[dialect.product] ?? /never/)]))
    expect(lines.every((line) => !line.includes('\n'))).toBe(true)
    await drop('Explained')
  })

  test('so do changes and selects that lock, and none waits for a row that someone else has locked', async () => {
    const { dialect, driver } = opened.database
    const { syntax, explainsChangesInTransactions } = dialect
    await opened.create(plain('Explained', text('name', true)))
    const table = syntax.quoteIdentifier('Explained')
    const [id, name] = ['id', 'name'].map(syntax.quoteIdentifier)
    await opened.execute(`insert into ${table} (${id}, ${name}) values ('a', 'old')`)
    const found = `where ${id} = 'a'`
    const locking = `select ${name} from ${table} ${found}${syntax.rowLock.exclusive}`
    const changes = [
      `insert into ${table} (${id}) values ('b')`,
      `update ${table} set ${name} = 'new' ${found}`,
      `delete from ${table} ${found}`,
      locking,
      `select ${name} from (${locking}) d`,
    ]
    const explained = (sql: string) => {
      const ask = (connection: Connection) => dialect.explainPlan(connection, { sql, parameters: [] })
      return explainsChangesInTransactions ? driver.transaction(ask) : driver.read(ask)
    }
    await driver.transaction(async (connection) => {
      expect(await connection.query({ sql: locking, parameters: [] })).toEqual([['old']])
      for (const sql of changes) expect(await explained(sql), sql).toEqual(expect.any(Array))
    })
    const all = { sql: `select ${id}, ${name} from ${table}`, parameters: [] }
    expect(await driver.read((connection) => connection.query(all))).toEqual([['a', 'old']])
    await drop('Explained')
  })

  test('the lock for changes of tables is had by one at a time', async () => {
    const { tableLock } = opened.database.dialect
    if (tableLock === undefined) return
    const other = await opened.open()
    const take = (connection: Connection) => tableLock.take(connection)
    const released = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<boolean>()
    const holding = opened.driver.transaction(
      async (connection) => {
        taken.resolve(await take(connection))
        await released.promise
        await tableLock.release(connection)
      },
      { unlimited: true },
    )
    expect(await taken.promise).toBe(true)
    expect(await other.driver.transaction(take)).toBe(false)
    released.resolve()
    await holding
    const takeAndRelease = async (connection: Connection) => {
      const isTaken = await take(connection)
      if (isTaken) await tableLock.release(connection)
      return isTaken
    }
    expect(await other.driver.transaction(takeAndRelease)).toBe(true)

    // Anyone who has it loses its connection, and the lock with it.
    const held = Promise.withResolvers<void>()
    const evicted = Promise.withResolvers<void>()
    const losing = opened.driver.transaction(
      async (connection) => {
        await take(connection)
        held.resolve()
        await evicted.promise
        await connection.query(opened.statement('select 1'))
      },
      { unlimited: true },
    )
    const lost = expect(losing).rejects.toBeInstanceOf(DatabaseError)
    await held.promise
    await other.driver.transaction((connection) => tableLock.evict(connection))
    evicted.resolve()
    await lost
    await vi.waitFor(async () => expect(await other.driver.transaction(takeAndRelease)).toBe(true), 30_000)
  })
})
