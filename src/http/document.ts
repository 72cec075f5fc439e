/** HTML documents, with the headers that keep a browser from running what is not ours. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** The directives of a Content-Security-Policy: https://www.w3.org/TR/CSP3/ */
export type ContentPolicy = Readonly<Record<string, string>>

/** What pages of our own may do: nothing but show themselves and send a form to us. */
export const formPolicy: ContentPolicy = {
  'default-src': "'none'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** What the page of an application may do: load and call whatever is of this origin. */
export const applicationPolicy: ContentPolicy = {
  'default-src': "'self'",
  'img-src': "'self' data: blob: https:",
  'font-src': "'self' data:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

/**
 * Sends a document that is made for a nonce of its own: scripts and styles that carry it may run, and those
 * that a file of this origin holds.
 */
export function sendDocument(
  reply: FastifyReply,
  write: (nonce: string) => string,
  policy: ContentPolicy,
): FastifyReply {
  const nonce = randomBytes(16).toString('base64url')
  const own = policy['default-src'] === "'none'" ? '' : "'self' "
  const directives: ContentPolicy = {
    'script-src': `${own}'nonce-${nonce}'`,
    'style-src': `${own}'nonce-${nonce}'`,
    ...policy,
  }
  return reply
    .headers({
      'content-security-policy': Object.entries(directives)
        .map(([name, value]) => `${name} ${value}`)
        .join('; '),
      'cross-origin-opener-policy': 'same-origin',
      ...(directives['frame-ancestors'] === "'none'" ? { 'x-frame-options': 'DENY' } : {}),
    })
    .type('text/html; charset=utf-8')
    .send(write(nonce))
}
