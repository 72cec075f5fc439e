import { readRequestTarget } from '../http/request-target.ts'
import type { HeaderList } from './header-list.ts'
import { endToEndHeaders } from './hop-by-hop.ts'
import { type PathMapping, servicePath, type Target } from './target.ts'

/** How addresses of a target map to those for clients. */
export interface ResponseMapping extends PathMapping {
  /** Whether a decoded path is forwarded here. */
  readonly covers: (path: string) => boolean
}

/** The headers of a target's response for the client, with addresses that the client can use. */
export function responseHeadersOf(
  headers: HeaderList,
  target: Target,
  requestPath: string,
  mapping: ResponseMapping,
): HeaderList {
  return endToEndHeaders(headers).map((header) =>
    header.spelling === 'location' || header.spelling === 'content-location'
      ? { ...header, value: serviceLocation(header.value, target, requestPath, mapping) }
      : header,
  )
}

/**
 * An address that a target sent, for the client: one that is forwarded here becomes a path of the service; all others
 * stay as they are.
 */
function serviceLocation(
  location: string,
  target: Target,
  requestPath: string,
  mapping: ResponseMapping,
): string {
  if (!URL.canParse(location, target.origin + requestPath)) return location
  const { origin, pathname, search, hash } = new URL(location, target.origin + requestPath)
  if (origin !== target.origin) return location
  const path = servicePath(target, mapping, pathname)
  if (path === undefined) return location
  const reading = readRequestTarget(path === '' ? '/' : path)
  if ('refused' in reading || !mapping.covers(reading.path)) return location
  return reading.encodedPath + search + hash
}
