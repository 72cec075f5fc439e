/** The console: its page at all paths below its own, the files of the page, and who may use it. */
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { type ContentPolicy, sendDocument } from '../../http/document.ts'
import type { Route } from '../../http/routes.ts'
import type { OriginReader } from '../../http/same-origin.ts'
import { cacheControlOf } from '../content/cache-control.ts'
import { PageFile, withNonce } from '../content/page-file.ts'
import { hasFile, requireConsole } from '../content/page-folder.ts'
import type { ContentParts } from '../content/routes.ts'
import type { LoginProvider } from '../login/login-provider.ts'
import type { CurrentSessions } from '../session/current-sessions.ts'
import type { Presence } from '../session/presence.ts'
import { consoleSessionOf, gatewayPathOf, noLogin } from './console-session.ts'
import type { ConsoleSettings } from './console-settings.ts'

export interface ConsoleRouteParts {
  readonly settings: ConsoleSettings
  /** The version of the program. */
  readonly version: string
  readonly providers: readonly LoginProvider[]
  readonly currentSessions: CurrentSessions
  readonly presence: Presence
  /** Whether `/echo` has templates. */
  readonly hasTemplates: boolean
  readonly originOf: OriginReader
  /** Called for every page before it is sent. */
  readonly rendering?: ContentParts['rendering']
}

/** Nothing from other hosts, and no framing. Only what the console made itself is shown in frames: PDFs. */
const consolePolicy: ContentPolicy = {
  'default-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data: blob:",
  'frame-src': 'blob:',
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
}

/** Throws CONTENT_MISSING if it was not built. */
export async function consoleRoutes(parts: ConsoleRouteParts): Promise<readonly Route[]> {
  const { settings, version, providers, currentSessions, presence, originOf, hasTemplates } = parts
  const { path, folder } = settings
  await requireConsole(folder)
  const page = new PageFile(join(folder, 'index.html'))

  async function sendPage(request: FastifyRequest, reply: FastifyReply) {
    // The page is at any depth, and its bundler did not know the path.
    const html = (await page.text()).replaceAll('="./', `="${path}/`)
    const query = request.query as Readonly<Record<string, unknown>>
    await parts.rendering?.({ query, params: {} }, request, reply)
    return sendDocument(reply, (nonce) => withNonce(html, nonce), consolePolicy)
  }

  return [
    {
      path,
      access: 'open',
      methods: { GET: async (request, reply) => reply.redirect(consoleAddress(path, request)) },
    },
    {
      path: `${path}/session`,
      access: 'open',
      methods: {
        async GET({ headers }) {
          if (originOf(headers) === 'foreign') throw new AppError('CROSS_SITE_REFUSED')
          const found = currentSessions.loginOf(await currentSessions.sessionOf(headers.cookie))
          return consoleSessionOf(await presence.confirm(found, 0), providers, {
            path,
            version,
            hasTemplates,
          })
        },
      },
    },
    {
      path: `${path}/*`,
      access: 'open',
      methods: {
        async GET(request, reply) {
          const file = request.path.slice(path.length)
          // With a login by accounts of the gateway these calls are forwarded.
          if (`${request.path}/`.startsWith(`${gatewayPathOf(path)}/`)) {
            throw new AppError('NOT_FOUND', { detail: noLogin })
          }
          if (!file.endsWith('.html') && (await hasFile(folder, file))) {
            return reply.header('cache-control', cacheControlOf(file)).sendFile(file.slice(1), folder)
          }
          if (file.startsWith('/assets/')) throw new AppError('NOT_FOUND')
          return sendPage(request, reply)
        },
      },
    },
  ]
}

/** Whether a path is below that of the console: its page is at any path, which may hold encoded slashes. */
export function isBelowConsole(path: string, settings: ConsoleSettings | undefined): boolean {
  return settings !== undefined && path.startsWith(`${settings.path}/`)
}

/** Where the console begins, with the query of a request. */
export function consoleAddress(path: string, { raw }: FastifyRequest): string {
  const { url = '' } = raw
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
  return `${path}/${query}`
}
