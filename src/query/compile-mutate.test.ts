import { expect, test } from 'vitest'
import type { Column, Table } from '../database/database-schema.ts'
import { sqliteSyntax } from '../database/dialects/sqlite/syntax.ts'
import { compileMutate } from './compile-mutate.ts'

const column = (name: string): Column => ({
  name,
  type: 'string',
  nativeType: 'TEXT',
  nullable: true,
  hasDefault: false,
})
const instance = column('instance')
const odd = column('o"; drop table x; --')
const table: Table = {
  id: 'Po"rt',
  name: 'Po"rt',
  kind: 'table',
  columns: new Map([instance, odd].map((each) => [each.name, each])),
  primaryKey: ['instance'],
  uniqueKeys: [],
  foreignKeys: [],
}
const dialect = { syntax: sqliteSyntax }

test('an insert has its values apart from its text', () => {
  const rows = [
    ['i1', "'; --"],
    ['i2', null],
  ]
  expect(compileMutate({ kind: 'insert', table, columns: [instance, odd], rows }, dialect)).toEqual([
    {
      sql: 'insert into "Po""rt" ("instance", "o""; drop table x; --") values (?1, ?2), (?3, ?4)',
      parameters: ['i1', "'; --", 'i2', null],
    },
  ])
})

test('many rows take several statements, more of them where rows cannot refer to each other', () => {
  const rows = Array.from({ length: 15_001 }, (_, index) => [`i${index}`, null])
  const sizesOf = (linked: Table) =>
    compileMutate({ kind: 'insert', table: linked, columns: [instance, odd], rows }, dialect).map(
      ({ parameters }) => parameters.length,
    )
  expect(sizesOf(table)).toEqual([...Array(30).fill(1000), 2])
  const toItself = { columns: [odd.name], referencedTable: table.name, referencedColumns: ['instance'] }
  expect(sizesOf({ ...table, foreignKeys: [toItself] })).toEqual([30_000, 2])
})

test('an update and a delete mean one row', () => {
  const key = [{ column: instance, value: 'i1' }]
  expect(compileMutate({ kind: 'update', table, values: new Map([[odd, 'x']]), key }, dialect)).toEqual([
    {
      sql: 'update "Po""rt" set "o""; drop table x; --" = ?1 where "instance" = ?2',
      parameters: ['x', 'i1'],
    },
  ])
  expect(compileMutate({ kind: 'delete', table, key }, dialect)).toEqual([
    { sql: 'delete from "Po""rt" where "instance" = ?1', parameters: ['i1'] },
  ])
})

test('a key may have several columns', () => {
  const key = [instance, odd].map((column) => ({ column, value: 'a' }))
  expect(compileMutate({ kind: 'delete', table, key }, dialect)).toEqual([
    {
      sql: 'delete from "Po""rt" where "instance" = ?1 and "o""; drop table x; --" = ?2',
      parameters: ['a', 'a'],
    },
  ])
})

test('an insert may tell the keys of its rows, and write nothing', () => {
  expect(
    compileMutate({ kind: 'insert', table, columns: [], rows: [[]], returning: [instance] }, dialect),
  ).toEqual([{ sql: 'insert into "Po""rt" default values returning "instance"', parameters: [] }])
})
