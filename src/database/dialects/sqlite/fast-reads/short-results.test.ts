import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { PreparedStatements } from '../prepared-statements.ts'
import { ShortResults } from './short-results.ts'

const counting =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < ?1) select i from n'

test('only answers of few rows and short values are read at once', () => {
  const database = new DatabaseSync(':memory:')
  const answers = new ShortResults(database, new PreparedStatements(database))
  const usual = database.limits.length
  const count = (sql: string, ...values: number[]) => answers.rows(sql, values)?.length
  expect(count(`${counting} limit 100001`, 1000)).toBe(1000)
  expect(count(`${counting} limit 100001`, 1001)).toBeUndefined()
  // It is known from then on that it may be long.
  expect(count(`${counting} limit 100001`, 10)).toBeUndefined()
  expect(count(`${counting} limit ?2 + 0`, 5000, 1001)).toBe(1001)
  expect(count(`${counting} limit ?2 + 0`, 5000, 1002)).toBeUndefined()
  expect(count(counting, 1)).toBeUndefined()
  expect(count('select zeroblob(16384) limit 1')).toBe(1)
  expect(count('select zeroblob(16385) limit 1')).toBeUndefined()
  expect(answers.rows('select ?1 limit 1', ['x'.repeat(20_000)])).toBeUndefined()
  expect(() => answers.rows('select absent limit 1', [])).toThrow('no such column')
  expect(database.limits.length).toBe(usual)
  database.close()
})
