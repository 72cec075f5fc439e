import { expect, test } from 'vitest'
import { changesBetween } from './audit-changes.ts'

test('the members that differ are kept, with their values', () => {
  const before = { name: 'reader', gives: ['a'], description: 'old', limits: { count: 1 } }
  const after = { name: 'reader', gives: ['a', 'b'], limits: { count: 1 }, targets: [] }
  expect(changesBetween(before, after)).toEqual({
    gives: { before: ['a'], after: ['a', 'b'] },
    description: { before: 'old' },
    targets: { after: [] },
  })
  expect(changesBetween(before, before)).toEqual({})
})

test('a new record sets its members, and a deleted one loses them', () => {
  const record = { name: 'reader', disabled: false, limits: undefined }
  expect(changesBetween(undefined, record)).toEqual({ name: { after: 'reader' }, disabled: { after: false } })
  expect(changesBetween(record, undefined)).toEqual({
    name: { before: 'reader' },
    disabled: { before: false },
  })
})

test('values that are not to be kept, or are too long together, are left out', () => {
  expect(
    changesBetween({ metadata: { mail: 'a@b.c' } }, { metadata: {}, role: 'reader' }, ['metadata']),
  ).toEqual({
    metadata: {},
    role: { after: 'reader' },
  })
  const long = 'あ'.repeat(11_000)
  expect(changesBetween({ text: 'short', a: 1 }, { text: long, a: 2 })).toEqual({ text: {}, a: {} })
})
