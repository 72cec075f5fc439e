import { readRequestTarget } from '../http/request-target.ts'
import type { Header, HeaderList } from './header-list.ts'
import { endToEndHeaders } from './hop-by-hop.ts'
import { rewriteCookie } from './rewrite-cookie.ts'
import { type PathMapping, servicePath, type Target } from './target.ts'

/** How addresses of a target map to those for clients. */
export interface ResponseMapping extends PathMapping {
  /** Whether a decoded path is forwarded here. */
  readonly covers: (path: string) => boolean
  /** Whether paths with an encoded slash (`%2F`) are forwarded here too. */
  readonly allowsEncodedSlashes: boolean
  /** Whether links and cookies are translated, and not only `Location` and `Content-Location`. */
  readonly rewrites: boolean
}

/** The headers of a target's response for the client, with addresses that the client can use. */
export function responseHeadersOf(
  headers: HeaderList,
  target: Target,
  requestPath: string,
  mapping: ResponseMapping,
): HeaderList {
  const addressFor = (address: string) => serviceLocation(address, target, requestPath, mapping)
  return endToEndHeaders(headers).map((header) => ({
    ...header,
    value: valueFor(header, addressFor, target, mapping),
  }))
}

function valueFor(
  { spelling, value }: Header,
  addressFor: (address: string) => string,
  target: Target,
  mapping: ResponseMapping,
): string {
  switch (spelling) {
    case 'location':
    case 'content-location':
      return addressFor(value)
    case 'link':
      return mapping.rewrites ? rewriteLinks(value, addressFor) : value
    case 'set-cookie':
      return mapping.rewrites ? rewriteCookie(value, target, mapping) : value
    default:
      return value
  }
}

/** The value of a `Link` header for the client. */
export function linksFor(
  links: string,
  target: Target,
  requestPath: string,
  mapping: ResponseMapping,
): string {
  if (!mapping.rewrites) return links
  return rewriteLinks(links, (address) => serviceLocation(address, target, requestPath, mapping))
}

/** The targets of links, outside of quoted parameters: https://www.rfc-editor.org/rfc/rfc8288#section-3 */
function rewriteLinks(links: string, addressFor: (address: string) => string): string {
  return links.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|<([^<>"]*)>/g, (found, address?: string) =>
    address === undefined ? found : `<${addressFor(address.trim())}>`,
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
  const reading = readRequestTarget(path === '' ? '/' : path, () => mapping.allowsEncodedSlashes)
  if ('refused' in reading || !mapping.covers(reading.path)) return location
  return reading.encodedPath + search + hash
}
