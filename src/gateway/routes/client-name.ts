import type { FastifyRequest } from 'fastify'

/** Whose request it is, for whoever shares something out fairly: an account's, or an address's where anybody may call. */
export function clientNameOf({ caller, ip }: FastifyRequest): string {
  return caller === undefined ? `address ${ip}` : `account ${caller.username}`
}
