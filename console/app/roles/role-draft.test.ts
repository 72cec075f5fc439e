import { expect, test } from 'vitest'
import { Refusal } from '../../../browser/refusal.ts'
import { changesOf } from './role-changes.ts'
import {
  commandOf,
  contentOf,
  draftOf,
  emptyDraft,
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
