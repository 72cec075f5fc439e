import { expect, test } from 'vitest'
import { Refusal } from '../../../browser/refusal.ts'
import { changesOf } from './role-changes.ts'
import {
  commandOf,
  contentOf,
  draftOf,
  emptyDraft,
  isTaken,
  regexOfPath,
  withAuthority,
  withChanged,
  withMoved,
  withoutAuthority,
} from './role-draft.ts'
import { mistakesIn, warningsAt } from './role-remarks.ts'

const ports = { regex: '/apis/ports', methods: ['GET'] }
const graphql = { regex: '/graphql', methods: ['POST'] }
const draft = draftOf({ name: 'reader', authorities: [ports, graphql] })

test('an authority for a known path joins the one that is there', () => {
  const joined = withAuthority(draft, { regex: '/apis/ports', methods: ['DELETE', 'GET'] })
  expect(contentOf(joined)).toEqual({
    authorities: [{ regex: '/apis/ports', methods: ['GET', 'DELETE'] }, graphql],
  })
  const added = withAuthority(withoutAuthority(draft, 0), ports)
  expect(added.authorities).toEqual([
    { id: 1, ...graphql },
    { id: 2, ...ports },
  ])
  expect(
    withAuthority(withAuthority(emptyDraft, { regex: '', methods: [] }), { regex: '', methods: [] })
      .authorities,
  ).toHaveLength(2)
})

test('authorities move by one place, and not beyond the ends', () => {
  expect(contentOf(withMoved(draft, 1, -1)).authorities).toEqual([graphql, ports])
  expect(withMoved(draft, 0, -1)).toBe(draft)
  expect(withMoved(draft, 1, 1)).toBe(draft)
})

test('conditions stay with their authority, whatever is done to the others', () => {
  const rows = [{ key: 'tenantId', op: '==' as const, val: { account: 'metadata.tenant' } }]
  const restricted = { ...ports, rows, fields: { read: ['id'] }, set: { owner: 'x' } }
  const known = draftOf({ name: 'tenant-user', authorities: [restricted] })
  expect(contentOf(withMoved(withAuthority(known, graphql), 1, -1))).toEqual({
    authorities: [graphql, restricted],
  })
  expect(contentOf(withAuthority(known, { ...ports, methods: ['DELETE'] }))).toEqual({
    authorities: [restricted, { ...ports, methods: ['DELETE'] }],
  })
  expect(commandOf('update', 'tenant-user', known)).toBe('gatehouse role update tenant-user --file role.yaml')
})

test('a role is sent with all that it has', () => {
  const role = {
    name: 'all',
    authorities: [],
    gives: '*' as const,
    limits: { requests: 5, per: 60 },
    targets: ['http://a'],
  }
  const { name, ...content } = role
  expect(contentOf(draftOf(role))).toEqual(content)
  expect(contentOf(emptyDraft)).toEqual({ authorities: [] })
})

test('an expression for a path matches this path alone', () => {
  const path = '/apis/a.b+c(d)[e]{f}|g*?^$\\'
  expect(new RegExp(`^(?:${regexOfPath(path)})$`).test(path)).toBe(true)
})

test('changes are told by method and expression', () => {
  const changed = withChanged(withoutAuthority(draft, 1), {
    id: 0,
    regex: '/apis/ports',
    methods: ['POST', 'GET'],
  })
  expect(changesOf(draft, changed)).toEqual({
    added: [{ method: 'POST', regex: '/apis/ports' }],
    removed: [{ method: 'POST', regex: '/graphql' }],
  })
  expect(changesOf(draft, withMoved(draft, 0, 1))).toEqual({ added: [], removed: [] })
})

test('remarks stand at their authorities', () => {
  const refusal = new Refusal('', {
    errors: [
      { pointer: '/authorities/1/regex', detail: 'Wrong.' },
      { pointer: '/gives/0', detail: 'No such role.' },
    ],
  })
  expect(mistakesIn(refusal)).toEqual({ byAuthority: new Map([[1, ['Wrong.']]]), others: ['No such role.'] })
  expect(mistakesIn(new Error('?'))).toEqual({ byAuthority: new Map(), others: [] })
  const warnings = ['The authority "/graphql" looks wrong.', 'Something else.']
  expect(warningsAt(warnings, draft.authorities)).toEqual({
    byAuthority: new Map([[1, [warnings[0]]]]),
    others: [warnings[1]],
  })
})

test('the command writes what flags can say', () => {
  const one = { ...draftOf({ name: 'a', authorities: [{ regex: '/a(/.*)?', methods: ['GET', 'POST'] }] }) }
  expect(commandOf('create', "it's", one)).toBe(
    `gatehouse role create 'it'\\''s' --regex '/a(/.*)?' --methods GET,POST`,
  )
  expect(commandOf('update', 'a', { ...one, gives: ['b', 'c'], limits: { requests: 1, per: 2 } })).toBe(
    `gatehouse role update a --regex '/a(/.*)?' --methods GET,POST --gives b,c --limits 1/2`,
  )
  expect(commandOf('update', 'a', draft)).toBe('gatehouse role update a --file role.yaml')
})

const conditions = {
  rows: [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }],
  fields: { read: ['id', 'name', 'tenantId'], write: ['name'] },
  set: { tenantId: { account: 'metadata.tenant' } },
} as const
const ofTenant = { ...ports, ...conditions }
const limited = draftOf({ name: 'tenant-user', authorities: [structuredClone(ofTenant) as never] })

test('conditions on records are kept and sent', () => {
  expect(contentOf(limited)).toEqual({ authorities: [ofTenant] })
  const empty = { ...ports, rows: [], fields: {}, set: {} }
  expect(contentOf(draftOf({ name: 'none', authorities: [empty] }))).toEqual({ authorities: [empty] })
  expect(isTaken(limited)).toBe(true)
  expect(isTaken(withChanged(limited, { id: 0, ...ports, unread: '[' }))).toBe(false)
})

test('an authority joins none with other conditions', () => {
  const both = withAuthority(limited, { ...ports, methods: ['DELETE'] })
  expect(contentOf(both)).toEqual({ authorities: [ofTenant, { ...ports, methods: ['DELETE'] }] })
  const { set, fields, rows } = conditions
  const joined = withAuthority(limited, { set, fields, rows, ...ports, methods: ['DELETE'] })
  expect(contentOf(joined)).toEqual({ authorities: [{ ...ofTenant, methods: ['GET', 'DELETE'] }] })
  expect(contentOf(withAuthority(emptyDraft, ofTenant))).toEqual({ authorities: [ofTenant] })
})

test('a changed condition is a change', () => {
  const wider = withChanged(limited, { id: 0, ...ofTenant, fields: { read: ['id'] } })
  expect(changesOf(limited, wider)).toEqual({
    added: [{ method: 'GET', regex: '/apis/ports', ...conditions, fields: { read: ['id'] } }],
    removed: [{ method: 'GET', regex: '/apis/ports', ...conditions }],
  })
  expect(changesOf(limited, withChanged(limited, { ...ofTenant, id: 0 }))).toEqual({ added: [], removed: [] })
  expect(changesOf(limited, withChanged(limited, { id: 0, ...ports })).added).toEqual([
    { method: 'GET', regex: '/apis/ports' },
  ])
})

test('conditions need a file', () => {
  expect(commandOf('update', 'tenant-user', limited)).toBe(
    'gatehouse role update tenant-user --file role.yaml',
  )
})

test('mistakes in conditions tell their place', () => {
  const detail = 'Port has no field "tenat".'
  const refusal = new Refusal('', {
    errors: [
      { pointer: '/authorities/0/rows/0/key', detail },
      { pointer: '/authorities/0/fields/read/1', detail },
    ],
  })
  expect(mistakesIn(refusal).byAuthority.get(0)).toEqual([
    `rows/0/key: ${detail}`,
    `fields/read/1: ${detail}`,
  ])
})
