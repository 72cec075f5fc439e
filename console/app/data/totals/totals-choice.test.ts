import { expect, test } from 'vitest'
import type { Field } from '../tables.ts'
import { choiceIn, isEmptyChoice, noTotals, queryOfChoice, type TotalsChoice } from './totals-choice.ts'

const field = (name: string, kind: Field['kind']) => ({ name, kind }) as Field
const fields = [
  field('id', 'integer'),
  field('price', 'decimal'),
  field('born', 'dateTime'),
  field('day', 'date'),
  field('meta', 'json'),
]

test.each<TotalsChoice>([
  noTotals,
  { columns: ['price', 'id'], by: [] },
  { columns: [], by: [{ field: 'id' }, { field: 'born', every: 'MONTH' }] },
  { columns: ['meta'], by: [{ field: 'day', every: 'YEAR' }] },
])('an address keeps the choice %j', (choice) => {
  const query = new URLSearchParams(queryOfChoice(choice))
  expect(choiceIn(new URLSearchParams(query.toString()), fields)).toEqual(choice)
})

test('an address without the parameter shows no totals', () => {
  expect(choiceIn(new URLSearchParams('by=id'), fields)).toBeUndefined()
})

test('what an address has that the table has not is left out', () => {
  const query = new URLSearchParams({
    totals: 'price,none,price',
    by: 'id:MONTH,none,born:WEEK,day:HOUR,meta,id',
  })
  expect(choiceIn(query, fields)).toEqual({
    columns: ['price'],
    by: [{ field: 'id' }, { field: 'born' }, { field: 'day' }],
  })
})

test('a choice is empty without columns and groups', () => {
  expect(
    [noTotals, { columns: ['id'], by: [] }, { columns: [], by: [{ field: 'id' }] }].map(isEmptyChoice),
  ).toEqual([true, false, false])
})
