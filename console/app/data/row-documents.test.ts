import { expect, test } from 'vitest'
import { countDocument, recordDocument, rowsDocument } from './row-documents.ts'
import type { Relation } from './tables.ts'

const tenant = { name: 'tenant', table: 'Tenant' } as Relation
const port = { name: 'Port', has_global_id: true }
const wanted = { fields: ['id', 'tenantId'], references: [tenant] }
const list = { filters: undefined, asc: [], desc: [], place: { kind: 'start' }, size: 50 } as const

test('a page selects what is wanted and nothing else', () => {
  const filters = [{ key: 'id', op: '==', val: 'p1' }]
  const place = { kind: 'after', cursor: 'c1' } as const
  expect(rowsDocument(port, wanted, { ...list, filters, desc: ['id'], place })).toEqual({
    document: `query ($filters: GenericScalar, $desc: [String], $first: Int, $after: String) {
  rows: Port(filters: $filters, desc: $desc, first: $first, after: $after) {
    pageInfo { hasNextPage startCursor endCursor }
    edges { node { GlobalId id tenantId tenant { GlobalId } } }
  }
}`,
    variables: { filters, desc: ['id'], first: 50, after: 'c1' },
  })
})

test('the last page is read from the end', () => {
  const { document, variables } = rowsDocument(port, wanted, { ...list, place: { kind: 'end' } })
  expect(document).toContain('rows: Port(last: $last) {')
  expect(document).toContain('pageInfo { hasPreviousPage startCursor endCursor }')
  expect(variables).toEqual({ last: 50 })
})

test('without a key, rows are found by their position', () => {
  const place = { kind: 'offset', offset: 100 } as const
  expect(
    rowsDocument({ name: 'note', has_global_id: false }, { fields: [], references: [] }, { ...list, place }),
  ).toEqual({
    document: `query ($offset: Int, $limit: Int) {
  rows: note(offset: $offset, limit: $limit) {
    edges { node { __typename } }
  }
}`,
    variables: { offset: 100, limit: 50 },
  })
})

test('one record, and how many there are', () => {
  expect(recordDocument(port, { fields: ['id'], references: [] }, 'UG9ydF86cDE')).toEqual({
    document: `query ($GlobalId: GenericScalar) {
  rows: Port(GlobalId: $GlobalId) {
    edges { node { GlobalId id } }
  }
}`,
    variables: { GlobalId: 'UG9ydF86cDE' },
  })
  expect(countDocument('Port', undefined)).toEqual({
    document: 'query {\n  rows: Port { totalCount }\n}',
    variables: {},
  })
})
