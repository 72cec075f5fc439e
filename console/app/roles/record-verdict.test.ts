import { expect, test } from 'vitest'
import { fieldsOnRecord, isAdmitted, marksOf } from './record-verdict.ts'

const rows = [
  { key: 'tenantId', op: '==' as const, val: 'a' },
  { key: 'speed', op: '<' as const, val: 3 },
]
const authority = { regex: '/apis/ports(/.*)?', methods: ['GET'], path_matches: true, method_matches: true }
const explanation = (...authorities: readonly (typeof authority & { row?: object })[]) => ({
  allowed: true,
  because: 'authority' as const,
  reason: '',
  path: '/apis/ports/p1',
  scope: 'protected' as const,
  roles: [{ name: 'r', authorities: authorities as never }],
})

test('a record is admitted by one authority that matches', () => {
  const refusing = { ...authority, rows, row: { admitted: false, failed: ['/rows/1'] } }
  expect(isAdmitted(explanation(refusing))).toBe(false)
  expect(isAdmitted(explanation(refusing, authority))).toBe(true)
  expect(isAdmitted(explanation(refusing, { ...authority, method_matches: false }))).toBe(false)
  expect(isAdmitted({ ...explanation(refusing), path: '/graphql/Port' })).toBeUndefined()
  expect(isAdmitted({ ...explanation(authority), scope: 'public' })).toBeUndefined()
  expect(isAdmitted({ ...explanation(authority), allowed: false })).toBeUndefined()
})

test('each condition is marked, and what else is not met', () => {
  const failed = ['/rows/1', '/fields/read/1', '/set/a~1b']
  const marks = marksOf({
    ...authority,
    rows,
    fields: { read: ['id', 'nam'] },
    row: { admitted: false, failed },
  })
  expect(
    marks.map(({ pointer, isMet, ...mark }) => [pointer, isMet, 'name' in mark ? mark.name : '']),
  ).toEqual([
    ['/rows/0', true, ''],
    ['/rows/1', false, ''],
    ['/fields/read/1', false, 'nam'],
    ['/set/a~1b', false, 'a/b'],
  ])
})

test('what is written is what is read, if nothing else is said', () => {
  const given = { ...authority, fields: { read: ['id'] } }
  expect(fieldsOnRecord(given, 'PATCH')).toEqual({ reads: true, writes: true, read: ['id'], write: ['id'] })
  expect(fieldsOnRecord(given, 'GET')).toMatchObject({ reads: true, writes: false })
  expect(fieldsOnRecord(authority, 'DELETE')).toMatchObject({ reads: false, writes: false })
})
