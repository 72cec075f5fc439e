/** Entity tags of the gateway's own records, and the conditions of calls: https://www.rfc-editor.org/rfc/rfc9110#section-13 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  assertMatch,
  type Conditions,
  etagOf,
  isKnown,
  type Precondition,
  preconditionOf,
} from '../../http/etag.ts'

/** The conditions of a call. */
export function conditionsOf({ headers }: FastifyRequest): Conditions {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] }
}

/** What the record must be that a call changes. */
export function preconditionIn(request: FastifyRequest): Precondition {
  return preconditionOf(conditionsOf(request))
}

/** Sends a record with its tag; 304 if the caller has it already. Throws PRECONDITION_FAILED. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, record: object): FastifyReply {
  const conditions = conditionsOf(request)
  const body = JSON.stringify(record)
  assertMatch(conditions, body)
  reply.header('etag', etagOf(body))
  if (isKnown(conditions.ifNoneMatch, body)) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(body)
}

/** Adds the tag of a record that was written, as it is read from now on. */
export function withTag(reply: FastifyReply, record: object): FastifyReply {
  return reply.header('etag', etagOf(JSON.stringify(record)))
}
