import { expect, test } from 'vitest'
import { apiPathOf, nameOfPath } from './record-address.ts'
import type { Field, Table } from './tables.ts'

function tableWith(key: readonly string[], isAdopted: boolean, kind: Field['kind'] = 'string') {
  const fields = key.map((name) => ({ name: `${name}_`, api_name: name, kind }) as Field)
  const api = { path: '/apis/ports', list: [], record: [], key: [...key], adopted: isAdopted }
  return { fields, api } satisfies Pick<Table, 'fields' | 'api'>
}

test.each([
  [tableWith(['id'], false), { id_: 'p 1/2' }, '/apis/ports/p%201%2F2'],
  [tableWith(['a', 'b'], true), { a_: 'x,y', b_: 'c/~' }, '/apis/ports/x~1y,c~2~0'],
  [tableWith(['id'], true), { id_: '' }, '/apis/ports/~4'],
  [tableWith(['id'], true), { id_: '..' }, '/apis/ports/~5.'],
  [tableWith(['id'], true), { id_: 'a\u0001' }, '/apis/ports/a~x01'],
  [tableWith(['id'], true, 'binary'), { id_: '+/8=' }, '/apis/ports/-_8'],
  [tableWith(['id'], true), { id_: null }, undefined],
  [{ fields: [], api: null }, {}, undefined],
])('the address of a record', (table, values, path) => {
  expect(apiPathOf(table, values)).toBe(path)
})

test('a record is called as its address ends', () => {
  expect(nameOfPath('/apis/ports/x~1y,p%201%2F2')).toBe('x~1y,p 1/2')
  expect(nameOfPath('')).toBe('')
})
