import { describe, expect, test } from 'vitest'
import { dateTimeOf, parseDate, parseDateTime, showDateTime } from './date-time-text.ts'

describe('a date and time is stored in UTC, with no zeros at the end of its fraction', () => {
  test.each([
    ['2020-01-02T03:04:05', '2020-01-02 03:04:05'],
    ['2020-01-02 03:04:05', '2020-01-02 03:04:05'],
    ['2020-01-02T03:04', '2020-01-02 03:04:00'],
    ['2020-01-02', '2020-01-02 00:00:00'],
    ['2020-01-02T03:04:05Z', '2020-01-02 03:04:05'],
    ['2020-01-02T03:04:05.120000', '2020-01-02 03:04:05.12'],
    ['2020-01-02T03:04:05.000', '2020-01-02 03:04:05'],
    ['2020-01-02T03:04:05.123456+09:00', '2020-01-01 18:04:05.123456'],
    ['2020-01-01T00:30:00+0100', '2019-12-31 23:30:00'],
    ['2020-12-31T23:30:00-01', '2021-01-01 00:30:00'],
    ['0001-01-01T00:00:00', '0001-01-01 00:00:00'],
    ['9999-12-31T23:59:59.999999', '9999-12-31 23:59:59.999999'],
    ['2024-02-29', '2024-02-29 00:00:00'],
  ])('%s', (text, stored) => {
    expect(parseDateTime(text)).toBe(stored)
  })

  test.each([
    '',
    'now',
    '2020-13-01',
    '2023-02-29',
    '0000-01-01',
    '2020-01-01T24:00:00',
    '2020-01-01T00:60:00',
    '2020-01-01T00:00:00.1234567',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '10000-01-01',
    '2020-1-1',
  ])('%s is not one', (text) => {
    expect(parseDateTime(text)).toBeUndefined()
  })
})

test('a stored date and time is shown with a T', () => {
  expect(showDateTime('2020-01-02 03:04:05.12')).toBe('2020-01-02T03:04:05.12')
})

test('a moment is stored to its millisecond', () => {
  expect(dateTimeOf(new Date('2020-01-02T03:04:05.120Z'))).toBe('2020-01-02 03:04:05.12')
})

test('a date is a real day', () => {
  expect(['2024-02-29', '2023-02-29', '2020-01-01T00:00:00'].map(parseDate)).toEqual([
    '2024-02-29',
    undefined,
    undefined,
  ])
})
