import { isIPv4, isIPv6 } from 'node:net'

/**
 * An IP address in canonical form: an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) becomes the
 * IPv4 address, and IPv6 is written as in https://www.rfc-editor.org/rfc/rfc5952. A port or zone is
 * removed. Undefined for what is not an address.
 */
export function normalizeAddress(text: string): string | undefined {
  const address = withoutPort(text.trim()).replace(/%.*$/s, '')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical) ?? []
  if (high === undefined || low === undefined) return canonical
  const bytes = [high, low].flatMap((group) => {
    const number = Number.parseInt(group, 16)
    return [number >> 8, number & 255]
  })
  return bytes.join('.')
}

/**
 * What identifies a client when requests are counted: the IPv4 address, or the /64 network of an
 * IPv6 address, all of which may belong to one client. Takes an address in canonical form; returns
 * any other text unchanged.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [left = '', right] = address.split('::')
  const before = left === '' ? [] : left.split(':')
  const after = right === undefined || right === '' ? [] : right.split(':')
  const zeros = right === undefined ? [] : Array(8 - before.length - after.length).fill('0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

/** Some load balancers also write the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  return inBrackets ?? text.replace(/^([^:]+):\d+$/, '$1')
}
