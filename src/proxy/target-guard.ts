/**
 * Protects against SSRF: blocks link-local addresses and the metadata services of clouds, which give credentials to any
 * caller. Addresses are checked after a name has been resolved, for each connection.
 */
import { lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Decides where requests must not go. */
export interface TargetGuard {
  /** Whether requests to a host, a name or an address, are blocked. Names are not resolved. */
  refuses(hostname: string): boolean
  /** Resolves a name, and fails if one of its addresses is blocked. For addresses use `refuses`. */
  readonly lookup: LookupFunction
}

/** Link-local (RFC 3927), and the metadata services of Azure, Alibaba and Oracle; also in their IPv6 forms. */
const refusedIpv4 = ['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32']
/** Link-local (RFC 4291), and the metadata services of Amazon and Google. */
const refusedIpv6 = ['fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128']
const refusedNames = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]

/** `allowed` are names, addresses and ranges that are exempt. */
export function createTargetGuard(allowed: readonly string[]): TargetGuard {
  const names = new Set(allowed.filter((entry) => !isRange(entry)).map(plainName))
  const allowedAddresses = blockListOf(allowed.filter(isRange))
  const refusedAddresses = blockListOf([...refusedIpv4, ...refusedIpv4.flatMap(inIpv6), ...refusedIpv6])
  const refusesAddress = (address: string) =>
    holds(refusedAddresses, address) && !holds(allowedAddresses, address)

  return {
    refuses(hostname) {
      if (isIP(hostname) !== 0) return refusesAddress(hostname)
      const name = plainName(hostname)
      return refusedNames.includes(name) && !names.has(name)
    },
    lookup(hostname, options, callback) {
      lookUp(hostname, { ...options, all: true }, (error, addresses) => {
        const [first] = addresses ?? []
        if (error !== null || first === undefined) {
          callback(error ?? new Error(`"${hostname}" has no address.`), '')
          return
        }
        const refused = names.has(plainName(hostname))
          ? undefined
          : addresses.find(({ address }) => refusesAddress(address))
        if (refused !== undefined) {
          const reason = `"${hostname}" resolves to ${refused.address}, a link-local address or metadata service that target_allow does not name.`
          callback(new Error(reason), '')
          return
        }
        if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
    },
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

function isRange(entry: string): boolean {
  return isIP(entry.split('/')[0] ?? '') !== 0
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return list
}

/** An IPv4 address within an IPv6 address, `::ffff:169.254.169.254`, is checked as IPv4. */
function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** The IPv6 ranges that map to an IPv4 range: compatible addresses, NAT64 (RFC 6052) and 6to4 (RFC 3056). */
function inIpv6(range: string): readonly string[] {
  const [address = '', bits = '32'] = range.split('/')
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const inside = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  const length = Number(bits)
  return [
    `::${inside}/${96 + length}`,
    `64:ff9b::${inside}/${96 + length}`,
    `2002:${inside}::/${16 + length}`,
  ]
}
