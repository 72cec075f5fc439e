import { expect, test } from 'vitest'
import { patchedMembers } from './merge-patch.ts'

const record = { name: 'uplink', note: null, settings: { speed: 1, duplex: { mode: 'full', auto: null } } }

test.each([
  ['only what is named changes', { name: 'downlink' }, { name: 'downlink' }],
  ['null is the value of a field', { name: null }, { name: null }],
  [
    'null takes a member of a value away',
    { settings: { speed: null, duplex: { mode: 'half' } } },
    { settings: { duplex: { mode: 'half', auto: null } } },
  ],
  [
    'a value that is sent as it was read stays, nulls and all',
    { settings: record.settings },
    { settings: record.settings },
  ],
  ['a list is replaced whole', { settings: [1, null] }, { settings: [1, null] }],
  ['an object takes the place of what is not one', { note: { a: 1, b: null } }, { note: { a: 1 } }],
  ['a field that is not there begins with nothing', { other: { a: null, b: 2 } }, { other: { b: 2 } }],
  ['what is no object is no patch', ['name'], ['name']],
])('%s', (_what, patch, expected) => {
  expect(patchedMembers(record, patch)).toEqual(expected)
})

test('a member named __proto__ is a member like any other', () => {
  const patched = patchedMembers({}, JSON.parse('{"value": {"__proto__": {"polluted": true}}}'))
  expect(JSON.stringify(patched)).toBe('{"value":{"__proto__":{"polluted":true}}}')
  expect({}).not.toHaveProperty('polluted')
})
