import { type HeaderList, listValues, spellingOf } from './header-list.ts'

/** Headers for one connection only: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'http2-settings',
])

/** Whether a header, by its spelling, is for one connection only. */
export function isHopByHop(spelling: string): boolean {
  return hopByHop.has(spelling)
}

/** End-to-end headers: without those of the connection, and those that `Connection` names. */
export function endToEndHeaders(headers: HeaderList): HeaderList {
  const named = listValues(headers, 'connection').map(spellingOf)
  return headers.filter(({ spelling }) => !hopByHop.has(spelling) && !named.includes(spelling))
}
