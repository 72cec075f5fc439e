import { describe, expect, test } from 'vitest'
import { shortHelp, wholeHelp } from './help-text.ts'
import { oneOf, port, text, yesOrNo } from './option-types.ts'
import type { OptionTable } from './options.ts'

const options = {
  product: {
    type: oneOf('one', 'two'),
    required: true,
    describe: 'Which it is. It cannot be changed later, whatever happens.',
    example: 'one',
  },
  port: { type: port, default: '80', places: ['file'], describe: 'Where to listen.', example: '81' },
  quick: {
    type: yesOrNo,
    default: 'true',
    short: 'q',
    describe: 'Whether it is quick, which depends on more than this.',
    example: 'x',
  },
  db_pass: { type: text, secret: true, describe: 'What opens it.', example: 'x' },
} as const satisfies OptionTable

const groups = [{ heading: 'Service', part: 'service', options }]
const layout = { width: 60, heading: (heading: string) => `*${heading}*` }

test('the whole help tells of every option how to give it, what for, and what happens without it', () => {
  expect(wholeHelp(groups, layout)).toBe(
    `*Service (in a configuration file under “service:”)*
  --product one|two
      Which it is. It cannot be changed later, whatever
      happens.
      GATEHOUSE_PRODUCT; required
  port (file only)
      Where to listen.
      default 80
  -q, --quick
      Whether it is quick, which depends on more than this.
      GATEHOUSE_QUICK; default true
  --db_pass TEXT
      What opens it.
      GATEHOUSE_DB_PASS; --db_pass_file PATH; if not given:
      not used

A flag may be written with - for _, and as --key=value. For
an option that takes true or false, --key alone means
--key=true. A flag comes before an environment variable,
then the configuration file, then the default.`,
  )
})

describe('the short help', () => {
  test('has the first sentence about each flag', () => {
    expect(shortHelp(groups, layout)).toBe(
      `*Service*
  --product one|two         Which it is.
  -q, --quick               Whether it is quick, which
                            depends on more than this.
                            [true]
  --db_pass TEXT            What opens it. Better:
                            --db_pass_file PATH.`,
    )
  })

  test('of many options has the usual ones; the whole one has them by topic', () => {
    const many: OptionTable = {
      ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`graphql_${index}`, options.product])),
      db_name: options.product,
      new_kind: options.product,
    }
    expect(shortHelp([{ heading: 'Gateway', options: many }], layout)).toBe(
      '*Gateway*\n  --db_name one|two         Which it is.',
    )
    const headings = wholeHelp([{ heading: 'Gateway', options: many }], layout).match(/^\*.*$/gm)
    expect(headings).toEqual(['*Gateway: database*', '*Gateway: GraphQL*', '*Gateway: running*'])
  })
})
