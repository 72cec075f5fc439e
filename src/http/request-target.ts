/**
 * Turns the raw request target into the one path that is authorized, routed, forwarded and logged.
 * What two programs could read differently (dot segments, encoded slashes, empty segments, control
 * characters) is refused rather than repaired.
 */
import { segmentMistake } from '../util/path-segment.ts'

interface RequestTarget {
  /** The decoded path, against which authorities are matched. An encoded slash in it stays `%2F`, if it is allowed. */
  readonly path: string
  /** The same path in its canonical percent-encoding, for the router. */
  readonly encodedPath: string
  /** The query as sent, with its `?`; '' if there is none. */
  readonly query: string
}

export type RequestTargetReading = RequestTarget | { readonly refused: string }

/** Visible ASCII only: https://www.rfc-editor.org/rfc/rfc3986#section-2 */
const forbiddenRaw = /[^\x21-\x7e]|[#\\;]/

/** A path that is already canonical, as most are: no segment begins with a dot. */
const canonicalPath = /^(?:\/[\w~-][\w.~-]*)+$/

/**
 * Reads a request target in origin form (`/path?query`) or absolute form (`http://host/path?query`). `mayHoldSlashes` says
 * whether a path in canonical percent-encoding may hold encoded slashes; by default none may.
 */
export function readRequestTarget(
  rawTarget: string,
  mayHoldSlashes: (encodedPath: string) => boolean = () => false,
): RequestTargetReading {
  const target = originForm(rawTarget)
  const queryStart = target.indexOf('?')
  const rawPath = queryStart === -1 ? target : target.slice(0, queryStart)
  const query = queryStart === -1 ? '' : target.slice(queryStart)

  if (!rawPath.startsWith('/')) return { refused: 'The path must start with a slash.' }
  if (forbiddenRaw.test(rawPath) || /[^\x21-\x7e]|#/.test(query)) {
    return { refused: 'The request target holds a character that must be percent-encoded or is not allowed.' }
  }
  if (canonicalPath.test(rawPath)) return { path: rawPath, encodedPath: rawPath, query }
  const segments: string[] = []
  const rawSegments = rawPath.slice(1).split('/')
  for (const [index, rawSegment] of rawSegments.entries()) {
    const segment = decodeSegment(rawSegment)
    if (segment === undefined)
      return { refused: 'The path holds a percent-encoding that is not valid UTF-8.' }
    // What a server that decodes it first would see.
    const mistake = segment.split('/').map(segmentMistake).find(isSaid)
    if (mistake !== undefined) return { refused: `The path holds ${mistake}.` }
    if (segment === '' && index < rawSegments.length - 1)
      return { refused: 'The path holds an empty segment.' }
    segments.push(segment)
  }
  const encodedPath = `/${segments.map(encodeURIComponent).join('/')}`
  if (segments.some((segment) => segment.includes('/')) && !mayHoldSlashes(encodedPath)) {
    return { refused: 'The path holds an encoded slash, backslash or control character.' }
  }
  return { path: `/${segments.map(withoutSlash).join('/')}`, encodedPath, query }
}

const isSaid = (mistake: string | undefined) => mistake !== undefined

const withoutSlash = (segment: string) => segment.replaceAll('/', '%2F')

/**
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2: the authority of an absolute form is not used for routing. It
 * must not be empty or hold a user (https://www.rfc-editor.org/rfc/rfc9110#section-4.2.4).
 */
function originForm(target: string): string {
  const absolute = /^https?:\/\/[^/?#@\\]+([/?#].*)?$/i.exec(target)
  if (absolute === null) return target
  const rest = absolute[1] ?? ''
  return rest.startsWith('/') ? rest : `/${rest}`
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
