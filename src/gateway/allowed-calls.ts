/** Which calls a caller may make: for clients that show only what they may do. */
import * as v from 'valibot'
import type { Access } from '../access/access.ts'
import type { RequestHeaders } from '../access/authentication/authenticate.ts'
import { listOf, strictObject } from '../documents/document-schema.ts'
import { parseDocument } from '../documents/parse-document.ts'
import { AppError } from '../errors/app-error.ts'
import { readRequestTarget } from '../http/request-target.ts'
import type { RouteIndex } from '../http/routes.ts'
import { TimeSlices } from '../util/time-slices.ts'
import { admitCall } from './protect.ts'

/** A call, and whether it is allowed. */
interface AllowedCall {
  readonly method: string
  readonly path: string
  readonly allowed: boolean
}

/** A list of calls. Their paths are written as in a request. */
export const callsSchema = strictObject({
  calls: listOf(
    strictObject({
      method: v.pipe(v.string(), v.maxLength(20)),
      path: v.pipe(v.string(), v.maxLength(2000), v.metadata({ examples: ['/manage/roles'] })),
    }),
    200,
  ),
})

/**
 * Which calls of a document are allowed to the caller with these headers, in its order: each is decided as a request is.
 * Whether there is anything at a path makes no difference.
 */
export async function allowedCalls(
  document: unknown,
  headers: RequestHeaders,
  { access, index }: { readonly access: Pick<Access, 'admit'>; readonly index: RouteIndex },
): Promise<{ readonly calls: readonly AllowedCall[] }> {
  const { calls } = parseDocument(callsSchema, document)
  const slices = new TimeSlices()
  const answer: AllowedCall[] = []
  for (const { method, path } of calls) {
    if (slices.isOver) await slices.next()
    const allowed = await isAllowed(method.toUpperCase(), path, headers, access, index)
    answer.push({ method, path, allowed })
  }
  return { calls: answer }
}

async function isAllowed(
  method: string,
  target: string,
  headers: RequestHeaders,
  access: Pick<Access, 'admit'>,
  index: RouteIndex,
): Promise<boolean> {
  const reading = readRequestTarget(target)
  if ('refused' in reading) return false
  const { path } = reading
  const route = index.at(path)
  if (route?.access === 'open') return true
  const isOwn = (own: string) => index.isServed(own)
  const call = { method, path, headers, isOwn: isOwn(path), parts: route?.parts?.() }
  try {
    await admitCall(access, call, call.isOwn ? route?.alsoNeeds?.(path) : undefined, isOwn)
    return true
  } catch (error) {
    const isRefusal = error instanceof AppError && refusals.includes(error.code)
    if (!isRefusal) throw error
    return false
  }
}

const refusals: readonly string[] = ['ROLE_NOT_ALLOWED', 'METHOD_NOT_ALLOWED']
