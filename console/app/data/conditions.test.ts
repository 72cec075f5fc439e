import { expect, test } from 'vitest'
import {
  operatorOf,
  operatorsFor,
  textInside,
  valueInside,
  valueOfText,
  withField,
  withOperator,
} from './conditions.ts'
import type { Field } from './tables.ts'

const field = (name: string, kind: Field['kind']) => ({ name, kind }) as Field
const [text, number, big] = [field('name', 'string'), field('id', 'integer'), field('big', 'bigint')]

test('operators on texts are offered for texts', () => {
  expect(operatorsFor(text, '==')).toContain('contains')
  expect(operatorsFor(number, '==')).not.toContain('contains')
  expect(operatorsFor(text, '==')).toEqual(expect.arrayContaining(['iequals', 'icontains', 'between']))
  expect(operatorsFor(number, '==')).not.toContain('istarts')
  expect(operatorsFor(number, '==')).toContain('between')
  // One that the text of a filter has is there all the same.
  expect(operatorsFor(number, 'contains')[0]).toBe('contains')
})

test('a condition keeps its value as far as it can', () => {
  const condition = { key: 'name', op: '==', val: 'x' } as const
  expect(withOperator(condition, 'in')).toEqual({ key: 'name', op: 'in', val: ['x'] })
  expect(withOperator({ key: 'name', op: 'in', val: ['x', 'y'] }, '!=')).toEqual({
    ...{ key: 'name', op: '!=', val: 'x' },
  })
  const isNull = withOperator(condition, 'isNull')
  expect([isNull, operatorOf(isNull)]).toEqual([{ key: 'name', op: '==', val: null }, 'isNull'])
  expect(withOperator(isNull, 'starts')).toEqual({ key: 'name', op: 'starts', val: '' })
  expect(withField({ key: 'name', op: 'starts', val: 'x' }, number)).toEqual({ key: 'id', op: '==', val: '' })
})

test('a range has two ends', () => {
  const range = withOperator({ key: 'id', op: '>=', val: 5 }, 'between')
  expect(range).toEqual({ key: 'id', op: 'between', val: [5, ''] })
  expect(withOperator(range, '<')).toEqual({ key: 'id', op: '<', val: 5 })
  expect(withOperator({ key: 'id', op: 'in', val: [1, 2, 3] }, 'between').val).toEqual([1, 2])
  expect(withOperator({ key: 'id', op: '==', val: { now: 'P1D' } }, 'between').val).toEqual(['', ''])
  expect(withField(range, text)).toEqual({ key: 'name', op: 'between', val: ['', ''] })
})

test('values inside JSON are what JSON says, and texts are texts', () => {
  const texts = ['5', '-1.5', 'true', '"5"', 'five', '1.0', '9223372036854775807', '[1]', '"']
  const values = [5, -1.5, true, '5', 'five', '1.0', '9223372036854775807', '[1]', '"']
  expect(texts.map(valueInside)).toEqual(values)
  expect(values.map(textInside)).toEqual(texts)
})

test('a condition on related rows becomes one on a field', () => {
  const related = { key: 'saleCollection', op: 'none', val: [] } as const
  expect(withField(related, number, 'shop.id')).toEqual({ key: 'shop.id', op: '==', val: '' })
  expect(withField({ key: 'name', op: '<', val: 'x' }, number, 'shop.id')).toEqual({
    ...{ key: 'shop.id', op: '<', val: '' },
  })
})

test('numbers are numbers where JSON keeps them exactly', () => {
  expect(['5', '05', '', '-1.5', '9223372036854775807', 'x'].map((one) => valueOfText(one, big))).toEqual([
    5,
    '05',
    '',
    -1.5,
    '9223372036854775807',
    'x',
  ])
  expect(valueOfText('5', text)).toBe('5')
  expect(valueOfText('1.10', field('amount', 'decimal'))).toBe('1.10')
})
