import { expect, test } from 'vitest'
import type { Row } from '../rows.ts'
import { callsForAny, callsForRows, mostShown } from './bulk-calls.ts'
import type { PublishedTable } from './bulk-rights.ts'

const table = {
  unread_fields: [],
  fields: ['id', 'state'].map((name) => ({ name, api_name: name, kind: 'string' })),
  api: { path: '/apis/tasks', key: ['id'], adopted: false },
} as unknown as PublishedTable

const rights = { GET: true, PUT: false, PATCH: true, DELETE: true, POST: true }
const rows = Array.from({ length: 30 }, (_, index) => ({
  values: { id: `t ${index}`, state: 'open' },
})) as unknown as readonly Row[]

test('selected records are written one by one, the first of them are shown', () => {
  const calls = callsForRows(rows, { kind: 'change', changes: { state: 'done' } }, table, rights)
  expect(calls).toHaveLength(mostShown)
  expect(calls[0]).toEqual({
    method: 'PATCH',
    path: '/apis/tasks/t%200',
    headers: {},
    body: { state: 'done' },
  })
  expect(callsForRows(rows.slice(0, 2), { kind: 'delete' }, table, rights)).toEqual([
    { method: 'DELETE', path: '/apis/tasks/t%200' },
    { method: 'DELETE', path: '/apis/tasks/t%201' },
  ])
})

test('of a whole list, one call stands for all', () => {
  expect(callsForAny({ kind: 'delete' }, table, rights)).toEqual([
    { method: 'DELETE', path: '/apis/tasks/{id}' },
  ])
  const change = { kind: 'change', changes: { state: null } } as const
  expect(callsForAny(change, table, rights)).toEqual([
    { method: 'PATCH', path: '/apis/tasks/{id}', headers: {}, body: { state: null } },
  ])
  // The whole of a record is not known.
  expect(callsForAny(change, table, { ...rights, PATCH: false, PUT: true })).toEqual([])
})
