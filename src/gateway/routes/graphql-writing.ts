/** What the mutations of a request write with. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import type { CallerWriting, KeepAnswer } from '../../graphql/execution/write-call.ts'
import type { GraphqlRequest } from '../../graphql/graphql-request.ts'
import type { RecordParts } from '../../record/record-parts.ts'
import type { Idempotency } from '../../rest/idempotency.ts'
import { readIdempotencyKey } from '../../rest/idempotency-key.ts'
import { readOrigin } from '../../rest/origin.ts'
import type { RecordAccess } from '../rights/record-access.ts'
import { rightsTagOf } from '../rights/rights-tag.ts'

export interface GraphqlWritingParts {
  readonly recordAccess: Pick<RecordAccess, 'allowedFor'>
  readonly recordParts: RecordParts
  readonly idempotency: Idempotency
}

const api = 'POST /graphql'

/** See the head of this file. */
export function writingFor(
  { query, variables, operationName }: GraphqlRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  { recordAccess, recordParts, idempotency }: GraphqlWritingParts,
): CallerWriting {
  const { headers, id, caller, body } = request
  const key = headers['idempotency-key']
  const once = async (work: (keep: KeepAnswer) => Promise<string>): Promise<string> => {
    if (Array.isArray(body)) throw new AppError('PARAMETER_INVALID', { detail: noKeyForBatches })
    const document = { query, variables, operationName }
    const [account, rights] = [caller?.username ?? '', rightsTagOf(request)]
    const call = await readIdempotencyKey(key, { account, rights, api, document })
    if (call === undefined) return work(async () => {})
    const answered = (text: string) => ({ status: 200, headers: {}, body: text })
    const response = await idempotency.once(call, async (keep) =>
      answered(await work((connection, text) => keep(connection, answered(text)))),
    )
    reply.headers(response.headers)
    return response.body ?? ''
  }
  return {
    parts: recordParts,
    origin: () => readOrigin(headers, id, api),
    allowedFor: (method, path, entity) => recordAccess.allowedFor(request, method, path, entity),
    ...(key !== undefined && { once }),
  }
}

const noKeyForBatches =
  'The requests of a batch have no Idempotency-Key: send each mutation that has one by itself.'
