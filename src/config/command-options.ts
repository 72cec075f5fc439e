/** Which options each command takes. */
import { accountResetOptions } from './admin-options.ts'
import { clientGroup } from './client-options.ts'
import { databaseOptions } from './database-options.ts'
import { echoGroup } from './echo-options.ts'
import { frontGroup } from './front-options.ts'
import { gatewayGroup } from './gateway-options.ts'
import { healthGroup } from './health-options.ts'
import type { CommandOptions } from './load.ts'
import { path } from './option-types.ts'
import type { OptionGroup, OptionTable } from './options.ts'
import { colorOptions, confirmOptions, outputGroup } from './output-options.ts'
import { embeddedFrontGroup, embeddedGatewayGroup, upGroup } from './up-options.ts'

const everyOptions = {
  config: {
    type: path,
    places: ['flag', 'variable'],
    otherwise: 'none; “up” reads gatehouse.yaml in the current folder if it exists',
    describe:
      'Configuration file, YAML or JSON. Options of the gateway are under “gateway:”, those of the web front under “front:”, those of the commands that call a running gateway under “client:”.',
    example: '/etc/gatehouse.yaml',
  },
  ...colorOptions,
} as const satisfies OptionTable

const everyGroup = {
  heading: 'Every command',
  options: everyOptions,
} as const satisfies OptionGroup

const databaseGroup = {
  heading: 'Database',
  part: 'gateway',
  options: databaseOptions,
} as const satisfies OptionGroup

/** `gatehouse up` */
export const upCommandOptions = {
  groups: { up: upGroup, gateway: embeddedGatewayGroup, front: embeddedFrontGroup, file: everyGroup },
  others: [clientGroup],
  defaultFile: 'gatehouse.yaml',
} as const satisfies CommandOptions

/** `gatehouse gateway` */
export const gatewayCommandOptions = {
  groups: { gateway: gatewayGroup, file: everyGroup },
  others: [upGroup, frontGroup, clientGroup],
} as const satisfies CommandOptions

/** `gatehouse front` */
export const frontCommandOptions = {
  groups: { front: frontGroup, file: everyGroup },
  others: [upGroup, gatewayGroup, clientGroup],
} as const satisfies CommandOptions

/** `gatehouse schema`, where it prints the schema. */
export const printedSchemaOptions = {
  groups: { database: databaseGroup, output: outputGroup, file: everyGroup },
  others: [upGroup, gatewayGroup, frontGroup, clientGroup],
} as const satisfies CommandOptions

/** `gatehouse schema`: with `reload` it takes the options of all commands that call a running gateway. */
export const schemaCommandOptions = {
  groups: { database: databaseGroup, client: clientGroup, output: outputGroup, file: everyGroup },
  others: [upGroup, gatewayGroup, frontGroup],
} as const satisfies CommandOptions

/** A command that calls a running gateway, with its own options. */
export function clientCommandOptions<const Table extends OptionTable>(heading: string, options: Table) {
  return {
    groups: { own: { heading, options }, client: clientGroup, output: outputGroup, file: everyGroup },
    others: [upGroup, gatewayGroup, frontGroup],
  } as const satisfies CommandOptions
}

/** `gatehouse account reset`: takes the location of the data like `up` and `gateway`. */
export const accountResetCommandOptions = {
  groups: {
    own: { heading: 'The account', options: { ...accountResetOptions, ...confirmOptions } },
    up: upGroup,
    gateway: embeddedGatewayGroup,
    output: outputGroup,
    file: everyGroup,
  },
  others: [embeddedFrontGroup, clientGroup],
  defaultFile: 'gatehouse.yaml',
} as const satisfies CommandOptions

/** `gatehouse health` */
export const healthCommandOptions = {
  groups: { own: healthGroup, output: outputGroup, file: everyGroup },
  others: [upGroup, gatewayGroup, frontGroup, clientGroup],
} as const satisfies CommandOptions

/** `gatehouse completion` */
export const completionCommandOptions = {
  groups: { file: everyGroup },
  others: [upGroup, gatewayGroup, frontGroup, clientGroup],
} as const satisfies CommandOptions

const echoFileOptions = {
  params: {
    type: path,
    places: ['flag'],
    otherwise: 'there are no params',
    describe: 'File of the params: a JSON object.',
    example: 'params.json',
  },
  out: {
    type: path,
    places: ['flag'],
    required: true,
    describe: 'File to write; its extension selects the format.',
    example: 'letter.pdf',
  },
} as const satisfies OptionTable

/** `gatehouse echo` */
export const echoCommandOptions = {
  groups: {
    files: { heading: 'Files', options: echoFileOptions },
    echo: echoGroup,
    file: everyGroup,
  },
  others: [upGroup, gatewayGroup, frontGroup],
  defaultFile: 'gatehouse.yaml',
} as const satisfies CommandOptions
