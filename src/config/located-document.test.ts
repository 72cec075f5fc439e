import { describe, expect, test } from 'vitest'
import { readLocatedDocuments, writeDocument } from './located-document.ts'

test('documents have their values and lines, in YAML and in JSON', () => {
  const text = 'a:\n  - b: &x [1, 2]\n  - { c: *x,\n      d: yes }\n---\n---\n{"e":\n\t[null,\n\ttrue]}\n'
  const { documents, mistakes } = readLocatedDocuments(text)
  expect(mistakes).toEqual([])
  expect(documents.map(({ value }) => value)).toEqual([
    { a: [{ b: [1, 2] }, { c: [1, 2], d: 'yes' }] },
    { e: [null, true] },
  ])
  const [first, second] = documents
  const lines = [[], ['a'], ['a', '0'], ['a', '1', 'd'], ['a', '1', 'none', 'deeper'], ['b']].map((path) =>
    first?.lineOf(path),
  )
  expect(lines).toEqual([1, 1, 2, 4, 3, 1])
  expect([['e'], ['e', '0'], ['e', '1']].map((path) => second?.lineOf(path))).toEqual([7, 8, 9])
})

test('what a word means does not depend on a version that is named', () => {
  expect(readLocatedDocuments('%YAML 1.1\n---\n[yes, 0o10, 1_000, 2020-01-01]').documents[0]?.value).toEqual([
    'yes',
    8,
    '1_000',
    '2020-01-01',
  ])
})

test.each([[''], ['---\n'], ['# nothing\n']])('%j holds no document', (text) => {
  expect(readLocatedDocuments(text)).toEqual({ documents: [], mistakes: [] })
})

describe('mistakes have their line', () => {
  test.each([
    ['a: 1\nb: 2\na: 3', 3, 'The key a occurs twice.'],
    ['{"a": {"b b": 1, "b b": 2}}', 1, 'The key "b b" occurs twice.'],
    [
      'a: 1\n---\nb: [',
      3,
      'Flow sequence in block collection must be sufficiently indented and end with a ].',
    ],
    ['a: *b', 1, 'Unresolved alias (the anchor must be set before the alias): b'],
    ['a:\n  9007199254740993', 2, 'The number 9007199254740993 cannot be kept exactly. Put it in quotes.'],
    ['a: &b [*b]', 1, 'An alias is inside its own anchor.'],
    ['? [a]\n: 1', 1, 'A key must be a text.'],
    ['\na: !!binary aGVsbG8=', 2, 'Unresolved tag: tag:yaml.org,2002:binary.'],
    ['a: .nan', 1, 'The number .nan cannot be kept exactly. Put it in quotes.'],
    ['a: 1e999', 1, 'The number 1e999 cannot be kept exactly. Put it in quotes.'],
  ])('%j', (text, line, detail) => {
    expect(readLocatedDocuments(text).mistakes).toEqual([{ line, detail }])
  })

  test('and only the first ones of many', () => {
    const { documents, mistakes } = readLocatedDocuments('['.repeat(5000))
    expect([documents, mistakes.length, mistakes[0]]).toEqual([
      [],
      20,
      { line: 1, detail: 'This is nested too deep.' },
    ])
  })

  test('and too many aliases are refused', () => {
    const levels = Array.from({ length: 9 }, (_, level) =>
      level === 0 ? 'l0: &l0 [x, x, x]' : `l${level}: &l${level} [${`*l${level - 1}, `.repeat(9)}]`,
    )
    const { documents, mistakes } = readLocatedDocuments(levels.join('\n'))
    expect([documents, mistakes.map(({ line }) => line)]).toEqual([[], [1]])
  })
})

test('a value is written as such a document', () => {
  const value = { name: 'yes: no', list: [1, null, { a: '1' }], empty: {}, long: 'word '.repeat(40).trim() }
  expect(readLocatedDocuments(writeDocument(value)).documents[0]?.value).toEqual(value)
  expect(writeDocument({ a: { b: [1] } })).toBe('a:\n  b:\n    - 1')
})
