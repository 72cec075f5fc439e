/** `/logout` and `/signout`: the session ends here, and at the login provider only if that is configured. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { formPolicy, sendDocument } from '../../http/document.ts'
import { messagePage } from '../../http/page.ts'
import type { Route } from '../../http/routes.ts'
import type { OriginReader } from '../../http/same-origin.ts'
import type { Observer } from '../../observe/events.ts'
import { giveUpTokens } from '../login/log-in.ts'
import type { CurrentSessions, LoggedIn } from '../session/current-sessions.ts'
import type { Sessions } from '../session/sessions.ts'

export interface LogoutRouteParts {
  readonly sessions: Sessions
  readonly currentSessions: CurrentSessions
  readonly originOf: OriginReader
  readonly baseUrl: () => string
  /** Where browsers go afterwards: a path of this origin or an address. */
  readonly afterLogout: string
  readonly observe: Observer
}

export function logoutRoutes(parts: LogoutRouteParts): readonly Route[] {
  return ['/logout', '/signout'].map((path) => ({
    path,
    access: 'open',
    bodySize: 'form',
    methods: {
      async POST(request, reply) {
        if (parts.originOf(request.headers) === 'foreign') throw new AppError('CROSS_SITE_REFUSED')
        await endSession(request, reply, parts)
        return reply.status(204).send()
      },
      async GET(request, reply) {
        if (parts.originOf(request.headers) === 'foreign') return offer(path, reply)
        const loggedIn = await endSession(request, reply, parts)
        return reply.redirect(await nextAddress(loggedIn, parts), 303)
      },
    },
  }))
}

/** A page of another site sent the browser here: the user has to confirm (protection against CSRF). */
function offer(path: string, reply: FastifyReply): FastifyReply {
  const page = messagePage({
    title: 'Log out?',
    text: 'Another site has sent you here. You are still logged in.',
    link: { label: 'Log out', url: path },
  })
  return sendDocument(reply, page, formPolicy)
}

async function endSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { sessions, currentSessions, observe }: LogoutRouteParts,
): Promise<LoggedIn | undefined> {
  const session = await currentSessions.sessionOf(request.headers.cookie)
  const loggedIn = currentSessions.loginOf(session)
  const ended = session === undefined ? undefined : await sessions.end(session)
  reply.headers({ 'set-cookie': sessions.forgetCookie(), 'clear-site-data': '"cache"' })
  if (loggedIn === undefined) return undefined
  observe({ kind: 'SessionsEnded', provider: loggedIn.provider.name, count: 1, requestId: request.id })
  const last = { ...loggedIn, login: ended?.login ?? loggedIn.login }
  await giveUpTokens(last.login, last.provider)
  return last
}

async function nextAddress(
  loggedIn: LoggedIn | undefined,
  { afterLogout, baseUrl }: LogoutRouteParts,
): Promise<string> {
  if (loggedIn === undefined) return afterLogout
  const { strategy } = loggedIn.provider
  if (strategy.kind === 'form') return afterLogout
  const back = new URL(afterLogout, `${baseUrl()}/`).href
  const atProvider = await strategy.logoutUrl?.(loggedIn.login.providerTokens, back)
  return atProvider ?? afterLogout
}
