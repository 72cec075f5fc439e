import type { OptionType } from './option-types.ts'
import type { OptionTable } from './options.ts'
import { entriesByName, textList } from './part-types.ts'

const headerValue: OptionType<string> = {
  takes: 'visible ASCII characters, as a header can hold them',
  placeholder: 'TEXT',
  parse: (raw) => (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(raw) ? raw : undefined),
}

/** As in `targets` of a role. */
const targetPattern = /^https?:\/\/(\*\.)?([\w.-]+|\[[\da-f:.]+\])(:(\d{1,5}|\*))?$/i

const secretOptions = {
  value: {
    type: headerValue,
    secret: true,
    required: true,
    describe: 'The secret.',
    example: 'Bearer …',
  },
  targets: {
    type: textList('an origin such as https://billing.internal, or a list of origins', (text) =>
      targetPattern.test(text),
    ),
    required: true,
    describe: 'The servers that may get it.',
    example: 'https://billing.internal',
  },
} as const satisfies OptionTable

/** Secrets that routes may send, by name. */
export const upstreamSecrets = {
  ...entriesByName(secretOptions, (name) => /^[A-Za-z\d][\w.-]{0,60}$/.test(name)),
  parts: 'texts',
} as const
