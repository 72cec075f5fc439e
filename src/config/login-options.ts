import { claimByKey, claimRules, rolesByClaim } from './claim-types.ts'
import { type OptionType, oneOf, text, webAddress, yesOrNo } from './option-types.ts'
import type { ConfigOf, OptionTable } from './options.ts'
import { entriesOf, jsonObject, textByKey, textList } from './part-types.ts'
import { scopes } from './scopes.ts'

const name: OptionType<string> = {
  takes: 'a name of letters, digits, “-” and “_”',
  placeholder: 'NAME',
  parse: (raw) => (/^[A-Za-z\d][\w-]{0,60}$/.test(raw) ? raw : undefined),
}

/** The path of a module: it starts with “/”, “./” or “../”. */
type ModulePath = `/${string}` | `./${string}` | `../${string}`

/** One of a few words, or the operator's own module. */
function wordOrModule<const Word extends string>(...words: readonly Word[]): OptionType<Word | ModulePath> {
  const isModule = (raw: string): raw is ModulePath => /^\.{0,2}\/[^\0]*\.m?js$/.test(raw)
  return {
    takes: `${words.join(', ')}, or the path of a module such as ./login.mjs`,
    placeholder: `${words.join('|')}|PATH`,
    parse: (raw) => words.find((word) => word === raw) ?? (isModule(raw) ? raw : undefined),
  }
}

const tenant: OptionType<string> = {
  takes: 'the id of one tenant, of hexadecimal digits and “-”',
  placeholder: 'ID',
  parse: (raw) => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(raw) ? raw.toLowerCase() : undefined),
}

/** The options of one way to log in: keys under `authentication:`, or under each entry of it. */
export const loginOptions = {
  name: {
    type: name,
    otherwise: 'the value of `strategy`; of a module, its file name without the extension',
    describe:
      'Name of this way to log in. A login begins at `/auth/<name>`; the login provider redirects browsers to `/auth/<name>/callback`, which you register there.',
    example: 'staff',
  },
  strategy: {
    alsoInFile: 'config.strategy',
    type: wordOrModule('openid', 'oauth2', 'gateway'),
    required: true,
    describe:
      'How people log in: `openid` with OpenID Connect, `oauth2` with OAuth 2.0 only, `gateway` with an account of the gateway in a form of the web front; or your own module.',
    example: 'openid',
  },
  label: {
    type: text,
    otherwise: 'the name',
    describe: 'Label in the list in which people choose between several ways to log in.',
    example: 'Staff account',
  },
  issuer: {
    inFile: 'config.issuer',
    type: webAddress,
    otherwise: 'none; `openid` needs one',
    describe: 'Issuer identifier of the `openid` provider; everything else is discovered from it.',
    example: 'https://login.example.org/realms/staff',
  },
  preset: {
    inFile: 'config.preset',
    type: oneOf('github', 'gitlab', 'google', 'entra', 'keycloak', 'okta'),
    otherwise: 'none',
    describe:
      'A provider whose endpoints, scope and claims are known: `github` with the strategy `oauth2`, `gitlab` with `oauth2` or `openid`, `google`, `entra` (with `config.tenant`), `keycloak` and `okta` (with `config.issuer`) with `openid`.',
    example: 'github',
  },
  tenant: {
    inFile: 'config.tenant',
    type: tenant,
    otherwise: 'none; the preset `entra` needs one, or an issuer',
    describe: 'Id of the tenant of Microsoft Entra ID, as its overview shows it.',
    example: '8eaef023-2b34-4da1-9baa-8bc8c9d6a490',
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
    describe: 'Where `oauth2` gets the claims of the user, as a JSON object.',
    example: 'https://login.example.org/user',
  },
  emailsEndpoint: {
    inFile: 'config.emailsEndpoint',
    type: webAddress,
    otherwise: 'none, or that of the preset',
    describe:
      'Where `oauth2` gets the e-mail addresses of the user, as GitHub has them: the verified primary one becomes the claim `email`, with `email_verified`.',
    example: 'https://github.example.org/api/v3/user/emails',
  },
  revocationEndpoint: {
    inFile: 'config.revocationEndpoint',
    type: webAddress,
    otherwise: 'refresh tokens are not revoked',
    describe: 'Where `oauth2` revokes refresh tokens (RFC 7009).',
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
  clientKey: {
    inFile: 'config.clientKey',
    type: text,
    secret: true,
    otherwise: 'the client has no key',
    describe:
      'Private key of that client, for `private_key_jwt`: PEM text (PKCS #8), or a JWK, whose `kid` is sent. The provider has its public key.',
    example: 'the text of client-key.pem',
  },
  clientAuthentication: {
    inFile: 'config.clientAuthentication',
    type: oneOf('basic', 'post', 'client_secret_jwt', 'private_key_jwt', 'none'),
    otherwise:
      'what the provider announces; if it refuses the credentials, the other way that it announces is tried once',
    describe:
      'How the client authenticates: with its secret by HTTP Basic (`basic`), in the body of a request (`post`) or as the key of a signature (`client_secret_jwt`), with its private key (`private_key_jwt`), or not at all (`none`).',
    example: 'post',
  },
  scope: {
    inFile: 'config.scope',
    type: scopes,
    otherwise: '`openid profile email`, or that of the preset',
    describe: 'Scope of a login. For refresh tokens many providers need `offline_access`.',
    example: 'openid profile offline_access',
  },
  parameters: {
    inFile: 'config.parameters',
    type: textByKey,
    default: '{}',
    describe: 'Additional parameters of the authorization request.',
    example: '{"prompt": "consent"}',
  },
  endSession: {
    inFile: 'config.endSession',
    type: oneOf('false', 'true', 'with_id_token'),
    default: 'false',
    describe:
      'Whether `GET /logout` continues at the `openid` provider to end the session there as well. `with_id_token` is for providers that require the ID token: it is then part of the address that the browser opens.',
    example: 'true',
  },
  tokenScope: {
    inFile: 'config.tokenScope',
    type: scopes,
    default: '',
    describe: 'Scope of the tokens of the generator `client_credentials`.',
    example: 'api',
  },
  settings: {
    inFile: 'config.settings',
    type: jsonObject,
    default: '{}',
    describe: 'Settings that are passed to modules.',
    example: '{"realm": "staff"}',
  },
  allow: {
    type: claimRules,
    otherwise: 'everyone who has an account at the provider may log in',
    describe:
      'Who may log in: claims with a value or a list of values, of which each claim must have one. `@example.org` stands for verified e-mail addresses of a domain. Of a list of such rules one must hold.',
    example: '{"groups": ["staff", "guests"], "email_verified": true}',
  },
  accountId: {
    inFile: 'account.account_id',
    type: text,
    otherwise: '`sub`, or what the preset has',
    describe:
      'Claim with the identifier of an account, which never changes and is never reused. A name with dots leads into objects.',
    example: 'sub',
  },
  accountRole: {
    inFile: 'account.account_role',
    type: text,
    otherwise: 'the role at the gateway with the generator `gateway`',
    describe:
      'Claim with the role that the session shows; of a list, the first. It gives no rights at the gateway; `account.roles` does.',
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
      'Claim with the username at the gateway, for the generator `gateway`. Choose one that people cannot change at the provider: anyone with the name gets the account.',
    example: 'preferred_username',
  },
  roles: {
    inFile: 'account.roles',
    type: rolesByClaim,
    otherwise: 'claims give no roles at the gateway; a new account gets gateway.role',
    describe:
      'Roles at the gateway by claim and value, for the generator `gateway`. At each login the account gets exactly the roles of all entries that match, or `gateway.role` if none does. The role of the web front’s own account lists them in `gives`.',
    example: '{"groups": {"staff": "reader", "port-admins": ["reader", "port-admin"]}}',
  },
  metadata: {
    inFile: 'account.metadata',
    type: claimByKey,
    otherwise: 'claims give no metadata',
    describe:
      'Metadata of the account at the gateway by key, each with its claim, for the generator `gateway`. It is set anew at each login; other keys stay as they are.',
    example: '{"tenant": "organization.id"}',
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
      'a login by `gateway` uses its token until it ends, and then the session ends; other logins have none',
    describe:
      'What makes access tokens for the backend: `gateway` gets them from the gateway with the web front’s own account, `refresh_token` from the login provider for the user, `client_credentials` from the login provider for the web front itself; or your own module.',
    example: 'gateway',
  },
  transparentTokens: {
    type: yesOrNo,
    default: 'false',
    describe:
      'Whether the web front adds access tokens to calls of the backend and hides them from the browser; otherwise the application reads its token from `GET /session`.',
    example: 'true',
  },
} as const satisfies OptionTable

/** The configuration of one way to log in. */
export type LoginConfig = ConfigOf<typeof loginOptions>

/** One way to log in, or a list of several. */
export const loginEntries = entriesOf(loginOptions, loginNameOf)

/** The name of a way to log in: the given one, or one made from its strategy. */
export function loginNameOf({ name: given, strategy }: Pick<LoginConfig, 'name' | 'strategy'>): string {
  const file = /([^/]+)\.m?js$/.exec(strategy)?.[1]
  return given ?? file?.replaceAll(/[^\w-]/g, '-') ?? strategy
}
