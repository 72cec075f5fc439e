import { backendsOf } from '../config/backend-options.ts'
import type { FrontConfig } from '../config/front-options.ts'
import { loginNameOf } from '../config/login-options.ts'

/** The data of the web front's start report. */
export interface FrontReport {
  readonly version: string
  readonly config: FrontConfig
  /** The address that browsers use. */
  readonly address: string
}

/** What was found, the address, and one next step. */
export function frontReport({ version, config, address }: FrontReport): string {
  const lines = [
    row('Found', `application ${config.content_root}`),
    row('Found', logins(config)),
    row('Front', address),
    ...backendLines(config),
    ...frontWarnings(config).map((warning) => row('Warning', warning)),
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

/** Warnings that do not prevent a start. Plain HTTP over a network exposes cookies to everyone on the path. */
export function frontWarnings({ base_url, host }: FrontConfig): readonly string[] {
  const isLocal = ['127.0.0.1', '::1', 'localhost'].includes(host)
  const hasHttps = base_url?.startsWith('https:') ?? false
  if (hasHttps || (isLocal && base_url === undefined)) return []
  return ['browsers use plain HTTP; set base_url to an https address']
}

function row(label: string, text: string): string {
  return `${label.padEnd(9)}${text}`
}
