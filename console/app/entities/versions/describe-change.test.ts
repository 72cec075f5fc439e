import { expect, test } from 'vitest'
import { type DefinitionChange, describeChange } from './describe-change.ts'

const cases: readonly (readonly [DefinitionChange, string, object])[] = [
  [{ kind: 'added', pointer: '', to: {} }, 'entityAdded', {}],
  [{ kind: 'removed', pointer: '', from: {} }, 'entityRemoved', {}],
  [
    { kind: 'added', pointer: '/attributes/local_fields/2', field: 'size', to: { field_type: 'integer' } },
    'fieldAdded',
    { field: 'size', to: 'integer' },
  ],
  [
    {
      kind: 'changed',
      pointer: '/attributes/local_fields/2/field_nullable',
      field: 'size',
      from: true,
      to: false,
    },
    'fieldMemberChanged',
    { field: 'size', member: 'field_nullable', from: 'true', to: 'false' },
  ],
  [
    { kind: 'changed', pointer: '/attributes/identifier/field_type', from: 'string', to: 'integer' },
    'memberChanged',
    { member: 'identifier.field_type', from: '"string"', to: '"integer"' },
  ],
  [
    { kind: 'changed', pointer: '/attributes/local_fields', from: ['a', 'b'], to: ['b', 'a'] },
    'orderChanged',
    {},
  ],
  [{ kind: 'added', pointer: '/vendor~1key', to: 1 }, 'memberAdded', { member: 'vendor/key', to: '1' }],
]

test.each(cases)('%j', (change, key, values) => {
  const words = describeChange(change)
  expect(words.key).toBe(key)
  expect(words.values).toMatchObject(values)
})
