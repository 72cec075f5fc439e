import { expect, test } from 'vitest'
import { operatorOf, operatorsFor, valueOfText, withField, withOperator } from './conditions.ts'
import type { Field } from './tables.ts'

const field = (name: string, kind: Field['kind']) => ({ name, kind }) as Field
const [text, number, big] = [field('name', 'string'), field('id', 'integer'), field('big', 'bigint')]

test('operators on texts are offered for texts', () => {
  expect(operatorsFor(text, '==')).toContain('contains')
  expect(operatorsFor(number, '==')).not.toContain('contains')
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
