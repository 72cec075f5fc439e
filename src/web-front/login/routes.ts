/** Logging in: `/auth`, `/auth/<name>`, and `/auth/<name>/callback`, to which providers redirect browsers. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { clientAddressOf } from '../../http/client-address.ts'
import { type DocumentWriter, formPolicy, sendDocument } from '../../http/document.ts'
import { messagePage } from '../../http/page.ts'
import type { Route } from '../../http/routes.ts'
import type { Observer } from '../../observe/events.ts'
import { printed } from '../oauth/printed.ts'
import type { CurrentSessions } from '../session/current-sessions.ts'
import { newSecret } from '../session/secret.ts'
import type { Sessions } from '../session/sessions.ts'
import { type FirstLoginParts, firstLoginRoute } from './first/routes.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import { giveUpTokens, type LogInParts, logIn } from './log-in.ts'
import type { LoginAttempt, LoginAttempts } from './login-attempts.ts'
import { loginFailure } from './login-failures.ts'
import { callbackAddress, loginPath } from './login-paths.ts'
import type { LoginProvider } from './login-provider.ts'
import type { FormOutcome, FormStrategy, Identity } from './login-strategy.ts'
import { chooserPage, formPage } from './pages.ts'
import { returnPath } from './return-path.ts'

export interface LoginRouteParts extends LogInParts, FirstLoginParts {
  readonly providers: readonly LoginProvider[]
  readonly sessions: Sessions
  readonly currentSessions: CurrentSessions
  readonly attempts: LoginAttempts
  readonly knownBrowsers: KnownBrowsers
  /** The address that browsers use. */
  readonly baseUrl: () => string
  /** Where to go by default. */
  readonly home: string
  /** Which paths of pages may hold encoded slashes. */
  readonly mayHoldSlashes: (encodedPath: string) => boolean
  readonly observe: Observer
}

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
  if (strategy.kind === 'form') {
    return [
      {
        path,
        access: 'open',
        bodySize: 'form',
        methods: {
          GET: (request, reply) => showForm(strategy, provider, request, reply, parts),
          POST: (request, reply) => readForm(strategy, provider, request, reply, parts),
        },
      },
      ...firstLoginRoutes(strategy, provider, parts),
    ]
  }
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

/** Where the password of the first account is chosen. */
function firstLoginRoutes(
  { choosePassword }: FormStrategy,
  provider: LoginProvider,
  parts: LoginRouteParts,
): readonly Route[] {
  if (choosePassword === undefined) return []
  const form = {
    loginPath: pathOf(provider),
    choosePassword,
    async enter({ identity, browser }: LoggedInByForm, request: FastifyRequest, reply: FastifyReply) {
      if (browser !== undefined) {
        reply.header('set-cookie', parts.knownBrowsers.remember(request.headers.cookie, browser))
      }
      const attempt = { provider: provider.name, state: newSecret(), returnTo: parts.home, kept: {} }
      return enter(identity, provider, attempt, request, reply, parts)
    },
  }
  return [firstLoginRoute(form, parts)]
}

type LoggedInByForm = Extract<FormOutcome, { readonly identity: object }>

function choose(request: FastifyRequest, reply: FastifyReply, parts: LoginRouteParts): FastifyReply {
  const [first, second] = parts.providers
  if (first === undefined) throw new AppError('NOT_FOUND')
  const query = `?returnTo=${encodeURIComponent(wantedPath(request, parts))}`
  if (second === undefined) return reply.redirect(pathOf(first) + query, 303)
  const links = parts.providers.map((provider) => ({ label: provider.label, url: pathOf(provider) + query }))
  return sendDocument(reply, chooserPage(links), formPolicy)
}

/** Why a form is shown again. */
interface FormAgain {
  readonly mistake: string
  readonly returnTo?: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

async function showForm(
  strategy: FormStrategy,
  provider: LoginProvider,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: LoginRouteParts,
  again?: FormAgain,
): Promise<FastifyReply> {
  const attempt: LoginAttempt = {
    provider: provider.name,
    state: newSecret(),
    returnTo: again?.returnTo ?? wantedPath(request, parts),
    kept: {},
  }
  const setCookie = await parts.attempts.begin(attempt)
  const form = {
    action: pathOf(provider),
    fields: strategy.fields,
    state: attempt.state,
    entered: enteredIn(request.body, strategy),
    ...(again === undefined ? {} : { mistake: again.mistake }),
  }
  reply
    .status(again?.status ?? 200)
    .headers(again?.headers ?? {})
    .header('set-cookie', setCookie)
  return sendDocument(reply, formPage(form), formPolicy)
}

async function readForm(
  strategy: FormStrategy,
  provider: LoginProvider,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: LoginRouteParts,
): Promise<FastifyReply> {
  if (parts.originOf(request.headers) === 'foreign') throw new AppError('CROSS_SITE_REFUSED')
  return explained(provider, request, reply, parts, async () => {
    const attempt = await parts.attempts.take(fieldOf(request.body, 'state'), request.headers.cookie)
    if (typeof attempt === 'string' || attempt.provider !== provider.name) {
      const mistake = 'The form was open for too long, or your browser blocks cookies. Please try again.'
      return showForm(strategy, provider, request, reply, parts, { mistake, status: 400 })
    }
    const { returnTo } = attempt
    const refuse = (refusal: AppError, mistake: string) => {
      observeFailure(provider, request, refusal, parts)
      const { headers, kind } = refusal
      const again = { mistake, returnTo, status: kind.status, headers }
      return showForm(strategy, provider, request, reply, parts, again)
    }
    const { cookie } = request.headers
    const client = { address: clientAddressOf(request), browsers: parts.knownBrowsers.read(cookie) }
    try {
      const outcome = await strategy.logIn(enteredIn(request.body, strategy), client)
      if ('mistake' in outcome) return await refuse(new AppError('LOGON_REFUSED'), outcome.mistake)
      const { identity, browser } = outcome
      if (browser !== undefined) reply.header('set-cookie', parts.knownBrowsers.remember(cookie, browser))
      return await enter(identity, provider, attempt, request, reply, parts)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LOGON_THROTTLED') throw error
      return refuse(error, error.detail ?? error.kind.title)
    }
  })
}

/** The end of a successful login: a new session, and the browser goes where it wanted to. */
async function enter(
  identity: Identity,
  provider: LoginProvider,
  { state, returnTo }: LoginAttempt,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: LoginRouteParts,
): Promise<FastifyReply> {
  const { currentSessions, attempts, observe } = parts
  const previous = await currentSessions.sessionOf(request.headers.cookie)
  const before = currentSessions.loginOf(previous)
  const { setCookie } = await logIn(identity, provider, previous, parts)
  if (before !== undefined) await giveUpTokens(before.login, before.provider)
  const { account_id: account } = identity.account
  observe({ kind: 'LoginSucceeded', provider: provider.name, account, requestId: request.id })
  return reply.header('set-cookie', [setCookie, attempts.forgetCookie(state)]).redirect(returnTo, 303)
}

/** Shows a page that says what went wrong with a login, and offers to start again. */
async function explained(
  provider: LoginProvider,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: LoginRouteParts,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    const appError = error instanceof AppError ? error : new AppError('INTERNAL', { cause: error })
    observeFailure(provider, request, appError, parts)
    reply.status(appError.kind.status).headers(appError.headers)
    return sendDocument(reply, failurePage(appError, pathOf(provider), request.id), formPolicy)
  }
}

function failurePage({ kind, detail }: AppError, url: string, requestId: string): DocumentWriter {
  return messagePage({
    title: 'You are not logged in',
    text: detail ?? kind.title,
    link: { label: 'Try again', url },
    requestId,
  })
}

function observeFailure(
  { name: provider }: LoginProvider,
  { id: requestId }: FastifyRequest,
  error: AppError,
  { observe }: LoginRouteParts,
): void {
  observe({ kind: 'LoginFailed', provider, code: error.code, error: error.cause ?? error, requestId })
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

/** Names the person to the provider, which may fill in its form. */
function loginHintOf({ query }: FastifyRequest): { readonly loginHint?: string } {
  const { login_hint: hint } = query as Readonly<Record<string, unknown>>
  return typeof hint === 'string' && hint !== '' && hint.length <= 320 ? { loginHint: hint } : {}
}

function wantedPath({ query }: FastifyRequest, { home, mayHoldSlashes }: LoginRouteParts): string {
  return returnPath((query as Readonly<Record<string, unknown>>).returnTo, home, mayHoldSlashes)
}

function enteredIn(body: unknown, { fields, alsoTaken }: FormStrategy): Readonly<Record<string, string>> {
  const names = new Set([...fields.map(({ name }) => name), ...alsoTaken])
  return Object.fromEntries([...names].map((name) => [name, fieldOf(body, name)]))
}

function fieldOf(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return ''
  const value = (body as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}

function pathOf({ name }: LoginProvider): string {
  return loginPath(name)
}
