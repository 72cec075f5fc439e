import { expect, test } from 'vitest'
import { changeCall } from './change-call.ts'
import { mergePatchOf } from './merge-patch.ts'
import type { StoredRecord, WritableField } from './stored-record.ts'

const fields = ['id', 'name', 'meta'].map((name) => ({ name, api_name: name })) as WritableField[]
const stored: StoredRecord = {
  path: '/apis/ports/p1',
  values: { instance: '1', id: 'p1', name: 'a', meta: { a: 1, b: { c: [null], d: 2 } } },
  etag: '"1"',
}
const both = { PATCH: true, PUT: true }

test('only what changed is sent, within objects too', () => {
  const call = changeCall(stored, { name: null, meta: { b: { c: [null], d: 3 }, e: 'x' } }, fields, both)
  expect(call).toEqual({
    method: 'PATCH',
    path: '/apis/ports/p1',
    headers: { 'If-Match': '"1"' },
    body: { name: null, meta: { a: null, b: { d: 3 }, e: 'x' } },
  })
})

test('a null in an object needs the whole record', () => {
  const changes = { meta: { a: null } }
  expect(changeCall(stored, changes, fields, both)).toEqual({
    method: 'PUT',
    path: '/apis/ports/p1',
    headers: { 'If-Match': '"1"' },
    body: { id: 'p1', name: 'a', meta: { a: null } },
  })
  expect(changeCall(stored, changes, fields, { PATCH: true, PUT: false })).toBeUndefined()
  expect(changeCall(stored, { name: 'b' }, fields, { PATCH: false, PUT: true })?.method).toBe('PUT')
})

test('a null that stays is no obstacle', () => {
  const before = { a: null, b: 1 }
  expect(mergePatchOf(before, { a: null, b: 2 })).toEqual({ patch: { b: 2 } })
  expect(mergePatchOf([1], { a: 1 })).toEqual({ patch: { a: 1 } })
  expect(mergePatchOf({ a: 1 }, [null])).toEqual({ patch: [null] })
})
