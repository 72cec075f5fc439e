/** Sends a page of `console/`: its document, and the files that it loads. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { preferredMediaType } from '../../http/accept.ts'
import type { Route } from '../../http/routes.ts'
import type { BundledPage } from '../bundled-page.ts'

/** Nothing from other hosts, only scripts and styles from the page's own files, and no framing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Whether a request comes from a browser that opens an address: it prefers HTML. */
export function prefersPage({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const { accept = 'application/json' } = headers
  return preferredMediaType(accept, ['application/json', 'text/html'], 'application/json') === 'text/html'
}

/** Sends the page. */
export function sendPage(reply: FastifyReply, page: BundledPage, isPublic: boolean): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': contentSecurityPolicy,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    })
    .send(page.document(isPublic))
}

/** The files of a page, open to anyone: they are the same for everyone and hold no data. */
export function pageFileRoutes(name: string, { files }: BundledPage): readonly Route[] {
  return [
    {
      path: `/${name}/:file`,
      access: 'open',
      methods: {
        async GET({ params }, reply) {
          const file = files.get((params as { readonly file: string }).file)
          if (file === undefined) throw new AppError('NOT_FOUND')
          return reply
            .type(file.mediaType)
            .headers({
              'cache-control': 'public, max-age=31536000, immutable',
              'content-security-policy': "default-src 'none'",
              'cross-origin-resource-policy': 'same-origin',
            })
            .send(file.content)
        },
      },
    },
  ]
}
