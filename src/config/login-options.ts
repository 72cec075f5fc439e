import { type OptionType, oneOf, text, webAddress, yesOrNo } from './option-types.ts'
import type { ConfigOf, OptionTable } from './options.ts'
import { entriesOf, jsonObject, textByKey, textList } from './part-types.ts'

const name: OptionType<string> = {
  takes: 'a name of letters, digits, “-” and “_”',
  placeholder: 'NAME',
  parse: (raw) => (/^[A-Za-z\d][\w-]{0,60}$/.test(raw) ? raw : undefined),
}

/** The path of a module: it starts with “/”, “./” or “../”. */
type ModulePath = `/${string}` | `./${string}` | `../${string}`

/** One of a few words, or a module of the operator's own. */
function wordOrModule<const Word extends string>(...words: readonly Word[]): OptionType<Word | ModulePath> {
  const isModule = (raw: string): raw is ModulePath => /^\.{0,2}\/[^\0]*\.m?js$/.test(raw)
  return {
    takes: `${words.join(', ')}, or the path of a module such as ./login.mjs`,
    placeholder: `${words.join('|')}|PATH`,
    parse: (raw) => words.find((word) => word === raw) ?? (isModule(raw) ? raw : undefined),
  }
}

const scopes: OptionType<readonly string[]> = {
  takes: 'scopes with blanks between them',
  placeholder: 'TEXT',
  parse: (raw) => {
    const list = raw.split(' ').filter((scope) => scope !== '')
    return list.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) ? list : undefined
  },
}

/** The options of one way to log in: keys under `authentication:`, or under each entry of it. */
export const loginOptions = {
  name: {
    type: name,
    otherwise: 'the value of `strategy`; of a module, its file’s name without the ending',
    describe:
      'Name of this way to log in. A log-in begins at `/auth/<name>`; the login provider sends browsers back to `/auth/<name>/callback`, which is to be registered there.',
    example: 'staff',
  },
  strategy: {
    type: wordOrModule('openid', 'oauth2', 'gateway'),
    required: true,
    describe:
      'How people log in: `openid` at a provider of OpenID Connect, `oauth2` at one of OAuth 2.0 alone, `gateway` by a form of the web front with an account of the gateway; or as a module of yours says.',
    example: 'openid',
  },
  label: {
    type: text,
    otherwise: 'the name',
    describe: 'What people read where they choose between several ways to log in.',
    example: 'Staff account',
  },
  issuer: {
    inFile: 'config.issuer',
    type: webAddress,
    otherwise: 'none; `openid` needs one',
    describe: 'What the provider of `openid` calls itself; all else is found there.',
    example: 'https://login.example.org/realms/staff',
  },
  preset: {
    inFile: 'config.preset',
    type: oneOf('github', 'gitlab'),
    otherwise: 'the endpoints are to be given',
    describe: 'A provider of `oauth2` whose endpoints, scope and claims are known.',
    example: 'github',
  },
  authorizationEndpoint: {
    inFile: 'config.authorizationEndpoint',
    type: webAddress,
    describe: 'Where `oauth2` sends browsers.',
    example: 'https://login.example.org/authorize',
  },
  tokenEndpoint: {
    inFile: 'config.tokenEndpoint',
    type: webAddress,
    describe: 'Where `oauth2` gets tokens.',
    example: 'https://login.example.org/token',
  },
  userinfoEndpoint: {
    inFile: 'config.userinfoEndpoint',
    type: webAddress,
    describe: 'Where `oauth2` learns who has logged in: a JSON object of claims.',
    example: 'https://login.example.org/user',
  },
  revocationEndpoint: {
    inFile: 'config.revocationEndpoint',
    type: webAddress,
    otherwise: 'refresh tokens are not taken back',
    describe: 'Where `oauth2` takes refresh tokens back (RFC 7009).',
    example: 'https://login.example.org/revoke',
  },
  clientId: {
    inFile: 'config.clientId',
    type: text,
    otherwise: 'none; `openid` and `oauth2` need one',
    describe: 'Identifier of the client that is registered at the provider.',
    example: 'gatehouse',
  },
  clientSecret: {
    inFile: 'config.clientSecret',
    type: text,
    secret: true,
    otherwise: 'the client is a public one',
    describe: 'Secret of that client.',
    example: 'the one that the provider gave',
  },
  clientAuthentication: {
    inFile: 'config.clientAuthentication',
    type: oneOf('basic', 'post'),
    default: 'basic',
    describe: 'How the secret is sent: by HTTP Basic, or in the body of a request.',
    example: 'post',
  },
  scope: {
    inFile: 'config.scope',
    type: scopes,
    otherwise: '`openid profile email`, or what the preset wants',
    describe:
      'What the log-in asks the provider for. For refresh tokens many providers want `offline_access`.',
    example: 'openid profile offline_access',
  },
  parameters: {
    inFile: 'config.parameters',
    type: textByKey,
    default: '{}',
    describe: 'More parameters of the authorization request.',
    example: '{"prompt": "consent"}',
  },
  endSession: {
    inFile: 'config.endSession',
    type: oneOf('false', 'true', 'with_id_token'),
    default: 'false',
    describe:
      'Whether `GET /logout` goes on to the provider of `openid` to end the session there as well. `with_id_token` is for providers that want to see the ID token: it is then in the address that the browser goes to.',
    example: 'true',
  },
  tokenScope: {
    inFile: 'config.tokenScope',
    type: scopes,
    default: '',
    describe: 'What the generator `client_credentials` asks the provider for.',
    example: 'api',
  },
  settings: {
    inFile: 'config.settings',
    type: jsonObject,
    default: '{}',
    describe: 'What modules are given: keys and texts.',
    example: '{"realm": "staff"}',
  },
  accountId: {
    inFile: 'account.account_id',
    type: text,
    otherwise: '`sub`, or what the preset has',
    describe:
      'Claim with the identifier of an account: one that never changes and is never given to another. A name with points leads into objects.',
    example: 'sub',
  },
  accountRole: {
    inFile: 'account.account_role',
    type: text,
    otherwise: 'the role at the gateway, where the generator `gateway` is used',
    describe: 'Claim with the role of an account; of a list its first.',
    example: 'realm_access.roles',
  },
  displayName: {
    inFile: 'account.displayName',
    type: text,
    default: 'name',
    describe: 'Claim with the name that people read.',
    example: 'nickname',
  },
  avatar: {
    inFile: 'account.avatar',
    type: text,
    otherwise: '`picture`, or what the preset has',
    describe: 'Claim with the address of an image.',
    example: 'avatar_url',
  },
  username: {
    inFile: 'account.username',
    type: text,
    otherwise: '`<name>:<account_id>` is the username at the gateway',
    describe:
      'Claim with the username at the gateway, for the generator `gateway`. Choose one that people cannot change at the provider: whoever has the name has the account.',
    example: 'preferred_username',
  },
  properties: {
    inFile: 'account.properties',
    type: textList('a claim, or a list of claims', (claim) => claim !== ''),
    otherwise:
      'name, given_name, family_name, preferred_username, email, email_verified and locale, or what the preset has',
    describe: 'Claims that are shown as `auth.properties`, as they are.',
    example: '["email", "department"]',
  },
  generator: {
    type: wordOrModule('gateway', 'refresh_token', 'client_credentials'),
    otherwise:
      'the token of a log-in by `gateway` is used until it ends, and then the session ends; other log-ins have none',
    describe:
      'What makes access tokens for the backend: `gateway` gets them from the gateway with the web front’s own account, `refresh_token` from the login provider for whoever logged in, `client_credentials` from the login provider for the web front itself; or as a module of yours says.',
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
export const loginEntries = entriesOf(loginOptions, loginNameOf)

/** The name of a way to log in: the one it was given, or one made of its strategy. */
export function loginNameOf({ name: given, strategy }: Pick<LoginConfig, 'name' | 'strategy'>): string {
  const file = /([^/]+)\.m?js$/.exec(strategy)?.[1]
  return given ?? file?.replaceAll(/[^\w-]/g, '-') ?? strategy
}
