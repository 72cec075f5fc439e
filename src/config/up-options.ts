import { join } from 'node:path'
import { type GatewayConfig, gatewayOptions } from './gateway-options.ts'
import { path, port } from './option-types.ts'
import type { ConfigOf, OptionGroup, OptionTable } from './options.ts'

/** The options that `up` adds to those of the services it runs. */
const upOptions = {
  data_dir: {
    type: path,
    default: './gatehouse-data',
    describe:
      'Folder that holds everything that is kept. It is made when it is not there, readable by its owner only.',
    example: '/var/lib/gatehouse',
  },
  gateway_port: {
    type: port,
    otherwise: '9000',
    describe: 'Port of the gateway; comes before “port” under “gateway:” in the configuration file.',
    example: '9001',
  },
} as const satisfies OptionTable

/** The options of the gateway inside `up`: the same, with defaults that need no other server. */
export const embeddedGatewayOptions = {
  ...gatewayOptions,
  db_product: { ...gatewayOptions.db_product, default: 'sqlite' },
  db_name: { ...gatewayOptions.db_name, required: false, otherwise: 'gatehouse.sqlite in the data_dir' },
  port: { ...gatewayOptions.port, places: ['file'] },
  log_level: { ...gatewayOptions.log_level, default: 'warn' },
} as const satisfies OptionTable

/** The options of `up` itself, as they lie at the top of a configuration file. */
export const upGroup = {
  heading: 'Everything in one process',
  options: upOptions,
} as const satisfies OptionGroup

/** The options of the gateway inside `up`. A `front:` part will stand beside it. */
export const embeddedGatewayGroup = {
  heading: 'Gateway',
  part: 'gateway',
  options: embeddedGatewayOptions,
} as const satisfies OptionGroup

/** The configuration of `up`. */
export interface UpConfig {
  readonly up: ConfigOf<typeof upOptions>
  readonly gateway: ConfigOf<typeof embeddedGatewayOptions>
}

/** The configuration of the gateway that `up` runs. */
export function gatewayConfigOf({ up, gateway }: UpConfig): GatewayConfig {
  return {
    ...gateway,
    db_name: gateway.db_name ?? join(up.data_dir, 'gatehouse.sqlite'),
    port: up.gateway_port ?? gateway.port,
  }
}
