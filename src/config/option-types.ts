/**
 * The kinds of values an option can take. Whatever the source (flag, environment variable, file), a value
 * arrives as text, so that it means the same everywhere.
 */

import { isIP } from 'node:net'

/** One kind of value. */
export interface OptionType<Value> {
  /** What it takes, to complete the sentence “takes …”. */
  readonly takes: string
  /** Stands for the value in a usage line. */
  readonly placeholder: string
  /** All texts it takes, if they can be listed. */
  readonly choices?: readonly string[]
  /** A flag of this type may be given without a value, which means this text. */
  readonly withoutValue?: string
  /** The value a text stands for; undefined if the option does not take it. */
  parse(raw: string): Value | undefined
  /**
   * For a value with parts: how the parts in a configuration file are read (`texts` as written, `values` by the rules of
   * YAML) before they become the JSON text that the option reads.
   */
  readonly parts?: 'texts' | 'values'
  /** For a value with parts: the value, or its mistakes, each with its location (`.config.issuer: …`). */
  readParts?(raw: string, readText: ReadText): PartsReading<Value>
  /** For a secret option: whether a value holds a secret; absent if all do. */
  holdsSecret?(value: Value): boolean
  /** The value as text without its secrets; absent if the given text can be shown. */
  show?(value: Value): string
}

/** The text of a file; throws as `readFileSync` does. */
export type ReadText = (path: string) => string

/** The result of reading a value with parts: with mistakes, perhaps what remains without the parts that have them. */
export type PartsReading<Value> =
  | { readonly value: Value }
  | { readonly mistakes: readonly string[]; readonly rest?: Value }

/** Any text but an empty one. */
export const text: OptionType<string> = {
  takes: 'text that is not empty',
  placeholder: 'TEXT',
  parse: (raw) => (raw === '' ? undefined : raw),
}

/** Any text, an empty one too. */
export const anyText: OptionType<string> = {
  takes: 'text',
  placeholder: 'TEXT',
  parse: (raw) => raw,
}

/** The path of a file or folder, relative to the current folder. */
export const path: OptionType<string> = {
  takes: 'a path',
  placeholder: 'PATH',
  parse: (raw) => (raw === '' || raw.includes('\0') ? undefined : raw),
}

/** A port to listen on; 0 means any free one. */
export const port: OptionType<number> = {
  ...wholeNumber(0, 65_535),
  takes: 'a port from 1 to 65535, or 0 for any free one',
  placeholder: 'PORT',
}

/** Yes or no. */
export const yesOrNo: OptionType<boolean> = {
  takes: 'true or false',
  placeholder: 'true|false',
  choices: ['true', 'false'],
  withoutValue: 'true',
  parse: (raw) => (raw === 'true' ? true : raw === 'false' ? false : undefined),
}

/** The http or https address of a service. The value has no trailing slash. */
export const httpAddress: OptionType<string> = {
  takes: 'an address such as https://api.example.org, without query and fragment',
  placeholder: 'ADDRESS',
  parse: (raw) => {
    const address = URL.parse(raw)
    if (address === null || !/^https?:$/.test(address.protocol)) return undefined
    if (address.username !== '' || address.password !== '' || /[?#]/.test(raw)) return undefined
    return address.href.replace(/\/+$/, '')
  },
}

/** An http or https address, used as written. */
export const webAddress: OptionType<string> = {
  takes: 'an address that starts with https:// or http://, without user and fragment',
  placeholder: 'ADDRESS',
  parse: (raw) => {
    const address = /^https?:\/\/[\x21-\x7e]+$/.test(raw) ? URL.parse(raw) : null
    if (address === null || address.username !== '' || address.password !== '' || raw.includes('#'))
      return undefined
    return raw
  },
}

/** The address of a Redis server, with user and password if needed. */
export const redisAddress: OptionType<string> = {
  takes: 'an address such as redis://127.0.0.1:6379 or rediss://user:password@redis.example.org',
  placeholder: 'ADDRESS',
  parse: (raw) => {
    const address = URL.parse(raw)
    return address !== null && /^rediss?:$/.test(address.protocol) && address.hostname !== ''
      ? raw
      : undefined
  },
}

/** Where a browser is redirected: a path of this origin, or an address. */
export const pathOrAddress: OptionType<string> = {
  takes: 'a path that starts with one slash, or an address such as https://www.example.org',
  placeholder: 'ADDRESS',
  parse: (raw) => {
    if (!/^[\x21-\x7e]+$/.test(raw) || raw.includes('\\')) return undefined
    return /^\/(?!\/)/.test(raw) || (/^https?:\/\//.test(raw) && URL.canParse(raw)) ? raw : undefined
  },
}

/** A path below which something is served; it needs no percent-encoding. */
export const servedPath: OptionType<string> = {
  takes: 'a path such as /backend, without a slash at its end',
  placeholder: 'PATH',
  parse: (raw) => (/^(\/[A-Za-z\d_~-][\w.~-]*)+$/.test(raw) ? raw : undefined),
}

/** The same, or `false` if nothing is served. */
export const servedPathOrNone: OptionType<string | false> = {
  takes: 'a path such as /console, without a slash at its end, or false',
  placeholder: 'PATH|false',
  parse: (raw) => (raw === 'false' ? false : servedPath.parse(raw)),
}

/** One of a few words. */
export function oneOf<const Choice extends string>(...choices: readonly Choice[]): OptionType<Choice> {
  return {
    takes: choices.length === 1 ? `${choices[0]}` : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    placeholder: choices.join('|'),
    choices,
    parse: (raw) => choices.find((choice) => choice === raw),
  }
}

/** Names, separated by commas; blanks around them do not count. */
export const nameList: OptionType<readonly string[]> = {
  takes: 'names separated by commas',
  placeholder: 'NAME,NAME',
  parse: (raw) => {
    const names = raw.split(',').map((name) => name.trim())
    return names.includes('') || new Set(names).size < names.length ? undefined : names
  },
}

/** Views with the columns of their keys: `customer_list:id; sales.totals:year,month`. */
export const viewKeyList: OptionType<
  readonly { readonly view: string; readonly columns: readonly string[] }[]
> = {
  takes: 'views with the columns of their keys, such as customer_list:id; sales.totals:year,month',
  placeholder: 'VIEW:COLUMN,COLUMN;…',
  parse: (raw) => {
    const keys = raw.split(';').map((text) => {
      const [view = '', columns = '', ...others] = text.split(':').map((part) => part.trim())
      const names = columns.split(',').map((name) => name.trim())
      const isRead = view !== '' && others.length === 0 && !names.includes('')
      return isRead && new Set(names).size === names.length ? { view, columns: names } : undefined
    })
    const read = keys.filter((key) => key !== undefined)
    const isWhole = read.length === keys.length && new Set(read.map(({ view }) => view)).size === keys.length
    return isWhole ? read : undefined
  },
}

/** Network addresses and ranges of them, separated by commas; blanks around them do not count. */
export const networkList: OptionType<readonly string[]> = {
  takes: 'network addresses or ranges, separated by commas, such as 10.0.0.0/8, 192.0.2.7 or fd00::/8',
  placeholder: 'ADDRESS,ADDRESS',
  parse: (raw) => {
    const ranges = raw.split(',').map((range) => range.trim())
    return ranges.every(isRange) ? ranges : undefined
  },
}

/** Names of hosts, network addresses and ranges of them, separated by commas; blanks around them do not count. */
export const hostList: OptionType<readonly string[]> = {
  takes:
    'names of hosts, network addresses or ranges, separated by commas, such as 169.254.10.0/24 or a.internal',
  placeholder: 'HOST,HOST',
  parse: (raw) => {
    const hosts = raw.split(',').map((host) => host.trim())
    const isName = (host: string) => /^[a-z_](?:[\w.-]*\w)?\.?$/i.test(host)
    return hosts.every((host) => isRange(host) || isName(host)) ? hosts : undefined
  },
}

function isRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  return bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most)
}

/** A whole number between two others, both included. */
export function wholeNumber(least: number, most: number): OptionType<number> {
  return {
    takes: `a whole number from ${least} to ${most}`,
    placeholder: 'NUMBER',
    parse: (raw) => (/^\d{1,15}$/.test(raw) ? between(least, Number(raw), most) : undefined),
  }
}

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** A length of time, written like `500ms`, `30s`, `15m`, `8h` or `7d`, between two others. The value is in milliseconds. */
export function duration(shortest: string, longest: string): OptionType<number> {
  const read = (raw: string) => (raw === '0' ? 0 : amountOf(raw, /^(\d{1,9})(ms|[smhd])$/, milliseconds))
  return {
    takes: `a duration from ${shortest} to ${longest}, such as 30s, 15m or 8h`,
    placeholder: 'DURATION',
    parse: (raw) => between(read(shortest) ?? 0, read(raw), read(longest) ?? 0),
  }
}

const bytesIn: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }

/** An amount of memory, written like `512kb` or `10mb` (1 kb is 1024 bytes), between two others. The value is in bytes. */
export function bytes(least: string, most: string): OptionType<number> {
  const read = (raw: string) => amountOf(raw.toLowerCase(), /^(\d{1,12})(b|kb|mb|gb)$/, bytesIn)
  return {
    takes: `a size from ${least} to ${most}, such as 512kb or 10mb`,
    placeholder: 'SIZE',
    parse: (raw) => between(read(least) ?? 0, read(raw), read(most) ?? 0),
  }
}

function amountOf(raw: string, pattern: RegExp, units: Readonly<Record<string, number>>): number | undefined {
  const [, digits, unit = ''] = pattern.exec(raw) ?? []
  const size = units[unit]
  return digits === undefined || size === undefined ? undefined : Number(digits) * size
}

function between(least: number, value: number | undefined, most: number): number | undefined {
  return value !== undefined && value >= least && value <= most ? value : undefined
}
