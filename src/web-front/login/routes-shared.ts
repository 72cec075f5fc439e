/** What all logins share: where they begin, how they end, and how a failed one is explained. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors/app-error.ts'
import { type DocumentWriter, formPolicy, sendDocument } from '../../http/document.ts'
import type { KnownBrowsers } from '../../http/known-browsers.ts'
import { messagePage } from '../../http/page.ts'
import type { Observer } from '../../observe/events.ts'
import type { CurrentSessions } from '../session/current-sessions.ts'
import type { Sessions } from '../session/sessions.ts'
import type { FirstLoginParts } from './first/routes.ts'
import { giveUpTokens, type LogInParts, logIn } from './log-in.ts'
import type { LoginAttempt, LoginAttempts } from './login-attempts.ts'
import { loginPath } from './login-paths.ts'
import type { LoginProvider } from './login-provider.ts'
import type { Identity } from './login-strategy.ts'
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

/** The end of a successful login: a new session, in place of the one before. */
export async function startSession(
  identity: Identity,
  provider: LoginProvider,
  { state }: LoginAttempt,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: LoginRouteParts,
): Promise<void> {
  const { currentSessions, attempts, observe } = parts
  const previous = await currentSessions.sessionOf(request.headers.cookie)
  const before = currentSessions.loginOf(previous)
  const { setCookie } = await logIn(identity, provider, previous, parts)
  if (before !== undefined) await giveUpTokens(before.login, before.provider)
  const { account_id: account } = identity.account
  observe({ kind: 'LoginSucceeded', provider: provider.name, account, requestId: request.id })
  reply.header('set-cookie', [setCookie, attempts.forgetCookie(state)])
}

/** Starts the session, and the browser goes where it wanted to. */
export async function enter(
  identity: Identity,
  provider: LoginProvider,
  attempt: LoginAttempt,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: LoginRouteParts,
): Promise<FastifyReply> {
  await startSession(identity, provider, attempt, request, reply, parts)
  return reply.redirect(attempt.returnTo, 303)
}

/** Shows a page that says what went wrong with a login, and offers to start again. */
export async function explained(
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

/** Reports a failed login. */
export function observeFailure(
  { name: provider }: LoginProvider,
  { id: requestId }: FastifyRequest,
  error: AppError,
  { observe }: LoginRouteParts,
): void {
  observe({ kind: 'LoginFailed', provider, code: error.code, error: error.cause ?? error, requestId })
}

/** Who probably logs in: the provider, or the form here, may fill in the name. */
export function loginHintOf({ query }: FastifyRequest): { readonly loginHint?: string } {
  const { login_hint: hint } = query as Readonly<Record<string, unknown>>
  return typeof hint === 'string' && hint !== '' && hint.length <= 320 ? { loginHint: hint } : {}
}

/** Where the browser goes after login. */
export function wantedPath({ query }: FastifyRequest, { home, mayHoldSlashes }: LoginRouteParts): string {
  return returnPath((query as Readonly<Record<string, unknown>>).returnTo, home, mayHoldSlashes)
}

/** A text in a form; '' if it has none. */
export function fieldOf(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return ''
  const value = (body as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}

/** Where a login begins. */
export function pathOf({ name }: LoginProvider): string {
  return loginPath(name)
}
