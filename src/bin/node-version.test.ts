import { expect, test } from 'vitest'

/** The module is plain JavaScript, so that older versions of Node.js read it. */
const { inWords, isNewEnough } = (await import(new URL('node-version.mjs', import.meta.url).href)) as {
  inWords(range: string): string
  isNewEnough(version: string, range: string): boolean
}

const range = '^22.21 || >=24.9'

test.each([
  ['20.20.2', false],
  ['22.20.0', false],
  ['22.21.0', true],
  ['22.100.0', true],
  ['23.11.1', false],
  ['24.8.0', false],
  ['24.9.0', true],
  ['24.21.0', true],
  ['25.0.0', true],
  ['100.0.0', true],
])('Node.js %s: %s', (version, expected) => {
  expect(isNewEnough(version, range)).toBe(expected)
})

test('a range of one alternative', () => {
  expect(isNewEnough('24.9.0', '>=24')).toBe(true)
  expect(isNewEnough('22.21.0', '>=24')).toBe(false)
  expect(inWords('>=24')).toBe('24 or newer')
})

test('the range in words', () => {
  expect(inWords(range)).toBe('24.9 or newer, or 22.21 or newer of version 22')
})
