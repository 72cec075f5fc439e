import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backendsOf } from '../config/backend-options.ts'
import type { FrontConfig } from '../config/front-options.ts'
import { quote } from '../config/quote.ts'
import { parseTarget } from '../proxy/target.ts'
import type { ConsoleSettings } from '../web-front/console/console-settings.ts'
import type { GatewaySettings } from '../web-front/login/build-providers.ts'
import { isAtOrBelow, ownPaths } from './backend-settings.ts'
import { consoleFolder } from './console-folder.ts'

/** Where the console is served; undefined if it is turned off. */
export function consoleSettings(
  { console_path: path }: FrontConfig,
  gateway: GatewaySettings | undefined,
): ConsoleSettings | undefined {
  if (path === false) return undefined
  const target = gateway === undefined ? undefined : parseTarget(gateway.address)
  const isUsable = target !== undefined && !('mistake' in target)
  return { path, folder: consoleFolder, ...(isUsable ? { gateway: target } : {}) }
}

/** What keeps the console from its path or its gateway, one line each. */
export function consoleMistakes(config: FrontConfig): readonly string[] {
  const { console_path: path, gateway_url: address } = config
  if (path === false) return []
  const target = address === undefined ? undefined : parseTarget(address)
  const claims = claimsOn(path, config)
  return [
    ...(target !== undefined && 'mistake' in target ? [`gateway.url: ${target.mistake}`] : []),
    ...claims.map((claim) => `console.path: ${path} ${claim}; ${wayOut}`),
  ]
}

const wayOut = 'choose another path for the console, or false to turn it off'

function claimsOn(path: string, config: FrontConfig): readonly string[] {
  const { content_root: root, content_route: pages } = config
  const page = root === undefined ? undefined : pages.find((pattern) => isAtOrBelow(pattern, path))
  const file = root === undefined ? undefined : join(root, path)
  const backend = backendsOf(config).find(
    ({ proxypath = '' }) =>
      proxypath !== '' && (isAtOrBelow(proxypath, path) || isAtOrBelow(path, proxypath)),
  )
  return [
    ...(ownPaths.test(path) || isAtOrBelow(path, '/docs') ? ['is a path of the web front itself'] : []),
    ...(page === undefined ? [] : [`hides the page ${page} of content.route`]),
    ...(file !== undefined && existsSync(file) ? [`hides ${quote(file)} of content.root`] : []),
    ...(backend === undefined ? [] : [`overlaps with the proxypath ${backend.proxypath} of a backend`]),
  ]
}

/** Whether people can log in with accounts of the gateway, as the console needs it. */
export function hasGatewayLogin({ authentication }: Pick<FrontConfig, 'authentication'>): boolean {
  return authentication.some(({ strategy, generator }) =>
    generator === undefined ? strategy === 'gateway' : generator === 'gateway',
  )
}
