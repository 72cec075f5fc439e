import { normalizeAddress } from '../util/network-address.ts'

/** The origin of a request, as the server knows it. */
export interface RequestOrigin {
  readonly ip: string
  /** From the connected peer to the client that the trusted proxies name; absent where no proxy is trusted. */
  readonly ips?: readonly string[] | undefined
}

/**
 * The network address of the client that made a request, in its canonical form. Entries of a trusted proxy that are not
 * addresses are ignored: then the nearest address before counts. '' if the connection has ended.
 */
export function clientAddressOf({ ip, ips = [ip] }: RequestOrigin): string {
  for (const candidate of ips.toReversed()) {
    const address = normalizeAddress(candidate ?? '')
    if (address !== undefined) return address
  }
  return ''
}
