import { normalizeAddress } from '../util/network-address.ts'

/** Where a request came from, as the server knows it. */
export interface RequestOrigin {
  readonly ip: string
  /** From the connected peer to the client that the trusted proxies name; absent where no proxy is trusted. */
  readonly ips?: readonly string[] | undefined
}

/**
 * The network address of the client that made a request, in its canonical form. What a trusted proxy passes on that is
 * no address is left out: then the nearest address before it counts. '' when the connection has ended.
 */
export function clientAddressOf({ ip, ips = [ip] }: RequestOrigin): string {
  for (const candidate of ips.toReversed()) {
    const address = normalizeAddress(candidate ?? '')
    if (address !== undefined) return address
  }
  return ''
}
