import { expect, test } from 'vitest'
import { firstQueryOf } from './query-of-table.ts'

const scalar = (name: string) => ({ name, type: { kind: 'SCALAR', name: 'String', ofType: null } })

test('selects the own fields of a table, and no relations', () => {
  const tenant = { name: 'tenant', type: { kind: 'OBJECT', name: 'Tenant_', ofType: null } }
  const id = {
    name: 'id',
    type: { kind: 'NON_NULL', name: null, ofType: { kind: 'SCALAR', name: 'String' } },
  }
  expect(firstQueryOf('Port', [scalar('instance'), id, scalar('name'), tenant, scalar('GlobalId')])).toBe(`{
  Port(first: 10) {
    totalCount
    edges {
      node {
        id
        name
      }
    }
  }
}
`)
})

test('selects what there is of a table without own fields', () => {
  expect(firstQueryOf('Empty', [scalar('GlobalId')])).toContain('        GlobalId\n')
  expect(firstQueryOf('Empty', [])).toContain('        __typename\n')
})
