import { expect, test } from 'vitest'
import { helpText } from './help-text.ts'
import { oneOf, port, text } from './option-types.ts'

test('tells of every option how to give it, what for, and what happens without it', () => {
  const options = {
    product: { type: oneOf('one', 'two'), required: true, describe: 'Which it is.', example: 'one' },
    port: { type: port, default: '80', places: ['file'], describe: 'Where to listen.', example: '81' },
    db_pass: { type: text, secret: true, describe: 'What opens it.', example: 'x' },
  } as const
  expect(helpText([{ heading: 'Service', part: 'service', options }])).toBe(
    `Service (in a configuration file under “service:”)
  --product one|two
      Which it is.
      GATEHOUSE_PRODUCT; required
  port (file only)
      Where to listen.
      default 80
  --db_pass TEXT
      What opens it.
      GATEHOUSE_DB_PASS; --db_pass_file PATH; if not given: not used

A flag may be written with - for _, and as --key=value. For an option that takes true or false, --key alone means
--key=true. A flag comes before an environment variable, then the configuration file, then the default.`,
  )
})
