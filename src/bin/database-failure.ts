/** What is wrong with a database that cannot be used, in one sentence that says what to do. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { serverPorts } from '../config/database-options.ts'
import { quote } from '../config/quote.ts'
import type { AccessFailure } from '../database/access-failure.ts'
import type { DatabaseError } from '../database/database-error.ts'
import type { DatabaseOptions } from '../database/open-database.ts'
import { type DatabasePurpose, UnusableDatabase } from '../database/unusable-database.ts'

/** The databases of a gateway; without `store` its records are beside the tables. */
export interface Databases {
  readonly database: DatabaseOptions
  readonly store?: DatabaseOptions
}

/** The sentence for an error that opening the databases of a gateway has thrown; undefined for other errors. */
export function databaseFailure(error: unknown, databases: Databases | undefined): string | undefined {
  if (!(error instanceof UnusableDatabase) || databases === undefined) return undefined
  const { database, store } = databases
  const isSeparate = error.purpose === 'store' && store !== undefined
  const options = isSeparate ? store : database
  return explain(error.cause, { options, purpose: error.purpose, isSeparate })
}

interface Target {
  readonly options: DatabaseOptions
  readonly purpose: DatabasePurpose
  /** Whether `store_url` names it, and not the flags that start with `db_`. */
  readonly isSeparate: boolean
}

function explain(error: DatabaseError, target: Target): string {
  const failure = failureOf(error)
  if (failure === 'missingRight' || failure === 'readOnly') return withoutRights(error, failure, target)
  const { options } = target
  return options.product === 'sqlite'
    ? fileFailure(error, failure, options.file, target)
    : serverFailure(error, failure, options, target)
}

function failureOf({ accessFailure, kind }: DatabaseError): AccessFailure | undefined {
  if (accessFailure !== undefined) return accessFailure
  if (kind === 'denied') return 'missingRight'
  return kind === 'readOnly' || kind === 'full' ? kind : undefined
}

/** The rights on a database: to read the tables, and to keep the gateway's own records. */
function withoutRights(
  { message }: DatabaseError,
  failure: 'missingRight' | 'readOnly',
  { options, purpose, isSeparate }: Target,
): string {
  const place = placeOf(options)
  const who = options.product === 'sqlite' ? 'This user' : `The user ${quote(options.user)}`
  if (purpose === 'tables') {
    return `${who} may not read ${place}: ${oneLine(message)}. Grant it the right to, or choose another user with --db_user.`
  }
  const problem =
    failure === 'readOnly' ? `${capital(place)} is read-only` : `${who} may not create tables in ${place}`
  const elsewhere = isSeparate
    ? 'choose another place with --store_url'
    : 'keep them elsewhere, as in --store_url sqlite:gatehouse-store.sqlite'
  const first = failure === 'readOnly' ? 'Choose one that takes changes' : 'Grant the right to'
  return `${problem}, and the gateway keeps its own records there. ${first}, or ${elsewhere}.`
}

type FileProblem = readonly [what: string, wayOut: string]

function fileFailure(
  { message }: DatabaseError,
  failure: AccessFailure | undefined,
  file: string,
  { isSeparate }: Target,
): string {
  const flag = isSeparate ? '--store_url' : '--db_name'
  const [what, wayOut] = problemOfFile(failure, file) ?? [
    `cannot be used: ${oneLine(message)}`,
    'Choose another file',
  ]
  return `${quote(file)} ${what}. ${wayOut}${wayOut.startsWith('Choose') ? ` with ${flag}` : ''}.`
}

function problemOfFile(failure: AccessFailure | undefined, file: string): FileProblem | undefined {
  switch (failure) {
    case 'notADatabase':
      return ['is not a SQLite database, or it is damaged', 'Choose another file']
    case 'locked':
      return ['is locked by another program', 'Stop that program']
    case 'full':
      return ['cannot grow: its disk is full', 'Make space']
    case 'cannotOpenFile':
      return [`cannot be opened: ${reasonOfFile(file)}`, 'Choose another file']
    default:
      return undefined
  }
}

function reasonOfFile(file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) return 'it is a folder'
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) return 'its folder does not exist'
  return 'this user may not read and write it, and create files beside it'
}

type ServerOptions = Exclude<DatabaseOptions, { product: 'sqlite' }>

function serverFailure(
  error: DatabaseError,
  failure: AccessFailure | undefined,
  options: ServerOptions,
  target: Target,
): string {
  const flags = target.isSeparate ? storeFlags : databaseFlags
  const server = serverOf(options)
  const user = quote(options.user)
  const name = quote(options.name)
  const message = oneLine(error.message)
  switch (failure) {
    case 'badCredentials':
      return options.password === undefined
        ? `The server at ${server} does not accept the user ${user} without a password. Check ${flags.user}, and give the password with ${flags.password}.`
        : `The server at ${server} does not accept the user ${user} with this password. Check ${flags.user} and ${flags.password}.`
    case 'notAllowed':
      return `The server at ${server} does not let the user ${user} use the database ${name}: ${message}. Grant it the right to, or check ${flags.user} and ${flags.name}.`
    case 'unknownDatabase':
      return `The server at ${server} has no database ${name}. Create it there, or name another one with ${flags.name}.`
    case 'mayNotCreate':
      return `The server at ${server} has no database ${name} that the user ${user} may use, and the user may not create it. Create it there, or name another one with ${flags.name}.`
    case 'unknownHost':
      return `There is no host ${quote(options.host)}. Check ${flags.host}.`
    case 'closedPort':
      return `No server accepts connections at ${server}. Start it, or check ${flags.address}.`
    case 'starting':
      return `The server at ${server} is starting or stopping: ${message}.`
    case 'noConnectionLeft':
      return `The server at ${server} has no connection left: ${message}. Raise its limit, or lower --db_connections.`
    case 'noTls':
      return `The server at ${server} does not offer TLS. Turn it on there, or ${flags.withoutTls}.`
    case 'tlsRequired':
      return `The server at ${server} does not accept the user ${user} without TLS: ${message}. Turn it on with ${flags.tls}, or change the rules of the server.`
    case 'untrustedCertificate':
      return `The certificate of the server at ${server} is not trusted: ${message}. Name the file of its authority in the environment variable NODE_EXTRA_CA_CERTS.`
    case 'wrongCertificateName':
      return `The certificate of the server at ${server} is for another host: ${message}. Use a name that it holds, with ${flags.host}.`
    case 'otherServer':
      return `What responds at ${server} is not a ${products[options.product]} server. ${hintOf(options)}Check ${flags.product} and ${flags.address}.`
    case 'full':
      return `The server at ${server} has no space left: ${message}. Make space.`
    default:
      return `The server at ${server} does not respond: ${message}. Check ${flags.address}, and that no firewall is between.`
  }
}

const products = { postgresql: 'PostgreSQL', mysql: 'MySQL or MariaDB' } as const

/** A port that another product usually has. */
function hintOf({ product, port }: ServerOptions): string {
  const usual = Object.entries(serverPorts).find(([name, known]) => name !== product && known === port)
  return usual === undefined ? '' : `Port ${port} is the usual one of ${usual[0]}. `
}

const databaseFlags = {
  product: '--db_product',
  user: '--db_user',
  password: 'GATEHOUSE_DB_PASS or --db_pass_file',
  name: '--db_name',
  host: '--db_host',
  address: '--db_host and --db_port',
  tls: '--db_tls',
  withoutTls: 'leave out --db_tls',
} as const

const inAddress = (part: string) => `${part} in --store_url`
const storeFlags: Readonly<Record<keyof typeof databaseFlags, string>> = {
  product: inAddress('the product'),
  user: inAddress('the user'),
  password: inAddress('the password'),
  name: inAddress('the name'),
  host: inAddress('the host'),
  address: inAddress('host and port'),
  tls: inAddress('“?tls=true”'),
  withoutTls: 'leave out “tls=true” in --store_url',
}

/** A database in a sentence: `the database "shop" at 127.0.0.1:5432`. */
export function placeOf(options: DatabaseOptions): string {
  return options.product === 'sqlite'
    ? `the file ${quote(options.file)}`
    : `the database ${quote(options.name)} at ${serverOf(options)}`
}

/** Host and port, or the path of a socket. */
function serverOf({ host, port }: ServerOptions): string {
  if (host.startsWith('/')) return host
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function oneLine(text: string): string {
  return text
    .trim()
    .replaceAll(/\s*[\r\n]+\s*/g, ' ')
    .replace(/\.$/, '')
}
