import { readRequestTarget } from '../../http/request-target.ts'

/**
 * Where to go after login: the wanted path of this origin, with its query, unchanged; or `otherwise`, if a browser might
 * take it for another origin (open redirect). `mayHoldSlashes` says which paths may hold encoded slashes.
 */
export function returnPath(
  wanted: unknown,
  otherwise: string,
  mayHoldSlashes?: (encodedPath: string) => boolean,
): string {
  if (typeof wanted !== 'string' || wanted.length > 2000) return otherwise
  // Visible ASCII without a backslash: browsers drop tabs and line ends, and read `\` as `/`.
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(wanted) || wanted.includes('\\')) return otherwise
  const [target = '', fragment] = wanted.split('#', 2)
  const reading = readRequestTarget(target, mayHoldSlashes)
  if ('refused' in reading || !target.startsWith(reading.encodedPath.slice(0, 1))) return otherwise
  if (/^\/(auth|logout|signout)(\/|$)/.test(reading.path)) return otherwise
  const path = reading.encodedPath + reading.query
  return fragment === undefined ? path : `${path}#${fragment}`
}
