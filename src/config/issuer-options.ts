import { rolesByClaim } from './claim-types.ts'
import { type OptionType, text, webAddress } from './option-types.ts'
import type { ConfigOf, OptionTable } from './options.ts'
import { entriesOf, textList } from './part-types.ts'

/** Without `:`, which ends it in the names of callers. */
const name: OptionType<string> = {
  takes: 'a name of letters, digits, “-” and “_”',
  placeholder: 'NAME',
  parse: (raw) => (/^[A-Za-z\d][\w-]{0,60}$/.test(raw) ? raw : undefined),
}

/** https://www.rfc-editor.org/rfc/rfc7518#section-3.1, and https://www.rfc-editor.org/rfc/rfc8037 */
const asymmetric: ReadonlySet<string> = new Set([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
])

/** The options of one token issuer: keys under each entry of `token_issuers`. */
export const issuerOptions = {
  name: {
    type: name,
    required: true,
    describe: 'Name of the issuer. Its callers are named `<name>:<account>`.',
    example: 'staff',
  },
  issuer: {
    type: webAddress,
    required: true,
    describe: 'What its tokens have in `iss`, exactly.',
    example: 'https://login.example.org/realms/staff',
  },
  audience: {
    type: textList('a text, or a list of texts', (audience) => audience !== ''),
    required: true,
    describe: 'What its tokens for this gateway have in `aud`; of several, one.',
    example: 'https://api.example.org',
  },
  jwks_uri: {
    type: webAddress,
    otherwise: 'that of the metadata of the issuer, below `/.well-known/`',
    describe: 'Address of its public keys.',
    example: 'https://login.example.org/realms/staff/certs',
  },
  algorithms: {
    type: textList(`one of ${[...asymmetric].join(', ')}, or a list of them`, (algorithm) =>
      asymmetric.has(algorithm),
    ),
    default: '["RS256", "PS256", "ES256", "EdDSA"]',
    describe: 'Algorithms that its tokens may be signed with.',
    example: 'RS256',
  },
  account: {
    type: text,
    default: 'sub',
    describe:
      'Claim that identifies a caller. A name with dots leads into objects. Choose one that people cannot change at the issuer and that is never used again.',
    example: 'client_id',
  },
  role: {
    type: textList('a role, or a list of roles', (role) => role !== ''),
    otherwise: 'callers have only those of `roles`',
    describe: 'Roles of every caller with a token of this issuer for this gateway.',
    example: 'guest',
  },
  roles: {
    type: rolesByClaim,
    otherwise: 'callers have only those of `role`',
    describe:
      'Roles by claim and value. A caller has the roles of all entries that match. Of `scope` and `scp`, each word counts.',
    example: '{"groups": {"staff": "reader"}, "scope": {"ports:write": ["reader", "port-admin"]}}',
  },
} as const satisfies OptionTable

/** The configuration of one token issuer. */
export type IssuerConfig = ConfigOf<typeof issuerOptions>

/** One token issuer, or a list of several. */
export const issuerEntries = entriesOf(issuerOptions, ({ name }) => name)
