import type { Clock } from '../util/clock.ts'
import type { AccessDirectory } from './access-directory.ts'
import { isPublic } from './api-route.ts'
import { authenticate, type RequestHeaders } from './authenticate.ts'
import { authorize } from './authorize.ts'
import type { Caller } from './caller.ts'

/** What is known of a request before anything is done for it. */
export interface AdmissionRequest {
  readonly method: string
  /** Decoded, as it is routed. */
  readonly path: string
  readonly headers: RequestHeaders
}

/**
 * Lets a request in, or throws what it is refused with. Gives the caller; undefined where a public API
 * route lets in anybody. When the directory cannot be read, nobody is let in.
 */
export async function admit(
  parts: { readonly directory: AccessDirectory; readonly now: Clock },
  { method, path, headers }: AdmissionRequest,
): Promise<Caller | undefined> {
  const { apiRoutes } = await parts.directory.current()
  if (isPublic(apiRoutes, method, path)) return undefined
  const caller = await authenticate(parts, headers)
  authorize(caller.roles, method, path)
  return caller
}
