import { expect, test } from 'vitest'
import {
  compactFilters,
  countConditions,
  documentOfFilters,
  type Filters,
  prettyFilters,
  readFilters,
  textOfFilters,
} from './filters.ts'

const filters: Filters = [
  { key: 'isActivated', op: '==', val: 1 },
  [
    { key: 'name', op: 'starts', val: 'up' },
    { key: 'status', op: 'in', val: ['a', null] },
  ],
]

const text = `[
  { "key": "isActivated", "op": "==", "val": 1 },
  [
    { "key": "name", "op": "starts", "val": "up" },
    { "key": "status", "op": "in", "val": ["a",null] }
  ]
]`

test('filters are written one in a line, and read again', () => {
  expect(textOfFilters(filters)).toBe(text)
  expect(readFilters(text)).toEqual({ kind: 'filters', filters })
  expect(compactFilters(text)).toBe(JSON.stringify(filters))
  expect(prettyFilters(JSON.stringify(filters))).toBe(text)
  expect(countConditions(text)).toBe(3)
})

test('no filters are no text', () => {
  for (const empty of ['', ' \n', '[]'])
    expect([readFilters(empty), compactFilters(empty)]).toEqual([{ kind: 'filters', filters: [] }, ''])
  expect(textOfFilters([])).toBe('')
  expect(documentOfFilters('')).toBeUndefined()
})

test.each([
  '{"key":"a","op":"==","val":1}',
  '[[[{"key":"a","op":"==","val":1}]]]',
  '[{"key":"a","op":"===","val":1}]',
  '[{"key":"a","op":"=="}]',
  '[{"key":"a","op":"==","val":1,"more":2}]',
  '[[]]',
  '5',
])('%s is for the gateway to judge', (other) => {
  const document = JSON.parse(other)
  expect(readFilters(other)).toEqual({ kind: 'other', document })
  expect(countConditions(other)).toBeUndefined()
  expect(documentOfFilters(other)).toEqual(Array.isArray(document) ? document : [document])
})

test('what is no JSON stays as it was written', () => {
  expect(readFilters('[{').kind).toBe('mistake')
  expect([compactFilters(' [{ '), prettyFilters('[{'), documentOfFilters('[{')]).toEqual(['[{', '[{', '[{'])
})

test('further conditions must hold as well', () => {
  const more: Filters = [[{ key: 'note', op: 'contains', val: 'x' }]]
  expect(documentOfFilters(text, more)).toEqual([...filters, ...more])
  expect(documentOfFilters('', more)).toEqual(more)
})

test('no digit of a number is lost', () => {
  const number = '[{"key":"id","op":"==","val":9223372036854775807}]'
  expect(documentOfFilters(number)).toEqual([{ key: 'id', op: '==', val: '9223372036854775807' }])
  expect(documentOfFilters('[{"key":"a","op":"<","val":-0.5e300}]')).toEqual([
    { key: 'a', op: '<', val: -0.5e300 },
  ])
})
