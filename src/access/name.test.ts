import * as v from 'valibot'
import { expect, test } from 'vitest'
import { nameSchema, nameToPut } from './name.ts'

test.each([
  ['admin', 'admin'],
  ['e\u0301', 'é'],
  [' a ', ' a '],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['😀'.repeat(200), '😀'.repeat(200)],
  ['constructor', 'constructor'],
])('%j is the name %j', (text, name) => {
  expect(v.parse(nameSchema, text)).toBe(name)
})

test.each(['', 'x'.repeat(201), 'a\u0000', 'a\nb', '\u0085', '\ud800', 'a/b', 'a\\b', '.', '..', '..;x'])(
  '%j is no name',
  (text) => {
    expect(v.safeParse(nameSchema, text).success).toBe(false)
  },
)

test('a record cannot be renamed by writing it', () => {
  expect(nameToPut('e\u0301', 'é')).toBe('é')
  expect(nameToPut('a', undefined)).toBe('a')
  expect(() => nameToPut('a', 'b')).toThrow(expect.objectContaining({ code: 'DOCUMENT_INVALID' }))
})
