import { expect, test } from 'vitest'
import { diffLines, shortened } from './line-diff.ts'

const shown = (from: string, to: string) =>
  diffLines([...from], [...to]).map(({ sign, text }) => (sign === ' ' ? text : sign + text))

test.each([
  ['', '', []],
  ['abc', 'abc', ['a', 'b', 'c']],
  ['abc', 'axc', ['a', '-b', '+x', 'c']],
  ['abcd', 'bcde', ['-a', 'b', 'c', 'd', '+e']],
  ['', 'ab', ['+a', '+b']],
  ['aab', 'ab', ['a', '-a', 'b']],
  ['abcabba', 'cbabac', ['-a', '-b', 'c', '-a', 'b', '+a', 'b', 'a', '+c']],
])('%j and %j', (from, to, expected) => {
  expect(shown(from, to)).toEqual(expected)
})

test('lines of each side are all there, however long the texts are', () => {
  const from = Array.from({ length: 3000 }, (_, index) => `a${index}`)
  const to = Array.from({ length: 3000 }, (_, index) => `b${index}`)
  const lines = diffLines(from, to)
  expect(lines.filter(({ sign }) => sign === '-').map(({ text }) => text)).toEqual(from)
  expect(lines.filter(({ sign }) => sign === '+').map(({ text }) => text)).toEqual(to)
})

test('equal lines far from a difference are left out', () => {
  const parts = shortened(diffLines([...'abcdefghij'], [...'abcdeXghij']), 2)
  expect(parts).toEqual([
    { skipped: 3 },
    { sign: ' ', text: 'd' },
    { sign: ' ', text: 'e' },
    { sign: '-', text: 'f' },
    { sign: '+', text: 'X' },
    { sign: ' ', text: 'g' },
    { sign: ' ', text: 'h' },
    { skipped: 2 },
  ])
})
