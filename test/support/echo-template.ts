import { echoSettings } from '../../src/bin/echo-settings.ts'
import { echoGroup } from '../../src/config/echo-options.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { EchoSettings } from '../../src/echo/echo-settings.ts'

/** The settings of `/echo`, as a configuration file with these keys under `echo:` gives them. */
export function echoOf(echo: object): EchoSettings {
  return readEcho(echo).echo
}

/** The same, with what is wrong about them together. */
export function readEcho(echo: object): ReturnType<typeof echoSettings> {
  const { values } = loadConfig(
    { groups: { echo: echoGroup }, others: [], defaultFile: 'gatehouse.yaml' },
    { flags: [], environment: {}, readText: () => JSON.stringify({ front: { echo } }) },
  )
  return echoSettings(values.echo)
}
