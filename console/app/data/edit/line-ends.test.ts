import { expect, test } from 'vitest'
import { asInTextarea, lineEndsOf } from './line-ends.ts'

test('a text whose lines end with CRLF keeps them when it is changed', () => {
  const restore = lineEndsOf('one\r\ntwo\r\n')
  expect(asInTextarea('one\r\ntwo\r\n')).toBe('one\ntwo\n')
  expect(restore('one\ntwo\nthree')).toBe('one\r\ntwo\r\nthree')
  expect(restore('one')).toBe('one')
})

test('all other texts are written as they are entered', () => {
  for (const text of ['', 'one', 'one\ntwo', 'one\r\ntwo\nthree', 'one\r\ntwo\rthree', null, undefined]) {
    expect(lineEndsOf(text)('a\nb')).toBe('a\nb')
  }
})
