import { expect, test } from 'vitest'
import { csvOf, readAll } from './audit-export.ts'
import { type AuditEntry, noFilters, queryOf } from './audit-filters.ts'

const entry: AuditEntry = {
  id: '7',
  at: '2027-01-31T09:30:00.000+00:00',
  account: null,
  address: '::1',
  request_id: 'r',
  action: 'created',
  record: 'role',
  name: '=HYPERLINK("http://x")',
  detail: 'a, b',
  changes: { role: { before: 'a', after: 'b' } },
}

test('names that look like formulas are text in spreadsheets', () => {
  expect(csvOf([entry])).toBe(
    'at,account,action,record,name,detail,changes,address,request_id,id\r\n' +
      '2027-01-31T09:30:00.000+00:00,,created,role,"\'=HYPERLINK(""http://x"")","a, b","{""role"":{""before"":""a"",""after"":""b""}}",::1,r,7\r\n',
  )
})

test('entries are read in pages, up to a limit', async () => {
  const read = (count: number) => async (limit: number, before: string | undefined) => {
    const first = before === undefined ? 0 : Number(before) + 1
    return Array.from({ length: Math.min(limit, count - first) }, (_, index) => ({
      ...entry,
      id: `${first + index}`,
    }))
  }
  const progress: number[] = []
  const whole = await readAll(read(1500), (count) => progress.push(count))
  expect([whole.entries.length, whole.isWhole, progress]).toEqual([1500, true, [1000, 1500]])
  expect(whole.entries.at(-1)?.id).toBe('1499')
  const part = await readAll(read(9000), () => {}, 2000)
  expect([part.entries.length, part.isWhole]).toEqual([2000, false])
})

test('only filters that are filled in are sent, with times in UTC', () => {
  expect(queryOf(noFilters)).toEqual({})
  expect(
    queryOf({ ...noFilters, account: 'robin', record: 'role', from: '2027-01-31T10:30', to: '2027-' }),
  ).toEqual({
    account: 'robin',
    record: 'role',
    from: new Date('2027-01-31T10:30').toISOString(),
  })
})
