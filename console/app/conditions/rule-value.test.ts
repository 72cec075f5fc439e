import { expect, test } from 'vitest'
import type { Field } from '../data/tables.ts'
import { accountNamesFor, kindsFor, valueOfKind } from './rule-value.ts'

const field = (kind: Field['kind']) => ({ name: kind, kind }) as Field
const kinds = ['fixed', 'account', 'now'] as const

test('times are offered for fields of times, and where the field is not known', () => {
  expect(kindsFor(kinds, field('dateTime'), 'fixed')).toEqual(kinds)
  expect(kindsFor(kinds, field('date'), 'fixed')).toEqual(kinds)
  expect(kindsFor(kinds, undefined, 'fixed')).toEqual(kinds)
  expect(kindsFor(kinds, field('integer'), 'fixed')).toEqual(['fixed', 'account'])
  // One that the text of the rows has is there all the same.
  expect(kindsFor(kinds, field('integer'), 'now')).toEqual(kinds)
})

test('values of accounts are offered for fields whose values they can have', () => {
  expect(accountNamesFor(field('string'), false, ['tenant'])).toEqual([
    'username',
    'metadata.tenant',
    'metadata.',
  ])
  expect(accountNamesFor(field('string'), true, [])).toEqual(['roles', 'metadata.'])
  expect(accountNamesFor(field('integer'), false, ['tenant'])).toEqual(['metadata.tenant', 'metadata.'])
  expect(valueOfKind('account', true, field('string'))).toEqual({ account: 'roles' })
  expect(valueOfKind('account', false, field('integer'))).toEqual({ account: 'metadata.' })
})
