import { expect, test } from 'vitest'
import { conditionsKey, conditionsOf, textOfRows } from './record-conditions.ts'

const joints = { and: ' and ', or: ' or ' }

test('the key of conditions does not depend on the order of their members', () => {
  expect(conditionsKey({ set: { a: 1, b: 2 }, rows: [] })).toBe(
    conditionsKey({ rows: [], set: { b: 2, a: 1 } }),
  )
  expect(conditionsKey({ rows: [1, 2] })).not.toBe(conditionsKey({ rows: [2, 1] }))
  expect(conditionsKey({})).toBe('')
  expect(conditionsOf({ regex: '/a', fields: {} } as object)).toEqual({ fields: {} })
})

test('rows are told in one line', () => {
  const own = { key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }
  const fresh = { key: 'updatedAt', op: '>', val: { now: '-P7D' } }
  const named = { key: 'tenant.name', op: 'in', val: ['a', null] }
  expect(textOfRows([own], joints)).toBe('tenantId == account metadata.tenant')
  expect(textOfRows([own, [fresh, [named, own]]], joints)).toBe(
    'tenantId == account metadata.tenant and (updatedAt > now -P7D or (tenant.name in ["a",null] and tenantId == account metadata.tenant))',
  )
  expect(textOfRows([[own, fresh]], joints)).toBe(
    'tenantId == account metadata.tenant or updatedAt > now -P7D',
  )
  expect(textOfRows([{ odd: 1 }], joints)).toBe('{"odd":1}')
})
