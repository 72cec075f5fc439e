import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListPage } from '../../access/administration/list-page.ts'
import { mapInSlices } from '../../util/time-slices.ts'

/** The decoded value of a variable segment of the path. */
export function parameterOf(request: FastifyRequest, name: string): string {
  return (request.params as Readonly<Record<string, string>>)[name] ?? ''
}

/** Sends a created record and its location. */
export function createdAt(reply: FastifyReply, location: string, record: object): FastifyReply {
  return reply.status(201).header('location', location).send(record)
}

/** Sends a page of a list and a link to the next one: https://www.rfc-editor.org/rfc/rfc8288 */
export async function sendListPage(
  { path, query }: FastifyRequest,
  reply: FastifyReply,
  { items, next }: ListPage<unknown>,
  baseUrl = '',
): Promise<FastifyReply> {
  if (next !== undefined) {
    const parameters = new URLSearchParams({ ...(query as Record<string, string>), after: next })
    reply.header('link', `<${baseUrl}${path}?${parameters}>; rel="next"`)
  }
  const texts = await mapInSlices(items, (item) => JSON.stringify(item))
  return reply.type('application/json; charset=utf-8').send(`[${texts.join(',')}]`)
}
