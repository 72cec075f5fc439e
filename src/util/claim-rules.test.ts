import { describe, expect, test } from 'vitest'
import { grantsOf, refusedBy } from './claim-rules.ts'

const claims = {
  sub: 'ada',
  email: 'Ada@Example.org',
  email_verified: true,
  hd: 'example.org',
  groups: ['ports', 'staff'],
  level: 3,
  realm_access: { roles: ['reader'] },
}

describe('a person may log in', () => {
  test.each([
    [[]],
    [[{ hd: ['example.org'] }]],
    [[{ hd: ['other.example', 'example.org'] }]],
    [[{ groups: ['staff'], email_verified: ['true'] }]],
    [[{ level: ['3'] }]],
    [[{ 'realm_access.roles': ['reader'] }]],
    [[{ email: ['@example.org'] }]],
    [[{ hd: ['other.example'] }, { groups: ['ports'] }]],
  ])('by %j', (allow) => {
    expect(refusedBy(claims, { allow })).toBe(undefined)
  })
})

describe('a person may not log in', () => {
  test.each([
    [[{ hd: ['other.example'] }], 'hd'],
    [[{ hd: ['example.org'], groups: ['admins'] }], 'groups'],
    [[{ missing: ['true'] }], 'missing'],
    [[{ missing: ['undefined'] }], 'missing'],
    [[{ realm_access: ['[object Object]'] }], 'realm_access'],
    [[{ email: ['@ample.org'] }], 'email'],
    [[{ email: ['@org'] }], 'email'],
    [[{ sub: ['@ada'] }], 'sub'],
    [[{ constructor: ['function'] }], 'constructor'],
    [[{ hd: ['a'] }, { groups: ['b'] }], 'groups'],
  ])('by %j', (allow: readonly Readonly<Record<string, readonly string[]>>[], claim) => {
    expect(refusedBy(claims, { allow })).toBe(claim)
  })

  test.each([
    { email: 'eve@example.org' },
    { email: 'eve@example.org', email_verified: false },
    { email: 'eve@example.org', email_verified: 'no' },
    { email: 'eve@evil.example@example.org.evil', email_verified: true },
    { email: ['eve@evil.example'], email_verified: true },
  ])('by the domain of an address that is not verified, or another one: %j', (other) => {
    expect(refusedBy(other, { allow: [{ email: ['@example.org'] }] })).toBe('email')
  })
})

test('roles come in the order of the rules, each once; metadata from claims', () => {
  const roles = {
    groups: { staff: ['reader'], ports: ['port-admin', 'reader'], none: ['admin'] },
    email: { '@example.org': ['colleague'] },
  }
  const metadata = { tenant: 'hd', roles: 'realm_access.roles', missing: 'missing' }
  expect(grantsOf(claims, { roles, metadata })).toEqual({
    roles: ['reader', 'port-admin', 'colleague'],
    metadata: { tenant: 'example.org', roles: ['reader'], missing: undefined },
  })
  expect(grantsOf({}, { roles })).toEqual({ roles: [] })
  expect(grantsOf(claims, {})).toEqual({})
})
