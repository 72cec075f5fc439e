import { httpAddress } from './option-types.ts'
import type { OptionGroup, OptionTable } from './options.ts'

const healthOptions = {
  url: {
    type: httpAddress,
    default: 'http://127.0.0.1:9000',
    places: ['flag', 'variable'],
    describe: 'Address of the gateway or web front.',
    example: 'http://127.0.0.1:8080',
  },
} as const satisfies OptionTable

/** The options of `gatehouse health`. */
export const healthGroup = {
  heading: 'The service',
  options: healthOptions,
} as const satisfies OptionGroup
