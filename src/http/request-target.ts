/**
 * Turns the raw request target into the one path that is authorized, routed, forwarded and logged.
 * What two programs could read differently (dot segments, encoded slashes, empty segments, control
 * characters) is refused rather than repaired.
 */
import { segmentMistake } from '../util/path-segment.ts'

interface RequestTarget {
  /** The decoded path, against which authorities are matched. */
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

/** Reads a request target in origin form (`/path?query`) or absolute form (`http://host/path?query`). */
export function readRequestTarget(rawTarget: string): RequestTargetReading {
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
    const mistake = segmentMistake(segment)
    if (mistake !== undefined) return { refused: `The path holds ${mistake}.` }
    if (segment === '' && index < rawSegments.length - 1)
      return { refused: 'The path holds an empty segment.' }
    segments.push(segment)
  }
  return {
    path: `/${segments.join('/')}`,
    encodedPath: `/${segments.map(encodeURIComponent).join('/')}`,
    query,
  }
}

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
