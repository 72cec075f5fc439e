import { expect, test } from 'vitest'
import { commandOf, contentOf, makePassword, objectIn } from './account-form.ts'

const form = { username: 'robin', password: '', roles: ['reader'], expireDays: undefined, metadata: '' }

test('an account is sent with what was typed, and no more', () => {
  expect(contentOf(form)).toEqual({ username: 'robin', role: 'reader' })
  const more = { ...form, roles: ['a', 'b'], expireDays: 30, metadata: '{"team": "network"}' }
  expect(contentOf(more)).toEqual({
    username: 'robin',
    role: ['a', 'b'],
    expire_days: 30,
    metadata: { team: 'network' },
  })
  expect(commandOf(more)).toBe(
    `gatehouse account create robin --role a,b --expire_days 30 --metadata '{"team":"network"}'`,
  )
  expect(commandOf({ ...form, password: 'secret' })).not.toContain('secret')
})

test.each([
  ['', {}],
  [' {"a": 1} ', { a: 1 }],
  ['[]', undefined],
  ['null', undefined],
  ['{', undefined],
  ['1', undefined],
])('the metadata %j is %j', (text, object) => {
  expect(objectIn(text)).toEqual(object)
})

test('generated passwords differ, and need no quotes', () => {
  const made = makePassword()
  expect(made).toMatch(/^[\w-]{24}$/)
  expect(makePassword()).not.toBe(made)
})
