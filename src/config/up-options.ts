import { join } from 'node:path'
import { type BackendConfig, backendsOf } from './backend-options.ts'
import { type FrontConfig, frontOptions } from './front-options.ts'
import { type GatewayConfig, gatewayOptions } from './gateway-options.ts'
import { path, port, yesOrNo } from './option-types.ts'
import type { ConfigOf, OptionDefinition, OptionGroup, OptionTable } from './options.ts'
import { textList } from './part-types.ts'
import { passkeyMistakes } from './passkey-domain.ts'

/** The options that `up` adds to those of the services it runs. */
const upOptions = {
  data_dir: {
    type: path,
    default: './gatehouse-data',
    describe: 'Folder for all data. It is created if it does not exist, readable only by its owner.',
    example: '/var/lib/gatehouse',
  },
  gateway_port: {
    type: port,
    otherwise: '9000',
    describe: 'Port of the gateway; overrides “port” under “gateway:” in the configuration file.',
    example: '9001',
  },
  front_port: {
    type: port,
    otherwise: '8080',
    describe: 'Port of the web front; overrides “port” under “front:” in the configuration file.',
    example: '8081',
  },
  apply: {
    type: textList('a file or folder, or a list of them', (path) => path !== '' && path !== '-'),
    otherwise: 'nothing is applied',
    describe:
      'Files or folders with declarations, as for “gatehouse apply”, that are applied at each start, before anyone can log in.',
    example: './access',
  },
  web_front: {
    type: yesOrNo,
    default: 'true',
    describe: 'Whether the web front runs as well; otherwise only the gateway runs.',
    example: 'false',
  },
} as const satisfies OptionTable

/** The options of the gateway inside `up`: the same, with defaults that need no other server. */
export const embeddedGatewayOptions = {
  ...gatewayOptions,
  db_product: { ...gatewayOptions.db_product, default: 'sqlite' },
  db_name: {
    ...gatewayOptions.db_name,
    otherwise: 'gatehouse.sqlite in the data_dir, or “gatehouse” on a server; created if it does not exist',
  },
  port: { ...gatewayOptions.port, places: ['file'] },
  log_level: { ...gatewayOptions.log_level, default: 'warn' },
  passkey_origins: {
    ...gatewayOptions.passkey_origins,
    otherwise:
      'those of the web front and the gateway, by https or on localhost; of the web front alone where their hosts differ',
  },
} as const satisfies OptionTable

const likeGateway = 'as for the gateway'

/**
 * The options of the web front inside `up`: the same, with defaults for the gateway beside it. Names that the gateway
 * also has are read only from the file: elsewhere they mean the gateway.
 */
export const embeddedFrontOptions = {
  ...frontOptions,
  host: inFileOnly(frontOptions.host, likeGateway),
  port: { ...frontOptions.port, places: ['file'] },
  base_url: inFileOnly(frontOptions.base_url, frontOptions.base_url.otherwise),
  backend_target: otherwise(frontOptions.backend_target, 'that of `backend`, otherwise the gateway'),
  backend_proxypath: otherwise(
    frontOptions.backend_proxypath,
    'that of `backend`, otherwise `/backend` where there is one backend',
  ),
  authentication: {
    ...frontOptions.authentication,
    default: '{"strategy": "gateway", "transparentTokens": true}',
  },
  gateway_url: otherwise(frontOptions.gateway_url, 'the gateway'),
  gateway_username: otherwise(
    frontOptions.gateway_username,
    'the account “web-front” is made when a generator “gateway” needs it',
  ),
  session_file: otherwise(frontOptions.session_file, 'sessions.sqlite in the data_dir'),
  session_secret: {
    ...frontOptions.session_secret,
    otherwise: 'a random one, kept in the data_dir, unless nodes share the sessions (redis)',
  },
  trusted_proxies: inFileOnly(frontOptions.trusted_proxies, frontOptions.trusted_proxies.otherwise),
  body_limit: inFileOnly(frontOptions.body_limit, likeGateway),
  log_level: inFileOnly(frontOptions.log_level, likeGateway),
  keep_alive: inFileOnly(frontOptions.keep_alive, likeGateway),
  max_connections: inFileOnly(frontOptions.max_connections, likeGateway),
  drain_delay: inFileOnly(frontOptions.drain_delay, likeGateway),
  shutdown_timeout: inFileOnly(frontOptions.shutdown_timeout, likeGateway),
} as const satisfies OptionTable

/** An option whose default depends on others. */
function otherwise<Value>(
  { type, describe, example, inFile, places }: OptionDefinition<Value>,
  text: string,
): OptionDefinition<Value> & { readonly default?: never; readonly required?: never } {
  return {
    type,
    describe,
    example,
    otherwise: text,
    ...(inFile === undefined ? {} : { inFile }),
    ...(places === undefined ? {} : { places }),
  }
}

function inFileOnly<Value>(option: OptionDefinition<Value>, text: string) {
  return otherwise({ ...option, places: ['file'] }, text)
}

/** The options of `up` itself, at the top level of a configuration file. */
export const upGroup = {
  heading: 'Everything in one process',
  options: upOptions,
} as const satisfies OptionGroup

/** The options of the gateway inside `up`. */
export const embeddedGatewayGroup = {
  heading: 'Gateway',
  part: 'gateway',
  options: embeddedGatewayOptions,
} as const satisfies OptionGroup

/** The options of the web front inside `up`. */
export const embeddedFrontGroup = {
  heading: 'Web front',
  part: 'front',
  options: embeddedFrontOptions,
} as const satisfies OptionGroup

/** The configuration of `up`. */
export interface UpConfig {
  readonly up: ConfigOf<typeof upOptions>
  readonly gateway: ConfigOf<typeof embeddedGatewayOptions>
  readonly front: ConfigOf<typeof embeddedFrontOptions>
}

type WithoutFront = Omit<UpConfig, 'front'> & Partial<Pick<UpConfig, 'front'>>

/** The configuration of the gateway that `up` runs. */
export function gatewayConfigOf({ up, gateway, front }: WithoutFront): GatewayConfig {
  return {
    ...gateway,
    ...(front === undefined ? {} : passkeyOriginsIn({ up, gateway, front })),
    ...(gateway.db_product === 'sqlite' && {
      db_name: gateway.db_name ?? join(up.data_dir, 'gatehouse.sqlite'),
    }),
    port: up.gateway_port ?? gateway.port,
  }
}

/** Passkeys work at the web front without configuration, and at the gateway if they can belong to the same domain. */
function passkeyOriginsIn({ up, gateway, front }: UpConfig): Pick<GatewayConfig, 'passkey_origins'> {
  if (gateway.passkey_origins !== undefined || !up.web_front || front.gateway_url !== undefined) return {}
  const ofFront = originOf(front.base_url, up.front_port ?? front.port)
  const ofGateway = originOf(gateway.base_url, up.gateway_port ?? gateway.port)
  const { passkey_domain } = gateway
  const possible = [[...ofFront, ...ofGateway], ofFront].find(
    (origins) =>
      ofFront.length > 0 && passkeyMistakes({ passkey_origins: origins, passkey_domain }).length === 0,
  )
  return possible === undefined ? {} : { passkey_origins: possible }
}

/** Of a service on this machine; none if it takes any free port, which is known too late. */
function originOf(baseUrl: string | undefined, port: number): readonly string[] {
  if (baseUrl !== undefined) return [new URL(baseUrl).origin]
  return port === 0 ? [] : [`http://localhost:${port}`]
}

/** The gateway is the target where no other is named, and `/backend` is the path of an only backend. */
function backendsInUp(front: UpConfig['front'], gatewayAddress: string): readonly BackendConfig[] {
  const backends = backendsOf(front)
  return backends.map((backend) => ({
    target: gatewayAddress,
    ...(backends.length === 1 ? { proxypath: '/backend' } : {}),
    ...backend,
  }))
}

/** The configuration of the web front that `up` runs beside a gateway at an address. */
export function frontConfigOf({ up, gateway, front }: UpConfig, gatewayAddress: string): FrontConfig {
  const { max_connections } = gateway
  return {
    ...(max_connections === undefined ? {} : { max_connections }),
    ...front,
    host: front.host ?? gateway.host,
    port: up.front_port ?? front.port,
    backend: backendsInUp(front, gatewayAddress),
    gateway_url: front.gateway_url ?? gatewayAddress,
    session_file: front.session_file ?? join(up.data_dir, 'sessions.sqlite'),
    body_limit: front.body_limit ?? gateway.body_limit,
    log_level: front.log_level ?? gateway.log_level,
    keep_alive: front.keep_alive ?? gateway.keep_alive,
    shutdown_timeout: front.shutdown_timeout ?? gateway.shutdown_timeout,
  }
}
