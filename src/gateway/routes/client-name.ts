import type { FastifyRequest } from 'fastify'

/** The client of a request, for fair sharing: its account, or its address if anyone may call. */
export function clientNameOf({ caller, ip }: FastifyRequest): string {
  return caller === undefined ? `address ${ip}` : `account ${caller.username}`
}
