import { type OptionType, oneOf, yesOrNo } from './option-types.ts'
import type { ConfigOf, OptionTable } from './options.ts'
import { entriesOf } from './part-types.ts'

const name: OptionType<string> = {
  takes: 'a name of letters, digits, “-” and “_”',
  placeholder: 'NAME',
  parse: (raw) => (/^[A-Za-z\d][\w-]{0,60}$/.test(raw) ? raw : undefined),
}

/** The options of one way to log in: keys under `authentication:`, or under each entry of it. */
export const loginOptions = {
  name: {
    type: name,
    otherwise: 'the value of `strategy`',
    describe: 'Name of this way to log in; a log-in begins at `/auth/<name>`.',
    example: 'staff',
  },
  strategy: {
    type: oneOf('gateway'),
    required: true,
    describe: 'How people log in: `gateway` shows a form and logs on with an account of the gateway.',
    example: 'gateway',
  },
  label: {
    type: {
      takes: 'text that is not empty',
      placeholder: 'TEXT',
      parse: (raw) => raw || undefined,
    } as OptionType<string>,
    otherwise: 'the name',
    describe: 'What people read where they choose between several ways to log in.',
    example: 'Staff account',
  },
  generator: {
    type: oneOf('gateway'),
    otherwise: 'the token that the log-in gave is used until it ends, and then the session ends',
    describe:
      'What makes access tokens for the backend: `gateway` gets them from the gateway with the web front’s own account.',
    example: 'gateway',
  },
  transparentTokens: {
    type: yesOrNo,
    default: 'false',
    describe:
      'Whether access tokens are put into calls of the backend by the web front and kept from the browser; otherwise the application reads its token from `GET /session`.',
    example: 'true',
  },
} as const satisfies OptionTable

/** The configuration of one way to log in. */
export type LoginConfig = ConfigOf<typeof loginOptions>

/** One way to log in, or a list of several. */
export const loginEntries = entriesOf(loginOptions, ({ name: given, strategy }) => given ?? strategy)
