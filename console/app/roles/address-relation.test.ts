import { expect, test } from 'vitest'
import { identifierOf, relationTo } from './address-relation.ts'

const field = (name: string) =>
  ({
    name,
    column: name,
    api_name: name,
    type: 'String',
    kind: 'string',
    native_type: 'text',
    nullable: false,
  }) as const
const api = { path: '/apis/ports', list: ['GET'], record: ['GET'], key: ['id'], adopted: false }
const ports = { name: 'Port', graphql: true, has_global_id: true, fields: [field('name'), field('id')], api }

test('a record is found by what its address is made of', () => {
  const relation = relationTo(ports)
  expect(relation).toMatchObject({ table: 'Port', fields: [{ own: 'id', other: 'id' }] })
  expect(relation && identifierOf(ports, relation, ['a/b c'])).toBe('a/b c')
})

test('the parts of a key of an adopted table are separated by commas, and escaped', () => {
  const own = { ...api, key: ['name', 'id'], adopted: true }
  const table = { ...ports, api: own }
  const relation = relationTo(table)
  expect(relation && identifierOf(table, relation, ['a,b', 'c'])).toBe('a~1b,c')
})

test('there is nothing to look for without an address, or without the right to read', () => {
  expect(relationTo({ ...ports, api: null })).toBeUndefined()
  expect(relationTo({ ...ports, fields: [field('name')] })).toBeUndefined()
  expect(relationTo({ ...ports, graphql: false, api: { ...api, list: ['POST'] } })).toBeUndefined()
})
