import { readRequestTarget } from '../http/request-target.ts'
import type { HeaderList } from './header-list.ts'
import { endToEndHeaders } from './hop-by-hop.ts'
import { type PathMapping, servicePath, type Target } from './target.ts'

/** How the addresses of a target are shown to clients. */
export interface AnswerMapping extends PathMapping {
  /** Whether a path, decoded, is one that is forwarded here. */
  readonly covers: (path: string) => boolean
}

/** The headers of a target's answer that go to the client, with addresses as the client must use them. */
export function answerHeadersOf(
  headers: HeaderList,
  target: Target,
  requestPath: string,
  mapping: AnswerMapping,
): HeaderList {
  return endToEndHeaders(headers).map((header) =>
    header.spelling === 'location' || header.spelling === 'content-location'
      ? { ...header, value: serviceLocation(header.value, target, requestPath, mapping) }
      : header,
  )
}

/**
 * An address that a target gave, for the client: inside of what is forwarded it becomes a path of the
 * service; every other one stays as it is.
 */
function serviceLocation(
  location: string,
  target: Target,
  requestPath: string,
  mapping: AnswerMapping,
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
