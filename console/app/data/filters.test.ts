import { expect, test } from 'vitest'
import {
  compactFilters,
  countConditions,
  documentOfFilters,
  type Filters,
  isComplete,
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

test('a range is two values; another one is only a text', () => {
  const reading = (val: unknown) => readFilters(JSON.stringify([{ key: 'id', op: 'between', val }])).kind
  expect([[1, 2], ['a', ''], [1], [1, { now: 'P1D' }], { account: 'metadata.range' }].map(reading)).toEqual([
    'filters',
    'filters',
    'other',
    'other',
    'other',
  ])
})

const related: Filters = [
  { key: 'shop.name', op: '==', val: 'North' },
  {
    key: 'saleCollection',
    op: 'some',
    val: [
      { key: 'amount', op: '>', val: 5 },
      [
        { key: 'itemCollection', op: 'none', val: [] },
        { key: 'note', op: '==', val: null },
      ],
    ],
  },
]

const relatedText = `[
  { "key": "shop.name", "op": "==", "val": "North" },
  { "key": "saleCollection", "op": "some", "val": [
    { "key": "amount", "op": ">", "val": 5 },
    [
      { "key": "itemCollection", "op": "none", "val": [] },
      { "key": "note", "op": "==", "val": null }
    ]
  ] }
]`

test('so are conditions on related rows, with those inside them', () => {
  expect(textOfFilters(related)).toBe(relatedText)
  expect(readFilters(relatedText)).toEqual({ kind: 'filters', filters: related })
  expect(compactFilters(relatedText)).toBe(JSON.stringify(related))
  expect(countConditions(relatedText)).toBe(2)
})

test('a condition is complete when it names a field', () => {
  const name = { key: 'shop.', op: '==', val: '' } as const
  expect([[], filters, related].map(isComplete)).toEqual([true, true, true])
  expect(
    [[name], [[filters[0], name].flat()], [{ key: 'saleCollection', op: 'none', val: [name] }]].map((list) =>
      isComplete(list as Filters),
    ),
  ).toEqual([false, false, false])
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
  '[{"key":"a","op":"some","val":{"key":"b","op":"==","val":1}}]',
  '[{"key":"a","op":"every","val":[[]]}]',
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
