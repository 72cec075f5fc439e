import type { Gateway } from '../gateway/gateway.ts'
import type { AppliedAtStart } from './apply-at-start.ts'
import type { Presence } from './data-files.ts'

/** The web front beside a gateway. */
export interface FrontInReport {
  /** The address that browsers use. */
  readonly baseUrl: string
  /** The link for choosing the password of the first account; absent without one. */
  readonly firstLogin?: string
  /** A line with the address of the console; none if it is turned off. */
  readonly console: readonly string[]
  /** Lines with the address to register at each login provider. */
  readonly callbacks: readonly string[]
  /** Warnings that do not prevent the start, a sentence each. */
  readonly warnings: readonly string[]
}

/** The data of a start report. */
export interface StartReport {
  readonly version: string
  /** What holds the data: `data folder ./gatehouse-data`. */
  readonly storage: string
  readonly storagePresence: Presence
  readonly gateway: Pick<Gateway, 'address' | 'bootstrapped' | 'hasNewDatabase' | 'tableCount'>
  readonly baseUrl?: string | undefined
  /** What was given for a first account: it is ignored if there are accounts. */
  readonly given?: {
    readonly admin_password?: string | undefined
    readonly admin_api_key?: string | undefined
  }
  readonly front?: FrontInReport
  readonly applied?: AppliedAtStart
}

/**
 * What was found, what was created, the addresses, and one next step. The only place where generated secrets are shown.
 */
export function startReport(report: StartReport): string {
  const { version, storage, storagePresence, gateway, baseUrl, front, applied, given = {} } = report
  const isNew = storagePresence === 'made' || gateway.hasNewDatabase
  const tables = gateway.tableCount === 1 ? '1 table' : `${gateway.tableCount} tables`
  // A path of base_url exists only behind the proxy that adds it.
  const address = gateway.address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  const lines = [
    row(isNew ? 'Made' : 'Found', `${storage}, ${tables}`),
    ...(gateway.bootstrapped === undefined
      ? unusedLines(given)
      : accountLines(gateway.bootstrapped, front?.firstLogin)),
    ...(applied === undefined ? [] : appliedLines(applied)),
    row('Gateway', baseUrl === undefined ? gateway.address : `${gateway.address}, for clients ${baseUrl}`),
    ...(front === undefined ? [] : frontLines(front)),
    '',
    ...(front === undefined ? nextByTerminal(address) : [row('Next', `open ${front.baseUrl} and log in`)]),
  ]
  return [`Gatehouse ${version}`, '', ...lines].join('\n')
}

function frontLines({ baseUrl, console, callbacks, warnings }: FrontInReport): readonly string[] {
  const warned = warnings.map((warning) => row('Warning', warning))
  return [row('Front', baseUrl), ...console, ...callbacks, ...warned]
}

function appliedLines({ done, accounts, problems }: AppliedAtStart): readonly string[] {
  const records = done === 1 ? '1 record' : `${done} records`
  return [
    row('Applied', done === 0 ? 'nothing: the gateway has all that is declared' : records),
    ...accounts.flatMap((text) => ['', text, '']),
    ...problems.map((line) => row('Warning', `apply: ${line}`)),
  ].slice(done === 0 && problems.length > 0 ? 1 : 0)
}

function nextByTerminal(address: string): readonly string[] {
  return [
    row('Next', 'log on; the response holds a token for the header X-Xaas-Auth-Token:'),
    "  curl -H 'X-Xaas-Api-Key: API_KEY' -H 'Content-Type: application/json' \\",
    `    -d '{"username": "admin", "password": "PASSWORD"}' ${address}/logon`,
  ]
}

function unusedLines({
  admin_password,
  admin_api_key,
}: NonNullable<StartReport['given']>): readonly string[] {
  const names = Object.entries({ admin_password, admin_api_key })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => `“${name}”`)
  if (names.length === 0) return []
  const what = `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} for a first start only`
  return [row('Ignored', `${what}; “gatehouse account reset USERNAME” gives an account new secrets`)]
}

function accountLines(
  made: NonNullable<Gateway['bootstrapped']>,
  firstLogin: string | undefined,
): readonly string[] {
  const given = '(the one you gave)'
  const isAllGiven = made.password === undefined && made.apiKey === undefined
  return [
    row('Made', `account with all rights${isAllGiven ? '' : '; keep this, it is not shown again'}`),
    '',
    `  username  ${made.username}`,
    `  password  ${made.password ?? given}`,
    `  API key   ${made.apiKey ?? given}`,
    '',
    ...(firstLogin === undefined
      ? []
      : ['  To choose a password yourself, open this link within 15 minutes:', `  ${firstLogin}`, '']),
  ]
}

function row(label: string, text: string): string {
  return `${label.padEnd(9)}${text}`
}
