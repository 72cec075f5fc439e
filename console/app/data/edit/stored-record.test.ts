import { expect, test } from 'vitest'
import type { Table } from '../tables.ts'
import { changeCall } from './change-call.ts'
import { newRecordFields, storedOf, writableFields } from './stored-record.ts'
import { undoOfChange } from './undo.ts'

const field = (name: string, more: object = {}) => ({
  name,
  column: name,
  type: 'String',
  kind: 'string',
  native_type: 'text',
  api_name: name,
  nullable: true,
  ...more,
})
const table = {
  unread_fields: [],
  fields: [field('instance', { read_only: true }), field('id'), field('name'), field('notes')],
} as Pick<Table, 'fields' | 'unread_fields'>
const onlyPut = { PATCH: false, PUT: true }

test('a value that a list did not read is not known, and nothing writes over it', () => {
  const row = { id: 'x', values: { id: 'd1', name: 'a' }, references: {} }
  const stored = storedOf('/apis/devices/d1', table, row)
  expect(Object.entries(stored.values)).toEqual([
    ['id', 'd1'],
    ['name', 'a'],
  ])
  const fields = writableFields(table)
  expect(changeCall(stored, { name: 'b' }, fields, onlyPut)).toBeUndefined()
  expect(changeCall(stored, { name: 'b' }, fields, { PATCH: true, PUT: true })).toMatchObject({
    method: 'PATCH',
    body: { name: 'b' },
  })
  expect(changeCall(stored, { notes: 'c' }, fields, onlyPut)).toEqual({
    method: 'PUT',
    path: '/apis/devices/d1',
    headers: {},
    body: { id: 'd1', name: 'a', notes: 'c' },
  })
})

test('a published API that leaves a value out says nothing of it', () => {
  const row = { id: 'd1', values: { id: 'd1', name: null, notes: undefined }, references: {} }
  expect(Object.entries(storedOf('/apis/devices/d1', table, row).values)).toEqual([
    ['id', 'd1'],
    ['name', null],
  ])
})

test('what was not read is not taken back', () => {
  const before = { path: '/apis/devices/d1', values: { id: 'd1', name: 'a' }, etag: undefined }
  const after = { ...before, values: { id: 'd1', name: 'b', notes: 'n' }, etag: '"2"' }
  const rights = { GET: false, PATCH: false, PUT: true, DELETE: false, POST: false }
  expect(undoOfChange(table as Table, before, after, rights)?.body).toEqual({
    id: 'd1',
    name: 'a',
    notes: 'n',
  })
})

test('a form for new records does not ask for what the rights set there', () => {
  const tenant = field('tenant', { not_on_creation: true })
  const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name)
  const own = { ...table, fields: [...table.fields, tenant] } as Pick<Table, 'fields' | 'unread_fields'>
  expect(names(newRecordFields(own))).toEqual(['id', 'name', 'notes'])
  expect(names(writableFields(own))).toEqual(['id', 'name', 'notes', 'tenant'])
})
