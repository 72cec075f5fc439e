import { expect, test } from 'vitest'
import { parseUnboundedDate, showUnboundedDate } from './unbounded-date-text.ts'

const forms = [
  { stored: '2026-01-31 09:30:00.25', shown: '2026-01-31T09:30:00.25' },
  { stored: '0001-01-01', shown: '0001-01-01' },
  { stored: '0001-01-01 BC', shown: '+0000-01-01' },
  { stored: '0044-03-15 BC', shown: '-0043-03-15' },
  { stored: '0044-03-15 12:00:00 BC', shown: '-0043-03-15T12:00:00' },
  { stored: '10000-01-01', shown: '+10000-01-01' },
  { stored: '294276-12-31 23:59:59.999999', shown: '+294276-12-31T23:59:59.999999' },
  { stored: 'infinity', shown: 'infinity' },
  { stored: '-infinity', shown: '-infinity' },
]

test.each(forms)('$stored is shown as $shown, and found by either', ({ stored, shown }) => {
  expect(showUnboundedDate(stored)).toBe(shown)
  expect(parseUnboundedDate(shown, 'with time')).toBe(stored)
  expect(parseUnboundedDate(stored, 'with time')).toBe(stored)
})

test.each([
  '',
  'yesterday',
  '2026-13-01',
  '+10000-00-01',
  '10000-01-32',
  '2026-02-30',
  '+10001-02-29',
  '10000-01-01 24:00',
  '10000-01-01 99',
])('%j is no date', (text) => {
  expect(parseUnboundedDate(text, 'with time')).toBe(undefined)
})

test('a day takes no time', () => {
  expect(parseUnboundedDate('+10000-01-01T10:00:00', 'day only')).toBe(undefined)
})
