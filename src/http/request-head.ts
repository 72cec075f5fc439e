import type { IncomingMessage } from 'node:http'

/** `host` and `port` of https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2; an IP address of six groups in brackets. */
const hostForm = /^(?:(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+|\[[\da-f:.]+\])(?::\d{0,5})?$/i

/**
 * What is wrong with the head of a request, as a sentence: a version other than HTTP/1.1 and HTTP/1.0, or a `Host` that
 * is missing, repeated or invalid (https://www.rfc-editor.org/rfc/rfc9112#section-3.2). Undefined if nothing is.
 */
export function mistakeInHead({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return `This port supports HTTP/1.1 and HTTP/1.0, not HTTP/${httpVersion}.`
  }
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length !== 4 || (name !== 'Host' && name !== 'host' && name.toLowerCase() !== 'host')) continue
    if (host !== undefined) return 'Send the header "Host" once.'
    host = rawHeaders[index + 1] ?? ''
  }
  if (host === undefined) return httpVersion === '1.1' ? 'Send the header "Host".' : undefined
  return hostForm.test(host)
    ? undefined
    : 'The header "Host" takes a name or an address, with or without a port.'
}
