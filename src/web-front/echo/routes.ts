/** `/echo`: a file that the browser downloads, made from a template of the configuration and params. */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EchoService, MadeFile } from '../../echo/echo-service.ts'
import { attachmentOf } from '../../echo/file-name.ts'
import type { SentJob } from '../../echo/template/read-job.ts'
import { AppError } from '../../errors/app-error.ts'
import { clientGone } from '../../http/client-gone.ts'
import type { Route } from '../../http/routes.ts'
import type { OriginReader } from '../../http/same-origin.ts'
import type { LoginProvider } from '../login/login-provider.ts'
import { type CurrentSessions, loginRequired } from '../session/current-sessions.ts'
import type { Presence } from '../session/presence.ts'
import { readMultipart } from './read-multipart.ts'

export interface EchoRouteParts {
  readonly echo: EchoService
  readonly currentSessions: CurrentSessions
  readonly presence: Presence
  readonly providers: readonly LoginProvider[]
  readonly originOf: OriginReader
}

/** The date of the deprecation: https://www.rfc-editor.org/rfc/rfc9745 */
const deprecatedSince = Date.UTC(2026, 0, 1) / 1000

export function echoRoutes(parts: EchoRouteParts): readonly Route[] {
  const respond = async (
    request: FastifyRequest,
    reply: FastifyReply,
    job: () => SentJob | Promise<SentJob>,
  ) => {
    reply.header('deprecation', `@${deprecatedSince}`)
    await admit(request, parts)
    const client = { requestId: request.id, signal: clientGone(reply) }
    try {
      await parts.echo.make(await job(), client, (file) => send(file, reply))
    } catch (error) {
      // A client that has left needs no response. If the head was sent, the client sees that the file is incomplete.
      if (!reply.sent && !client.signal.aborted) throw error
    }
    return reply
  }
  return [
    {
      path: '/echo',
      access: 'open',
      body: 'bytes',
      bodySize: 'data',
      methods: {
        GET: (request, reply) => respond(request, reply, () => queryJob(request)),
        POST: (request, reply) => respond(request, reply, () => bodyJob(request)),
      },
    },
    ...(parts.providers.length === 0 ? [] : [templateListRoute(parts)]),
  ]
}

/** `/echo/templates`: names for those who are logged in, to choose from. */
function templateListRoute(parts: EchoRouteParts): Route {
  return {
    path: '/echo/templates',
    access: 'open',
    methods: {
      async GET(request, reply) {
        reply.header('deprecation', `@${deprecatedSince}`)
        await admit(request, parts)
        return parts.echo.templates
      },
    },
  }
}

/** A file may hold data of its user, so other sites must not be able to request it. */
async function admit({ headers }: FastifyRequest, parts: EchoRouteParts): Promise<void> {
  const { currentSessions, presence, providers, originOf } = parts
  if (originOf(headers) === 'foreign') throw new AppError('CROSS_SITE_REFUSED')
  if (providers.length === 0) return
  const loggedIn = currentSessions.loginOf(await currentSessions.sessionOf(headers.cookie))
  if ((await presence.confirm(loggedIn, 1000)) === undefined) throw loginRequired(providers)
}

function queryJob({ raw }: FastifyRequest): SentJob {
  const [, ...rest] = (raw.url ?? '').split('?')
  return { kind: 'form', bytes: Buffer.from(rest.join('?')) }
}

async function bodyJob({ body, headers }: FastifyRequest): Promise<SentJob> {
  const { 'content-type': contentType = '' } = headers
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (/^\s*multipart\/form-data\b/i.test(contentType)) {
    return { kind: 'json', bytes: Buffer.from(JSON.stringify(await readMultipart(contentType, bytes))) }
  }
  const isForm = /^\s*application\/x-www-form-urlencoded\b/i.test(contentType)
  return { kind: isForm ? 'form' : 'json', bytes }
}

async function send({ fileName, mediaType, length, content }: MadeFile, reply: FastifyReply): Promise<void> {
  reply.headers({
    'content-type': mediaType,
    'content-disposition': attachmentOf(fileName),
    // If a browser shows it all the same, it has no origin.
    'content-security-policy': "sandbox; default-src 'none'",
    ...(length === undefined ? {} : { 'content-length': length }),
  })
  const sent = finished(reply.raw)
  void reply.send(Readable.from(content, { objectMode: false }))
  await sent
}
