import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import { readJsonBody } from './json-body.ts'

/** The body of a request as its route takes it: JSON, or bytes. Throws MEDIA_TYPE_UNSUPPORTED and BODY_UNREADABLE. */
export async function readBody(
  { method, headers, routeOptions }: FastifyRequest,
  body: Buffer,
): Promise<unknown> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new AppError('MEDIA_TYPE_UNSUPPORTED', {
      detail: `Send the body as it is, without the coding "${encoding}".`,
    })
  }
  if (routeOptions.config.body === 'bytes') return body
  // Many clients send a media type with every request, even with a DELETE without a body.
  const mayBeEmpty = method === 'DELETE' || routeOptions.config.body === 'unused'
  return mayBeEmpty && body.length === 0 ? undefined : readJsonBody(body)
}
