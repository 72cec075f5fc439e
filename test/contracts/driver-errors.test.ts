/** Each kind of error that a statement provokes is the same on every product, with what it is about. */
import { describe, expect, test, vi } from 'vitest'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { openForSuite } from '../support/opened-database.ts'
import { readers } from '../support/products.ts'

const tables = [
  'create table parent (id int not null, word varchar(10) not null, primary key (id), unique (word))',
  'create table pair (a int not null, b int not null, "some key" int, primary key (a, b))',
  `create table child (id int not null primary key, parent int, a int, b int,
    foreign key (parent) references parent (id), foreign key (a, b) references pair (a, b))`,
  'create table rule (id int, constraint positive check (id > 0))',
  "insert into parent values (1, 'one'), (2, 'two')",
  'insert into pair values (1, 1, 1)',
  'insert into child values (1, 1, 1, 1)',
]

const cases: readonly (readonly [text: string, kind: string, columns: readonly string[]])[] = [
  ["insert into parent values (1, 'more')", 'uniqueViolation', ['id']],
  ["insert into parent values (3, 'two')", 'uniqueViolation', ['word']],
  ["update parent set word = 'one' where id = 2", 'uniqueViolation', ['word']],
  ['insert into pair values (1, 1, 2)', 'uniqueViolation', ['a', 'b']],
  ['insert into parent values (3, null)', 'notNullViolation', ['word']],
  ['insert into parent (id) values (3)', 'notNullViolation', ['word']],
  ['select nonsense from parent', 'schemaChanged', []],
  ['select * from nowhere', 'schemaChanged', []],
  ['update nowhere set id = 1', 'schemaChanged', []],
  ['insert into parent (id, nonsense) values (1, 2)', 'schemaChanged', []],
  ['create table parent (id int)', 'alreadyThere', []],
  ['alter table parent add column word int', 'alreadyThere', []],
  ['selekt 1', 'statement', []],
]

describe.each(readers)('$name', (product) => {
  const opened = openForSuite(product, async ({ execute, database }) => {
    const quote = database.dialect.syntax.quoteIdentifier
    for (const text of tables) await execute(text.replaceAll('"some key"', quote('some key')))
  })

  const failureOf = async (text: string): Promise<DatabaseError> => {
    const error: unknown = await opened.execute(text).catch((reason: unknown) => reason)
    if (!(error instanceof DatabaseError)) throw error
    return error
  }

  test.each(cases)('%s fails as %s', async (text, kind, columns) => {
    const { kind: found, columns: named } = await failureOf(text)
    expect([found, named]).toEqual([kind, columns])
  })

  test.each([
    ['insert into child values (2, 9, null, null)', ['parent']],
    ['insert into child values (2, null, 9, 9)', ['a', 'b']],
    ['delete from parent where id = 1', undefined],
    ['delete from pair', undefined],
  ])('%s fails as a violated reference', async (text, columns) => {
    const failure = await failureOf(text)
    expect(failure.kind).toBe('foreignKeyViolation')
    // Not every product tells them.
    if (columns !== undefined && failure.columns.length > 0) expect(failure.columns).toEqual(columns)
  })

  test('what a rule of the table forbids is a refused value, with the name of the rule', async () => {
    const { kind, refusal } = await failureOf('insert into rule values (0)')
    expect([kind, refusal]).toEqual(['valueRefused', { rule: 'positive' }])
  })

  test('a statement that is refused is the same error again and again, and then works', async () => {
    const select = 'select id, extra from changing'
    for (let time = 0; time < 3; time += 1) expect((await failureOf(select)).kind).toBe('schemaChanged')
    await opened.execute('create table changing (id int)')
    await opened.execute('alter table changing add column extra int')
    for (let time = 0; time < 3; time += 1) expect(await opened.query(select)).toEqual([])
    await opened.execute('drop table changing')
    await expect(opened.query(select)).rejects.toMatchObject({ kind: 'schemaChanged' })
  })

  test('a table that has changed is read as it is', async () => {
    await opened.execute('create table growing (id int)')
    await opened.execute('insert into growing values (1)')
    const select = 'select * from growing'
    for (let time = 0; time < 3; time += 1) expect(await opened.query(select)).toEqual([[1]])
    await opened.execute('alter table growing add column extra int')
    // On each connection, one that was made for the table as it was may be refused once.
    const once = () => opened.query(select).catch((error: DatabaseError) => error.kind)
    const asItIs = [[1, null]]
    await vi.waitFor(async () => {
      const answers = await Promise.all([once(), once(), once()])
      for (const answer of answers) expect([asItIs, 'schemaChanged']).toContainEqual(answer)
      expect(answers).toEqual([asItIs, asItIs, asItIs])
    }, 60_000)
  })

  test('a database that is not there cannot be opened', async () => {
    const { options } = opened.created
    const elsewhere = ('file' in options
      ? { ...options, file: `${options.file}/absent/data.sqlite` }
      : { ...options, name: 'gatehouse_test_absent' }) as unknown as DatabaseOptions
    await expect(openDatabase(elsewhere)).rejects.toMatchObject({
      name: 'DatabaseError',
      kind: 'unavailable',
    })
  })
})
