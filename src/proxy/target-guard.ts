/**
 * Keeps requests from what is only for the machine itself: link-local addresses, and the metadata services of clouds, which
 * hand out credentials to whoever asks. Addresses are looked at when a name has been resolved, for each connection.
 */
import { lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Says where no request goes. */
export interface TargetGuard {
  /** Whether a host, a name or an address, is one that no request goes to. What a name stands for is not looked up. */
  refuses(hostname: string): boolean
  /** Resolves a name, and fails where one of its addresses is refused. Addresses are not given to it: `refuses` is for them. */
  readonly lookup: LookupFunction
}

/** Link-local (RFC 3927), and where Azure, Alibaba and Oracle have metadata; with what stands for such an address in IPv6. */
const refusedIpv4 = ['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32']
/** Link-local (RFC 4291), and where Amazon and Google have metadata. */
const refusedIpv6 = ['fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128']
const refusedNames = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]

/** `allowed` are names, addresses and ranges that requests may go to nevertheless. */
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
          const reason = `"${hostname}" stands for ${refused.address}, which is link-local or of a metadata service; target_allow does not name it.`
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

/** An address inside of another one, `::ffff:169.254.169.254`, is taken for the one inside. */
function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

/** The ranges of IPv6 that lead to a range of IPv4: compatible addresses, NAT64 (RFC 6052) and 6to4 (RFC 3056). */
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
