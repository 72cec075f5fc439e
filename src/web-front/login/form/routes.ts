/** Logging in by forms of the web front. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import { clientAddressOf } from '../../../http/client-address.ts'
import { formPolicy, sendDocument } from '../../../http/document.ts'
import type { Route } from '../../../http/routes.ts'
import { newSecret } from '../../session/secret.ts'
import { firstLoginRoute } from '../first/routes.ts'
import type { LoginAttempt } from '../login-attempts.ts'
import type { LoginProvider } from '../login-provider.ts'
import type { FormOutcome, FormStrategy, Kept, LoginForm } from '../login-strategy.ts'
import { formPage, recoveryCodesPage } from '../pages.ts'
import {
  enter,
  explained,
  fieldOf,
  type LoginRouteParts,
  loginHintOf,
  observeFailure,
  pathOf,
  startSession,
  wantedPath,
} from '../routes-shared.ts'

/** `/auth/<name>` with a form, and `/auth/<name>/first`. */
export function formRoutes(
  strategy: FormStrategy,
  provider: LoginProvider,
  parts: LoginRouteParts,
): readonly Route[] {
  return [
    {
      path: pathOf(provider),
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: (request, reply) => showForm(strategy, provider, request, reply, parts),
        POST: (request, reply) => readForm(strategy, provider, request, reply, parts),
      },
    },
    ...passkeyRoutes(strategy, provider),
    ...firstLoginRoutes(strategy, provider, parts),
  ]
}

const passkeyPathOf = (provider: LoginProvider) => `${pathOf(provider)}/passkey`

/** Where the script of the form asks for the options of a passkey. */
function passkeyRoutes({ passkeyOptions }: FormStrategy, provider: LoginProvider): readonly Route[] {
  if (passkeyOptions === undefined) return []
  return [
    {
      path: passkeyPathOf(provider),
      access: 'open',
      methods: { GET: () => passkeyOptions() },
    },
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

/** Why a form is shown again. */
interface FormAgain {
  /** Absent for the next form of the login. */
  readonly mistake?: string
  readonly returnTo?: string
  readonly kept?: Kept
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
    kept: again?.kept ?? {},
  }
  const shown = strategy.formFor(attempt.kept)
  const setCookie = await parts.attempts.begin(attempt)
  const form = {
    ...shown,
    action: pathOf(provider),
    state: attempt.state,
    entered: again === undefined ? hintedIn(request, shown) : enteredIn(request.body, strategy, shown),
    ...(again?.mistake === undefined ? {} : { mistake: again.mistake }),
    ...(shown.isNext
      ? { restart: `${pathOf(provider)}?returnTo=${encodeURIComponent(attempt.returnTo)}` }
      : {}),
  }
  const takesPasskeys = strategy.passkeyOptions !== undefined && !shown.isNext
  reply
    .status(again?.status ?? 200)
    .headers(again?.headers ?? {})
    .header('set-cookie', setCookie)
  const written = formPage({ ...form, ...(takesPasskeys ? { passkeyOptions: passkeyPathOf(provider) } : {}) })
  const policy = takesPasskeys ? { ...formPolicy, 'connect-src': "'self'" } : formPolicy
  return sendDocument(reply, written, policy)
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
    const { returnTo, kept } = attempt
    const refuse = (refusal: AppError, mistake: string) => {
      observeFailure(provider, request, refusal, parts)
      const { headers, kind } = refusal
      const again = { mistake, returnTo, kept, status: kind.status, headers }
      return showForm(strategy, provider, request, reply, parts, again)
    }
    const { cookie } = request.headers
    const client = { address: clientAddressOf(request), browsers: parts.knownBrowsers.read(cookie) }
    try {
      const entered = enteredIn(request.body, strategy, strategy.formFor(kept))
      const outcome = await strategy.logIn(entered, client, kept)
      if ('asks' in outcome) {
        const next = { returnTo, kept: outcome.asks, status: 200 }
        return await showForm(strategy, provider, request, reply, parts, next)
      }
      if ('mistake' in outcome) return await refuse(new AppError('LOGON_REFUSED'), outcome.mistake)
      const { identity, browser, recoveryCodes } = outcome
      if (browser !== undefined) reply.header('set-cookie', parts.knownBrowsers.remember(cookie, browser))
      if (recoveryCodes === undefined) return await enter(identity, provider, attempt, request, reply, parts)
      await startSession(identity, provider, attempt, request, reply, parts)
      return sendDocument(reply, recoveryCodesPage(recoveryCodes, returnTo), formPolicy)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LOGON_THROTTLED') throw error
      return refuse(error, error.detail ?? error.kind.title)
    }
  })
}

/** The hint as it is entered into the form: in its first field, which names the account. */
function hintedIn(request: FastifyRequest, { fields: [first] }: LoginForm): Readonly<Record<string, string>> {
  const { loginHint = '' } = loginHintOf(request)
  return first === undefined ? {} : { [first.name]: loginHint }
}

function enteredIn(
  body: unknown,
  { alsoTaken }: FormStrategy,
  { fields }: LoginForm,
): Readonly<Record<string, string>> {
  const names = new Set([...fields.map(({ name }) => name), ...alsoTaken])
  return Object.fromEntries([...names].map((name) => [name, fieldOf(body, name)]))
}
