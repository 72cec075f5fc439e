/** The single-page application: its page at the configured paths, and the files beside it. */
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { applicationPolicy, type ContentPolicy, sendDocument } from '../../http/document.ts'
import type { Guide } from '../../http/guide.ts'
import type { Route } from '../../http/routes.ts'
import { cacheControlOf } from './cache-control.ts'
import { PageFile, withNonce } from './page-file.ts'
import { hasFile, requirePage } from './page-folder.ts'
import { type PageParameters, pageMatcher } from './page-pattern.ts'

/** The address for which a page was served. */
interface RenderedPage {
  /** A repeated parameter has a list. */
  readonly query: Readonly<Record<string, unknown>>
  readonly params: PageParameters
}

export interface ContentParts {
  /** Folder of the application; absent without one. */
  readonly root?: string
  readonly patterns: readonly string[]
  /** Where the pages lead if there is no application; undefined for nowhere. */
  readonly otherwise: ((request: FastifyRequest) => string) | undefined
  /** Directives that replace the default ones. */
  readonly policy: ContentPolicy
  /** What is served where the application has nothing. */
  readonly guide?: Guide
  /** What to tell whoever asks for a path at which nothing is. */
  readonly adviceAt: (path: string) => string | undefined
  /** Called for every page before it is sent. */
  readonly rendering: (page: RenderedPage, request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** Throws CONTENT_MISSING if there is no page. */
export async function contentRoutes(parts: ContentParts): Promise<readonly Route[]> {
  const root = parts.root === undefined ? undefined : await requirePage(parts.root)
  const matchPage = pageMatcher(parts.patterns)
  const page = root === undefined ? undefined : new PageFile(join(root, 'index.html'))
  const policy = { ...applicationPolicy, ...parts.policy }

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    file: PageFile,
    params: PageParameters,
  ) {
    const html = await file.text()
    await parts.rendering({ query: request.query as RenderedPage['query'], params }, request, reply)
    return sendDocument(reply, (nonce) => withNonce(html, nonce), policy)
  }

  return [
    {
      path: '/*',
      access: 'open',
      methods: {
        async GET(request, reply) {
          const { path } = request
          if (root !== undefined && (await hasFile(root, path))) {
            if (/\.html?$/.test(path)) return sendPage(request, reply, new PageFile(join(root, path)), {})
            return reply.header('cache-control', cacheControlOf(path)).sendFile(path.slice(1), root)
          }
          const params = matchPage(path)
          if (params === undefined) {
            if (parts.guide?.has(path)) return parts.guide.send(path, reply)
            const advice = parts.adviceAt(path)
            throw new AppError('NOT_FOUND', advice === undefined ? {} : { detail: advice })
          }
          if (page !== undefined) return sendPage(request, reply, page, params)
          if (parts.otherwise !== undefined) return reply.redirect(parts.otherwise(request))
          throw new AppError('NOT_FOUND', { detail: noApplication })
        },
      },
    },
  ]
}

const noApplication =
  'This web front has no application, and its console is turned off. Name the folder of an application with content.root.'
