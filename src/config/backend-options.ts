import {
  duration,
  httpAddress,
  type OptionType,
  oneOf,
  servedPath,
  text,
  webAddress,
  yesOrNo,
} from './option-types.ts'
import type { ConfigOf, OptionDefinition, OptionTable } from './options.ts'
import { entriesOf } from './part-types.ts'
import { scopes } from './scopes.ts'

const headerName: OptionType<string> = {
  takes: 'the name of a header, of letters, digits and “-”',
  placeholder: 'NAME',
  parse: (raw) => (/^[A-Za-z][A-Za-z\d-]*$/.test(raw) ? raw : undefined),
}

/** The options of one backend: keys under `backend:`, or under each entry of it. */
export const backendOptions = {
  target: {
    type: httpAddress,
    otherwise: 'the application has no backend',
    describe: 'Address of a backend that the application calls, usually the gateway.',
    example: 'https://api.example.org',
  },
  proxypath: {
    type: servedPath,
    otherwise: 'the application calls `target` directly; a list needs one in each entry',
    describe:
      'Path below which calls of the application are forwarded to `target`, with WebSockets and event streams. Where two match, the longer one wins. Calls that change something must come from a page of this origin.',
    example: '/backend',
  },
  token: {
    type: oneOf('user', 'client', 'none'),
    default: 'user',
    describe:
      'Which access token the calls get: `user` that of the logged-in user, if `transparentTokens` is true; `client` one of the web front itself, by client credentials; `none` no token, and none of the gateway that a browser sends.',
    example: 'client',
  },
  tokenHeader: {
    type: headerName,
    default: 'X-Xaas-Auth-Token',
    describe: 'Header with the access token. `Authorization` sends it as a bearer token.',
    example: 'Authorization',
  },
  identity: {
    type: oneOf('none', 'headers', 'jwt'),
    default: 'none',
    describe:
      'How the backend learns who calls: `headers` by `X-Gatehouse-Account` and `X-Gatehouse-Roles`, `jwt` by a signed token in `X-Gatehouse-Identity`.',
    example: 'jwt',
  },
  audience: {
    type: text,
    otherwise: 'the origin of `target`',
    describe: 'Audience (`aud`) of that token.',
    example: 'orders',
  },
  timeout: {
    type: duration('1s', '1h'),
    default: '60s',
    describe: 'How long the backend may take to begin its response.',
    example: '5m',
  },
  rewrite: {
    type: yesOrNo,
    default: 'false',
    describe:
      'Whether links (`Link`) and cookies (`Path`, `Domain`) of the backend are translated to the proxy path, like `Location` always is.',
    example: 'true',
  },
  clientIssuer: {
    inFile: 'client.issuer',
    type: webAddress,
    otherwise:
      'the client of the first way to log in by `openid` or `oauth2`, unless `client.tokenEndpoint` is given',
    describe: 'For `token: client`: issuer identifier from which the token endpoint is discovered.',
    example: 'https://login.example.org/realms/staff',
  },
  clientTokenEndpoint: {
    inFile: 'client.tokenEndpoint',
    type: webAddress,
    describe: 'For `token: client`: where tokens are obtained, without discovery.',
    example: 'https://login.example.org/token',
  },
  clientId: {
    inFile: 'client.clientId',
    type: text,
    describe: 'For `token: client`: identifier of the client.',
    example: 'front-orders',
  },
  clientSecret: {
    inFile: 'client.clientSecret',
    type: text,
    secret: true,
    describe: 'Secret of that client.',
    example: 'the one that the provider gave',
  },
  clientAuthentication: {
    inFile: 'client.clientAuthentication',
    type: oneOf('basic', 'post'),
    default: 'basic',
    describe: 'How the secret is sent: by HTTP Basic, or in the body of a request.',
    example: 'post',
  },
  clientScope: {
    inFile: 'client.scope',
    type: scopes,
    otherwise: '`config.tokenScope` of the way to log in whose client it is, otherwise none',
    describe: 'For `token: client`: scope of the tokens.',
    example: 'orders',
  },
} as const satisfies OptionTable

/** The configuration of one backend. */
export type BackendConfig = ConfigOf<typeof backendOptions>

/** A flag and variable for an option of the only backend: in a file it lies under `backend:`. */
function asFlag<Value>(
  { type, example }: Pick<OptionDefinition<Value>, 'type' | 'example'>,
  key: string,
): OptionDefinition<Value> & { readonly default?: never; readonly required?: never } {
  const describe = `The key \`${key}\` of \`backend\`, where there is one backend.`
  return { type, example, describe, otherwise: 'that of `backend`', places: ['flag', 'variable'] }
}

/** The options of a web front that are about its backends. */
export const backendsOptions = {
  backend: {
    type: entriesOf(backendOptions, ({ proxypath, target = 'none' }) =>
      proxypath === undefined ? target : `${proxypath} → ${target}`,
    ),
    default: '{}',
    describe:
      'The backend that the application calls, or a list of several; `GET /session` shows the first. For its keys see the configuration reference.',
    example: '[{"proxypath": "/backend", "target": "https://api.example.org"}]',
  },
  backend_target: asFlag(backendOptions.target, 'target'),
  backend_proxypath: asFlag(backendOptions.proxypath, 'proxypath'),
  backend_token_header: asFlag(backendOptions.tokenHeader, 'tokenHeader'),
  backend_timeout: asFlag(backendOptions.timeout, 'timeout'),
} as const satisfies OptionTable

/** The flags that stand for keys of the only backend. */
export function backendFlagsOf(config: ConfigOf<typeof backendsOptions>): Partial<BackendConfig> {
  const { backend_target, backend_proxypath, backend_token_header, backend_timeout } = config
  return {
    ...(backend_target === undefined ? {} : { target: backend_target }),
    ...(backend_proxypath === undefined ? {} : { proxypath: backend_proxypath }),
    ...(backend_token_header === undefined ? {} : { tokenHeader: backend_token_header }),
    ...(backend_timeout === undefined ? {} : { timeout: backend_timeout }),
  }
}

/** The backends of a web front; one that was not configured has neither a target nor a proxy path. */
export function backendsOf(config: ConfigOf<typeof backendsOptions>): readonly BackendConfig[] {
  const { backend } = config
  return backend.length === 1 ? backend.map((one) => ({ ...one, ...backendFlagsOf(config) })) : backend
}
