/** `/auth/<name>/first`: the page at the link for the first log-in, where the password of the first account is chosen. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors/app-error.ts'
import { clientAddressOf } from '../../../http/client-address.ts'
import { formPolicy, sendDocument } from '../../../http/document.ts'
import { messagePage } from '../../../http/page.ts'
import type { Route } from '../../../http/routes.ts'
import type { OriginReader } from '../../../http/same-origin.ts'
import type { Clock } from '../../../util/clock.ts'
import { RateLimit } from '../../../util/rate-limit.ts'
import { spokenWait } from '../../../util/spoken-duration.ts'
import type { ChoosePassword, FormOutcome } from '../login-strategy.ts'
import { type FirstPasswordForm, firstPasswordPage } from '../pages.ts'
import type { FirstLogin } from './first-login.ts'

export interface FirstLoginParts {
  readonly firstLogin: FirstLogin
  readonly originOf: OriginReader
  readonly now: Clock
}

/** A log-in by a form, and how it goes on. */
interface FirstLoginForm {
  /** The path of the log-in page. */
  readonly loginPath: string
  readonly choosePassword: ChoosePassword
  /** Starts the session of who has chosen a password. */
  readonly enter: (
    outcome: Extract<FormOutcome, { readonly identity: object }>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<FastifyReply>
}

/** Uses of the link a minute from one address. */
const usesPerMinute = 20

export function firstLoginRoute(form: FirstLoginForm, parts: FirstLoginParts): Route {
  const limit = new RateLimit(usesPerMinute, 60_000, parts.now)
  const path = `${form.loginPath}/first`
  const show = (reply: FastifyReply, again: Pick<FirstPasswordForm, 'code' | 'mistake'>) => {
    const username = parts.firstLogin.offeredTo()
    if (username === undefined) return showOver(reply, form)
    if (again.mistake !== undefined) reply.status(422)
    return sendDocument(reply, firstPasswordPage({ action: path, username, ...again }), formPolicy)
  }
  return {
    path,
    access: 'open',
    bodySize: 'form',
    methods: {
      GET: async (_request, reply) => show(reply, {}),
      async POST(request, reply) {
        if (parts.originOf(request.headers) === 'foreign') throw new AppError('CROSS_SITE_REFUSED')
        const address = clientAddressOf(request)
        const retryAfter = limit.take(address)
        if (retryAfter > 0) {
          const detail = `This link was tried too often. Try again in ${spokenWait(retryAfter)}.`
          const headers = { 'retry-after': String(retryAfter) }
          throw new AppError('LOGON_THROTTLED', { detail, headers })
        }
        const { code, next, again } = enteredIn(request.body)
        if (next !== again) {
          const mistake = 'The two passwords are different. Enter the same one twice.'
          return show(reply, { code, mistake })
        }
        const client = { address, browsers: [] }
        const chosen = await parts.firstLogin.use(code, (account) =>
          form.choosePassword(account, next, client),
        )
        const isOver = chosen === undefined || chosen === 'passwordChanged' || 'asks' in chosen
        if (isOver) return showOver(reply, form)
        if ('mistake' in chosen) return show(reply, { code, mistake: chosen.mistake })
        return form.enter(chosen, request, reply)
      },
    },
  }
}

function showOver(reply: FastifyReply, { loginPath: url }: FirstLoginForm): FastifyReply {
  const text =
    'It was used, is older than 15 minutes, or the program was started again. Log in with the password that was printed, or that was chosen with the link.'
  const link = { label: 'Log in', url }
  return sendDocument(
    reply.status(410),
    messagePage({ title: 'This link is no longer good', text, link }),
    formPolicy,
  )
}

function enteredIn(body: unknown) {
  const entered = (body ?? {}) as Readonly<Record<string, unknown>>
  const text = (name: string) => {
    const value = Object.hasOwn(entered, name) ? entered[name] : undefined
    return typeof value === 'string' ? value : ''
  }
  return { code: text('code'), next: text('next'), again: text('again') }
}
