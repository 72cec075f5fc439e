import { expect, test } from 'vitest'
import { tableRights } from './table-rights.ts'

test('the rights on a table are those of its published API', () => {
  const api = {
    path: '/apis/ports',
    key: ['id'],
    adopted: false,
    list: ['POST' as const],
    record: ['PUT' as const],
  }
  const none = { GET: false, PUT: false, PATCH: false, DELETE: false, POST: false, LIST: false }
  expect(tableRights({ api })).toEqual({ ...none, PUT: true, POST: true })
  expect(tableRights({ api: null })).toEqual(none)
})
