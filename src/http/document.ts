/** HTML documents, with headers that prevent a browser from running foreign code. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/** The directives of a Content-Security-Policy: https://www.w3.org/TR/CSP3/ */
export type ContentPolicy = Readonly<Record<string, string>>

/** Makes an HTML document whose styles and scripts carry a nonce. */
export type DocumentWriter = (nonce: string) => string

/** For the service's own pages: they may only submit a form to the service. */
export const formPolicy: ContentPolicy = {
  'default-src': "'none'",
  'img-src': 'data:',
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** For the page of an application: it may load and call anything of this origin. */
export const applicationPolicy: ContentPolicy = {
  'default-src': "'self'",
  'img-src': "'self' data: blob: https:",
  'font-src': "'self' data:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

/** A document with a new nonce: scripts and styles that carry it may run, and those in files of this origin. */
export function documentOf(
  write: DocumentWriter,
  policy: ContentPolicy,
): { readonly headers: Readonly<Record<string, string>>; readonly html: string } {
  const nonce = randomBytes(16).toString('base64url')
  const own = policy['default-src'] === "'none'" ? '' : "'self' "
  const directives: ContentPolicy = {
    'script-src': `${own}'nonce-${nonce}'`,
    'style-src': `${own}'nonce-${nonce}'`,
    ...policy,
  }
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    ...(directives['frame-ancestors'] === "'none'" ? { 'x-frame-options': 'DENY' } : {}),
  }
  return { headers, html: write(nonce) }
}

/** Sends a document; see `documentOf`. */
export function sendDocument(
  reply: FastifyReply,
  write: DocumentWriter,
  policy: ContentPolicy,
): FastifyReply {
  const { headers, html } = documentOf(write, policy)
  return reply.headers(headers).send(html)
}
