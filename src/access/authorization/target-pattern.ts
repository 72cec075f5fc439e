/** The servers to which accounts of a role may lead routes: its `targets`. */
import * as v from 'valibot'
import { listOf, refuse } from '../../documents/document-schema.ts'
import { parseTarget, type Target } from '../../proxy/target.ts'

/** One entry of `targets`: an origin, or the origins of all names below a domain, or of all ports. */
interface TargetPattern {
  readonly secure: boolean
  readonly host: string
  /** Whether it stands for the names below the host, not for the host itself. */
  readonly isDomain: boolean
  /** Undefined for all. */
  readonly port: number | undefined
}

const patternSyntax = /^(https?:\/\/)(\*\.)?([^/*]+?)(:\*)?$/i

/** Parses `targets` of a role. An empty list allows no server. */
export const targetsSchema = v.pipe(
  listOf(
    v.pipe(
      v.string(),
      v.maxLength(1000),
      refuse((text) => (parsePattern(text) === undefined ? mistake : undefined)),
    ),
    100,
  ),
  v.metadata({
    description: 'Origins to which its accounts may lead routes; left out for any.',
    examples: [['https://*.internal:*']],
  }),
  v.transform((entries): readonly string[] => [...new Set(entries)]),
)

const mistake =
  'This is an origin, as in http://127.0.0.1:3000 or https://shop.internal; the host may begin with "*." for all names below a domain, and the port may be "*" for all ports: https://*.internal:*.'

/** Whether one of some entries covers another entry. */
export function coversPattern(entries: readonly string[], other: string): boolean {
  const wanted = parsePattern(other)
  return wanted !== undefined && entries.some((entry) => covers(parsePattern(entry), wanted))
}

/** Whether one of some entries covers a target. */
export function coversTarget(
  entries: readonly string[],
  { secure, hostname, port }: Pick<Target, 'secure' | 'hostname' | 'port'>,
): boolean {
  const wanted = { secure, host: hostname, isDomain: false, port }
  return entries.some((entry) => covers(parsePattern(entry), wanted))
}

function covers(held: TargetPattern | undefined, wanted: TargetPattern): boolean {
  if (held === undefined || held.secure !== wanted.secure) return false
  if (held.port !== undefined && held.port !== wanted.port) return false
  if (held.host === wanted.host && held.isDomain === wanted.isDomain) return true
  return held.isDomain && wanted.host.endsWith(`.${held.host}`)
}

/** Undefined if it is invalid. A domain entry is parsed with a label in place of the star. */
function parsePattern(text: string): TargetPattern | undefined {
  const [, scheme = '', star = '', host = '', anyPort = ''] = patternSyntax.exec(text) ?? []
  if (anyPort !== '' && /:\d+$/.test(host)) return undefined
  const isDomain = star !== ''
  const target = parseTarget(`${scheme}${isDomain ? 'x.' : ''}${host}`)
  if ('mistake' in target) return undefined
  return {
    secure: target.secure,
    host: isDomain ? target.hostname.slice('x.'.length) : target.hostname,
    isDomain,
    port: anyPort === '' ? target.port : undefined,
  }
}
