/** `/session/…`: the other sessions of who is logged in, in any session store. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import type { Route } from '../../../http/routes.ts'
import type { OriginReader } from '../../../http/same-origin.ts'
import type { Observer } from '../../../observe/events.ts'
import type { GatewayClient } from '../../gateway/gateway-client.ts'
import { giveUpTokens } from '../../login/log-in.ts'
import type { LoginProvider } from '../../login/login-provider.ts'
import { type CurrentSessions, type LoggedIn, loginRequired } from '../current-sessions.ts'
import type { Presence } from '../presence.ts'
import { accountGroup, missingSession, tokenHashesOf } from '../session-lists.ts'
import type { Sessions } from '../sessions.ts'
import { showListedSession } from '../show-listed-session.ts'

export interface OwnSessionParts {
  readonly sessions: Sessions
  readonly currentSessions: CurrentSessions
  readonly presence: Presence
  readonly providers: readonly LoginProvider[]
  /** Absent without a gateway. */
  readonly gateway: Pick<GatewayClient, 'endOwnTokens'> | undefined
  readonly originOf: OriginReader
  readonly observe: Observer
}

/** How many sessions one list shows. */
const listed = 1000
/** How long it is assumed that an account still exists, in milliseconds. */
const trustMs = 1000

export function ownSessionRoutes(parts: OwnSessionParts): readonly Route[] {
  return [
    {
      path: '/session/all',
      access: 'open',
      methods: {
        async GET(request) {
          const { login, session } = await loggedInOf(request, parts)
          const own = await parts.sessions.list([accountGroup(login)], { limit: listed })
          return own.map((one) => ({ ...showListedSession(one), current: one.key === session.id }))
        },
      },
    },
    {
      path: '/session/:id',
      access: 'open',
      bodySize: 'form',
      methods: {
        async DELETE(request, reply) {
          const loggedIn = await loggedInOf(request, parts)
          const { id } = request.params as { readonly id: string }
          if (id === loggedIn.session.id) await endOwn(loggedIn, reply, parts)
          else await endOther(id, loggedIn, parts)
          const provider = loggedIn.provider.name
          parts.observe({ kind: 'SessionsEnded', provider, count: 1, requestId: request.id })
          return reply.status(204).send()
        },
      },
    },
  ]
}

async function loggedInOf(
  { headers }: FastifyRequest,
  { originOf, currentSessions, presence, providers }: OwnSessionParts,
): Promise<LoggedIn> {
  if (originOf(headers) === 'foreign') throw new AppError('CROSS_SITE_REFUSED')
  const found = currentSessions.loginOf(await currentSessions.sessionOf(headers.cookie))
  const loggedIn = await presence.confirm(found, trustMs)
  if (loggedIn === undefined) throw loginRequired(providers)
  return loggedIn
}

async function endOwn(
  { session, login, provider }: LoggedIn,
  reply: FastifyReply,
  { sessions }: OwnSessionParts,
): Promise<void> {
  const ended = await sessions.end(session)
  reply.header('set-cookie', sessions.forgetCookie())
  await giveUpTokens(ended?.login ?? login, provider)
}

async function endOther(
  id: string,
  { login }: LoggedIn,
  { sessions, gateway }: OwnSessionParts,
): Promise<void> {
  const other = await sessions.find(id, [accountGroup(login)])
  if (other === undefined || !(await sessions.endById(id))) throw missingSession()
  const token = login.gateway?.token
  const hashes = tokenHashesOf(other)
  if (token === undefined || hashes.length === 0) return
  // If the gateway cannot be reached, the tokens stay valid until they expire: no browser has the session any more.
  await gateway?.endOwnTokens(token, hashes).catch(() => undefined)
}
