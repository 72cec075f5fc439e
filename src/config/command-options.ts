/** Which options each command takes. */
import { databaseOptions } from './database-options.ts'
import { frontGroup } from './front-options.ts'
import { gatewayGroup } from './gateway-options.ts'
import type { CommandOptions } from './load.ts'
import { path } from './option-types.ts'
import type { OptionGroup, OptionTable } from './options.ts'
import { embeddedGatewayGroup, upGroup } from './up-options.ts'

const configFileOptions = {
  config: {
    type: path,
    places: ['flag', 'variable'],
    otherwise: 'none is read; “up” reads gatehouse.yaml in the current folder if it is there',
    describe:
      'Configuration file, YAML or JSON. Options of the gateway lie under “gateway:”, those of the web front under “front:”.',
    example: '/etc/gatehouse.yaml',
  },
} as const satisfies OptionTable

const configFileGroup = {
  heading: 'Configuration file',
  options: configFileOptions,
} as const satisfies OptionGroup

const databaseGroup = {
  heading: 'Database',
  part: 'gateway',
  options: databaseOptions,
} as const satisfies OptionGroup

/** `gatehouse up` */
export const upCommandOptions = {
  groups: { up: upGroup, gateway: embeddedGatewayGroup, file: configFileGroup },
  others: [frontGroup],
  defaultFile: 'gatehouse.yaml',
} as const satisfies CommandOptions

/** `gatehouse gateway` */
export const gatewayCommandOptions = {
  groups: { gateway: gatewayGroup, file: configFileGroup },
  others: [upGroup, frontGroup],
} as const satisfies CommandOptions

/** `gatehouse front` */
export const frontCommandOptions = {
  groups: { front: frontGroup, file: configFileGroup },
  others: [upGroup, gatewayGroup],
} as const satisfies CommandOptions

/** `gatehouse schema` */
export const schemaCommandOptions = {
  groups: { database: databaseGroup, file: configFileGroup },
  others: [upGroup, gatewayGroup, frontGroup],
} as const satisfies CommandOptions
