import type { FastifyReply, FastifyRequest } from 'fastify'

/** The decoded value of a variable segment of the path. */
export function parameterOf(request: FastifyRequest, name: string): string {
  return (request.params as Readonly<Record<string, string>>)[name] ?? ''
}

/** Answers a record that was created, and where it is. */
export function createdAt(reply: FastifyReply, location: string, record: object): FastifyReply {
  return reply.status(201).header('location', location).send(record)
}
