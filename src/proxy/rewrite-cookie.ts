import { type PathMapping, servicePath, type Target } from './target.ts'

/**
 * A cookie of a target (`Set-Cookie`) for the client: `Path` becomes the path at which the client finds it, and `Domain` is
 * left out if it stands for the target's own host. A cookie whose name demands a path (`__Host-`) stays as it is.
 * https://www.rfc-editor.org/rfc/rfc6265#section-4.1
 */
export function rewriteCookie(cookie: string, target: Target, mapping: PathMapping): string {
  if (/^\s*__Host-/i.test(cookie)) return cookie
  const [pair = '', ...attributes] = cookie.split(';')
  const kept = attributes
    .filter((attribute) => !isOfTarget(attribute, target))
    .map((attribute) => withPath(attribute, target, mapping))
  return [pair, ...kept].join(';')
}

function isOfTarget(attribute: string, { hostname }: Target): boolean {
  const [, domain] = /^\s*domain\s*=\s*\.?(.*?)\s*$/i.exec(attribute) ?? []
  if (domain === undefined) return false
  const host = hostname.toLowerCase()
  return host === domain.toLowerCase() || host.endsWith(`.${domain.toLowerCase()}`)
}

function withPath(attribute: string, target: Target, mapping: PathMapping): string {
  const [, name = '', path = ''] = /^(\s*path\s*=\s*)(\/.*?)\s*$/i.exec(attribute) ?? []
  if (name === '') return attribute
  const isAbove = `${target.basePath}/`.startsWith(path.endsWith('/') ? path : `${path}/`)
  const seen = isAbove ? mapping.prefix : servicePath(target, mapping, path)
  return seen === undefined ? attribute : `${name}${seen || '/'}`
}
