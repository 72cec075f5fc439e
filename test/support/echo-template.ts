import { echoSettings } from '../../src/bin/echo-settings.ts'
import { echoGroup } from '../../src/config/echo-options.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { EchoSettings } from '../../src/echo/echo-settings.ts'

/** The settings of `/echo`, as a configuration file with these keys under `echo:` gives them. */
export function echoOf(echo: object): EchoSettings {
  const { values } = loadConfig(
    { groups: { echo: echoGroup }, others: [], defaultFile: 'gatehouse.yaml' },
    { flags: [], environment: {}, readText: () => JSON.stringify({ front: { echo } }) },
  )
  return echoSettings(values.echo).echo
}
