import type { Setting } from '../config/load.ts'

/** The options of `up` that override the port of a service. */
const overriding: readonly (readonly [key: string, group: string])[] = [
  ['gateway_port', 'gateway'],
  ['front_port', 'front'],
]

/** The settings of `up`, with the ports that are used: an option of `up` itself, and the service that it is for, show the same. */
export function withUsedPorts(settings: readonly Setting[]): readonly Setting[] {
  return overriding.reduce(withUsedPort, settings)
}

function withUsedPort(
  settings: readonly Setting[],
  [key, group]: readonly [string, string],
): readonly Setting[] {
  const isOwn = ({ option }: Setting) => option.group === 'up' && option.key === key
  const isOfService = ({ option }: Setting) => option.group === group && option.key === 'port'
  const own = settings.find(isOwn)
  const used = own?.shown === undefined ? settings.find(isOfService) : own
  if (used === undefined) return settings
  const { shown, origin, source } = used
  return settings.map((setting) =>
    isOwn(setting) || isOfService(setting) ? { option: setting.option, shown, origin, source } : setting,
  )
}
