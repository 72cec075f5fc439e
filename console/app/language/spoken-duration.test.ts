import { expect, test } from 'vitest'
import { spokenDuration } from './spoken-duration.ts'

test.each([
  [1, 'en', '1 second'],
  [60, 'en', '1 minute'],
  [90, 'en', '90 seconds'],
  [7200, 'en', '2 hours'],
  [86_400, 'en', '1 day'],
  [86_400, 'ja', '1 日'],
  [60, 'ja', '1 分'],
])('%i seconds in %s', (seconds, language, spoken) => {
  expect(spokenDuration(seconds, language)).toBe(spoken)
})
