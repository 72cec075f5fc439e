import { httpAddress, oneOf, text } from './option-types.ts'
import type { ConfigOf, OptionGroup, OptionTable } from './options.ts'

/** The options of every command that calls a running gateway. */
export const clientOptions = {
  url: {
    type: httpAddress,
    default: 'http://127.0.0.1:9000',
    describe: 'Address of the gateway.',
    example: 'https://api.example.org',
  },
  username: {
    type: text,
    required: true,
    describe: 'Account to log on with. Its roles say what the command may do, as for any caller.',
    example: 'admin',
  },
  password: {
    type: text,
    required: true,
    secret: true,
    describe: 'Password of the account.',
    example: 'correct-horse-battery-staple',
  },
  api_key: {
    type: text,
    required: true,
    secret: true,
    describe: 'API key of the account.',
    example: 'ghk_…',
  },
  output: {
    type: oneOf('table', 'json'),
    default: 'table',
    describe: 'Whether the output is for people or for programs.',
    example: 'json',
  },
} as const satisfies OptionTable

/** How to call a running gateway. */
export type ClientConfig = ConfigOf<typeof clientOptions>

/** The options of a client of the gateway, under `client:` in a configuration file. */
export const clientGroup = {
  heading: 'The gateway to call',
  part: 'client',
  options: clientOptions,
} as const satisfies OptionGroup
