/** Logging in: `/auth`, `/auth/<name>`, and `/auth/<name>/callback`, to which providers redirect browsers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { formPolicy, sendDocument } from '../../http/document.ts'
import type { Route } from '../../http/routes.ts'
import { printed } from '../oauth/printed.ts'
import { newSecret } from '../session/secret.ts'
import { formRoutes } from './form/routes.ts'
import type { LoginAttempt } from './login-attempts.ts'
import { loginFailure } from './login-failures.ts'
import { callbackAddress } from './login-paths.ts'
import type { LoginProvider } from './login-provider.ts'
import { chooserPage } from './pages.ts'
import {
  enter,
  explained,
  fieldOf,
  type LoginRouteParts,
  loginHintOf,
  pathOf,
  wantedPath,
} from './routes-shared.ts'

export function loginRoutes(parts: LoginRouteParts): readonly Route[] {
  const { providers } = parts
  return [
    {
      path: '/auth',
      access: 'open',
      bodySize: 'form',
      methods: { GET: async (request, reply) => choose(request, reply, parts) },
    },
    ...providers.flatMap((provider) => routesOf(provider, parts)),
  ]
}

function routesOf(provider: LoginProvider, parts: LoginRouteParts): readonly Route[] {
  const path = pathOf(provider)
  const { strategy } = provider
  if (strategy.kind === 'form') return formRoutes(strategy, provider, parts)
  const { groupToEnd } = strategy
  return [
    {
      path,
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: (request, reply) =>
          explained(provider, request, reply, parts, async () => {
            const state = newSecret()
            const redirectUri = callbackAddress(parts.baseUrl(), provider.name)
            const { url, kept } = await strategy.begin({ redirectUri, state, ...loginHintOf(request) })
            const attempt = { provider: provider.name, state, returnTo: wantedPath(request, parts), kept }
            return reply.header('set-cookie', await parts.attempts.begin(attempt)).redirect(url, 303)
          }),
      },
    },
    {
      path: `${path}/callback`,
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: (request, reply) =>
          explained(provider, request, reply, parts, async () => {
            const attempt = await attemptOf(request, provider, parts)
            const callbackUrl = new URL(`${parts.baseUrl()}${request.raw.url}`)
            const { kept } = attempt
            const identity = await strategy.complete({ callbackUrl, state: attempt.state, kept })
            return enter(identity, provider, attempt, request, reply, parts)
          }),
      },
    },
    ...(groupToEnd === undefined
      ? []
      : [
          {
            path: `${path}/backchannel-logout`,
            access: 'open' as const,
            bodySize: 'form' as const,
            methods: {
              POST: async (request: FastifyRequest, reply: FastifyReply) => {
                const group = await groupToEnd(fieldOf(request.body, 'logout_token'))
                const count = await parts.sessions.endGroup(group)
                parts.observe({
                  kind: 'SessionsEnded',
                  provider: provider.name,
                  count,
                  requestId: request.id,
                })
                return reply.status(200).send()
              },
            },
          },
        ]),
  ]
}

function choose(request: FastifyRequest, reply: FastifyReply, parts: LoginRouteParts): FastifyReply {
  const [first, second] = parts.providers
  if (first === undefined) throw new AppError('NOT_FOUND')
  const { loginHint } = loginHintOf(request)
  const hint = loginHint === undefined ? '' : `&login_hint=${encodeURIComponent(loginHint.toWellFormed())}`
  const query = `?returnTo=${encodeURIComponent(wantedPath(request, parts))}${hint}`
  if (second === undefined) return reply.redirect(pathOf(first) + query, 303)
  const links = parts.providers.map((provider) => ({ label: provider.label, url: pathOf(provider) + query }))
  return sendDocument(reply, chooserPage(links), formPolicy)
}

/** The attempt that an answer of a provider belongs to. Throws LOGIN_FAILED. */
async function attemptOf(
  { query, headers }: FastifyRequest,
  provider: LoginProvider,
  { attempts }: LoginRouteParts,
): Promise<LoginAttempt> {
  const { state, error } = query as Readonly<Record<string, unknown>>
  if (typeof state !== 'string') {
    // Some providers report a mistake in the request without its state.
    const found = typeof error === 'string' ? `The provider answered ${printed(error)}, without a state.` : ''
    throw loginFailure('notBegun', { found })
  }
  const attempt = await attempts.take(state, headers.cookie)
  if (typeof attempt === 'string') throw loginFailure(attempt)
  if (attempt.provider === provider.name) return attempt
  throw loginFailure('otherClaim', { found: 'The answer to another login provider came to this callback.' })
}
