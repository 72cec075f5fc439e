import { expect, test } from 'vitest'
import { localeOf } from './locale.ts'

test.each([
  ['en', ['en-GB', 'en', 'ja'], 'en-GB'],
  ['en', ['de-DE', 'en-US', 'en-GB'], 'en-US'],
  ['en', ['ja-JP', 'ja'], 'en'],
  ['en', ['en', 'en-AU'], 'en'],
  ['ja', ['en-GB', 'ja-JP'], 'ja-JP'],
  ['ja', ['jam-JM'], 'ja'],
  ['en', [], 'en'],
])('%s in a browser that prefers %j is %s', (language, preferred, locale) => {
  expect(localeOf(language, preferred)).toBe(locale)
})

test('a day is written as the region writes it', () => {
  const day = new Date('2027-01-31T09:30:00Z')
  const write = (...preferred: readonly string[]) =>
    new Intl.DateTimeFormat(localeOf('en', preferred), { dateStyle: 'medium', timeZone: 'UTC' }).format(day)
  expect([write('en-GB'), write('en-US')]).toEqual(['31 Jan 2027', 'Jan 31, 2027'])
})
