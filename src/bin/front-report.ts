import { backendsOf } from '../config/backend-options.ts'
import type { FrontConfig } from '../config/front-options.ts'
import { loginNameOf } from '../config/login-options.ts'
import { callbackAddress } from '../web-front/login/login-paths.ts'
import { hasGatewayLogin } from './console-settings.ts'
import { isSafeAddress } from './login-settings.ts'

/** The data of the web front's start report. */
export interface FrontReport {
  readonly version: string
  readonly config: FrontConfig
  /** The address that browsers use. */
  readonly address: string
  /** What keeps people from logging in, as a sentence; absent if nothing does. */
  readonly problem?: string
}

/** What was found, the address, and one next step. */
export function frontReport({ version, config, address, problem }: FrontReport): string {
  const lines = [
    ...(config.content_root === undefined ? [] : [row('Found', `application ${config.content_root}`)]),
    row('Found', logins(config)),
    row('Front', address),
    ...consoleLines(config, address),
    ...backendLines(config),
    ...callbackLines(config, address),
    ...frontWarnings(config).map((warning) => row('Warning', warning)),
    ...(problem === undefined ? [] : [row('Warning', problem)]),
    '',
    row('Next', `open ${address} in a browser`),
  ]
  return [`Gatehouse ${version}`, '', ...lines].join('\n')
}

function logins({ authentication, session_store }: FrontConfig): string {
  const names = authentication.map(loginNameOf)
  const ways = names.length === 0 ? 'no way to log in' : `login by ${names.join(', ')}`
  return `${ways}; sessions in ${session_store}`
}

function backendLines(config: FrontConfig): readonly string[] {
  return backendsOf(config).flatMap(({ proxypath: path, target }) =>
    path === undefined || target === undefined ? [] : [row('Backend', `${path} leads to ${target}`)],
  )
}

/** The address of the console; no line if it is turned off. */
export function consoleLines(
  { console_path: path, authentication }: Pick<FrontConfig, 'console_path' | 'authentication'>,
  address: string,
): readonly string[] {
  if (path === false) return []
  const need = hasGatewayLogin({ authentication }) ? '' : ', which needs a login with accounts of the gateway'
  return [row('Console', `${address}${path}${need}`)]
}

/** The address to register at each login provider. */
export function callbackLines(
  { authentication }: Pick<FrontConfig, 'authentication'>,
  address: string,
): readonly string[] {
  return authentication
    .filter(({ strategy }) => strategy !== 'gateway')
    .map((login) => loginNameOf(login))
    .map((name) =>
      row('Callback', `${callbackAddress(address, name)}, to register at the provider of “${name}”`),
    )
}

/** Warnings that do not prevent a start. Plain HTTP over a network exposes cookies to everyone on the path. */
export function frontWarnings({ base_url, host }: FrontConfig): readonly string[] {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host)
  const hasHttps = base_url?.startsWith('https:') ?? false
  if (hasHttps || (isLocal && (base_url === undefined || isSafeAddress(base_url)))) return []
  return ['browsers use plain HTTP; set base_url to an https address']
}

function row(label: string, text: string): string {
  return `${label.padEnd(9)}${text}`
}
