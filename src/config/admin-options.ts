/** Options of single administration commands, besides those of the gateway to call. All are flags. */
import { nameList, type OptionType, oneOf, path, text, wholeNumber, yesOrNo } from './option-types.ts'
import type { OptionDefinition, OptionTable } from './options.ts'
import { jsonObject } from './part-types.ts'

const places = ['flag'] as const

const file = {
  type: path,
  short: 'f',
  places,
  otherwise: 'the other flags say it',
  describe: 'File with the whole document, YAML or JSON; “-” reads standard input.',
  example: 'reader.yaml',
} as const satisfies OptionDefinition

const methods = {
  type: nameList,
  places,
  describe: 'HTTP methods, separated by commas.',
  example: 'GET,POST',
} as const satisfies OptionDefinition

const days = wholeNumber(1, 36_500)

/** Days, or null for never. */
const daysOrNever: OptionType<number | null> = {
  takes: `${days.takes}, or never`,
  placeholder: 'NUMBER|never',
  parse: (raw) => (raw === 'never' ? null : days.parse(raw)),
}

const expireDays = {
  type: days,
  places,
  otherwise: 'it does not expire',
  describe: 'Lifetime in days.',
  example: '30',
} as const satisfies OptionDefinition

/** `100/60`: 100 requests in 60 seconds. */
const requestLimits: OptionType<{ readonly requests: number; readonly per: number }> = {
  takes: 'a number of requests and of seconds, such as 100/60',
  placeholder: 'REQUESTS/SECONDS',
  parse: (raw) => {
    const [, requests, per] = /^([1-9]\d{0,8})\/([1-9]\d{0,4})$/.exec(raw) ?? []
    return requests === undefined || per === undefined
      ? undefined
      : { requests: Number(requests), per: Number(per) }
  },
}

/** The same, or null for none. */
const requestLimitsOrNone: OptionType<{ readonly requests: number; readonly per: number } | null> = {
  takes: `${requestLimits.takes}, or none`,
  placeholder: 'REQUESTS/SECONDS|none',
  parse: (raw) => (raw === 'none' ? null : requestLimits.parse(raw)),
}

const limits = {
  type: requestLimits,
  places,
  otherwise: 'as its roles say',
  describe: 'How many requests it may make in how many seconds, across all gateways.',
  example: '100/60',
} as const satisfies OptionDefinition

/** A command without further options. */
export const noOptions = {} as const satisfies OptionTable

/** `explain-access` */
export const explainAccessOptions = {
  row: {
    type: text,
    places,
    otherwise: 'no record',
    describe: 'Identifier of a record: the answer says which conditions on rows it meets.',
    example: 'p1',
  },
} as const satisfies OptionTable

/** `role create`, `role update` */
export const roleOptions = {
  regex: {
    type: text,
    places,
    describe: 'Regular expression (RE2) of the only authority: it matches the whole path.',
    example: '/apis/ports(/.*)?',
  },
  methods: { ...methods, describe: 'HTTP methods of the only authority, separated by commas.' },
  gives: {
    type: nameList,
    places,
    otherwise: 'none for a new role; unchanged for an existing one',
    describe: 'Roles that its accounts may give, separated by commas; * is every role.',
    example: 'reader,guest',
  },
  limits: {
    ...limits,
    type: requestLimitsOrNone,
    otherwise: 'none for a new role; unchanged for an existing one',
    describe: 'How many requests each of its accounts may make in how many seconds, across all gateways.',
  },
  targets: {
    type: nameList,
    places,
    otherwise: 'none for a new role; unchanged for an existing one',
    describe:
      'Servers that routes of its accounts may lead to, separated by commas: origins, with *. for all names below a domain and :* for all ports. * removes the limit.',
    example: 'http://10.0.0.5:3000,https://*.internal:*',
  },
  file: {
    ...file,
    describe: 'File with “authorities”, YAML or JSON, for more than one; “-” reads standard input.',
  },
} as const satisfies OptionTable

const accountOptions = {
  role: {
    type: nameList,
    places,
    describe: 'Role of the account, or several, separated by commas.',
    example: 'reader,writer',
  },
  new_password: {
    type: text,
    secret: true,
    places,
    otherwise: 'unchanged; for a new account one is generated and shown once',
    describe: 'Password to set.',
    example: 'correct-horse-battery-staple',
  },
  metadata: {
    type: jsonObject,
    places,
    describe: 'Metadata of the account: a JSON object.',
    example: '{"team": "network"}',
  },
} as const satisfies OptionTable

/** `account create` */
export const newAccountOptions = {
  ...accountOptions,
  role: { ...accountOptions.role, required: true },
  expire_days: expireDays,
  limits,
} as const satisfies OptionTable

/** `account update` */
export const accountChangeOptions = {
  ...accountOptions,
  expire_days: {
    ...expireDays,
    type: daysOrNever,
    otherwise: 'its end stays',
    describe: 'Lifetime in days from now on, or “never”.',
  },
  limits: { ...limits, type: requestLimitsOrNone, otherwise: 'its limits stay' },
} as const satisfies OptionTable

/** `account reset` */
export const accountResetOptions = {
  role: {
    type: text,
    places,
    otherwise: 'the roles stay',
    describe: 'Role that replaces the roles of the account; “admin” is created if it does not exist.',
    example: 'admin',
  },
} as const satisfies OptionTable

/** `key create` */
export const apiKeyOptions = {
  expire_days: expireDays,
  expires_at: {
    type: text,
    places,
    otherwise: 'it does not expire',
    describe: 'Time at which the key expires, ISO 8601; UTC if it has no offset.',
    example: '2027-01-31T09:30:00+01:00',
  },
} as const satisfies OptionTable

/** `route create`, `route update` */
export const routeOptions = {
  path: {
    type: text,
    places,
    describe: 'Path of the route; “:name” stands for a segment, a final “/*” for any rest.',
    example: '/shop/*',
  },
  methods,
  scope: {
    type: oneOf('protected', 'public'),
    places,
    otherwise: 'protected',
    describe: 'Whether callers need a token, or anyone may call.',
    example: 'public',
  },
  target: {
    type: { ...nameList, takes: 'addresses separated by commas', placeholder: 'ADDRESS,ADDRESS' },
    places,
    otherwise: 'the route applies to the gateway’s own APIs',
    describe: 'Address of the upstream server.',
    example: 'http://10.0.0.5:3000',
  },
  prefix: {
    type: text,
    places,
    describe: 'What is removed from the front of each path.',
    example: '/shop',
  },
  file,
} as const satisfies OptionTable

/** `token list` */
export const tokenListOptions = {
  account: {
    type: text,
    places,
    otherwise: 'those of all accounts',
    describe: 'Account of the tokens.',
    example: 'robin',
  },
} as const satisfies OptionTable

/** `token create` */
export const tokenOptions = {
  expire_days: {
    ...expireDays,
    otherwise: 'as long as a token from a logon (token_ttl)',
    describe: 'Lifetime in days. The token ends no later than its account.',
    example: '365',
  },
} as const satisfies OptionTable

/** `token delete` */
export const tokenEndOptions = {
  account: { ...tokenListOptions.account, otherwise: '--all is needed' },
  all: {
    type: yesOrNo,
    default: 'false',
    places,
    describe: 'Whether to end the tokens of all accounts, including this command’s own.',
    example: 'true',
  },
} as const satisfies OptionTable

/** `names list` */
export const nameListOptions = {
  chosen: {
    type: yesOrNo,
    default: 'false',
    places,
    describe: 'Only names that were chosen.',
    example: 'true',
  },
  kind: {
    type: oneOf('table', 'field', 'reference', 'collection'),
    places,
    otherwise: 'all kinds are shown',
    describe: 'Only names of this kind.',
    example: 'table',
  },
} as const satisfies OptionTable

/** `audit` */
export const auditOptions = {
  limit: {
    type: wholeNumber(1, 1000),
    default: '100',
    places,
    describe: 'How many entries are shown, newest first.',
    example: '20',
  },
  before: {
    type: text,
    places,
    otherwise: 'the newest are shown',
    describe: 'Shows only entries older than the one with this id.',
    example: '01936f3e5b7c0001',
  },
} as const satisfies OptionTable

/** `entity diff` */
export const entityDiffOptions = {
  to: {
    type: wholeNumber(1, 999_999_999),
    places,
    otherwise: 'the version before VERSION is compared with it',
    describe: 'Version that VERSION is compared with.',
    example: '3',
  },
} as const satisfies OptionTable

/** `entity plan`, `entity apply` */
export const entityUploadOptions = {
  allow_destructive: {
    type: yesOrNo,
    default: 'false',
    places,
    describe: 'Whether rows may lose data that the definitions no longer hold.',
    example: 'true',
  },
} as const satisfies OptionTable

const dryRun = {
  type: yesOrNo,
  default: 'false',
  places,
  describe: 'Whether only the plan is shown; nothing is changed.',
  example: 'true',
} as const satisfies OptionDefinition

/** `entity delete` */
export const entityRemovalOptions = {
  allow_destructive: {
    type: yesOrNo,
    default: 'false',
    places,
    describe: 'Whether a table with rows may be dropped.',
    example: 'true',
  },
  dry_run: dryRun,
} as const satisfies OptionTable

/** `entity adopt` */
export const adoptionOptions = { dry_run: dryRun } as const satisfies OptionTable

/** `apply` */
export const applyOptions = {
  file: {
    ...file,
    required: true,
    describe:
      'File, YAML or JSON, or a folder, whose files .yaml, .yml and .json are read together; “-” reads standard input.',
    example: './access',
  },
  dry_run: dryRun,
  keys_file: {
    type: path,
    places,
    otherwise: 'they are shown once',
    describe:
      'File to which the API keys and generated passwords of new accounts are appended, one line of JSON for each, readable only by its owner.',
    example: './keys.jsonl',
  },
} as const satisfies OptionTable
