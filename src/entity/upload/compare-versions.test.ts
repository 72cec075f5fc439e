import { expect, test } from 'vitest'
import { compareVersions } from './compare-versions.ts'

test('members of a default may have the names of members that every object has', () => {
  const version = (value: object) => ({
    attributes: { local_fields: [{ field_name: 'a', field_type: 'object', field_default: value }] },
  })
  const pointer = '/attributes/local_fields/0/field_default/constructor'
  expect(compareVersions(version({ b: 1 }), version({ b: 1, constructor: 2 }))).toEqual([
    { kind: 'added', pointer, field: 'a', to: 2 },
  ])
  expect(compareVersions(version({ b: 1, constructor: 2 }), version({ b: 1 }))).toEqual([
    { kind: 'removed', pointer, field: 'a', from: 2 },
  ])
})
