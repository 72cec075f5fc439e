/**
 * `/manage/sessions`: the sessions of everyone, for those whose role at the gateway allows the method on this path. The
 * gateway decides; the web front has the sessions.
 */
import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { refuse, strictObject } from '../../../documents/document-schema.ts'
import { parseDocument } from '../../../documents/parse-document.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Route } from '../../../http/routes.ts'
import type { OriginReader } from '../../../http/same-origin.ts'
import type { Observer } from '../../../observe/events.ts'
import type { GatewayClient } from '../../gateway/gateway-client.ts'
import type { LoginProvider } from '../../login/login-provider.ts'
import { type CurrentSessions, loginRequired } from '../current-sessions.ts'
import type { Presence } from '../presence.ts'
import { accountGroup, everyoneGroup, missingSession, tokenHashesOf } from '../session-lists.ts'
import type { ListedSession, SessionPage } from '../session-store.ts'
import type { Sessions } from '../sessions.ts'
import { showListedSession } from '../show-listed-session.ts'

export interface ManageSessionParts {
  readonly sessions: Sessions
  readonly currentSessions: CurrentSessions
  readonly presence: Presence
  readonly providers: readonly LoginProvider[]
  readonly gateway: Pick<GatewayClient, 'mayCall' | 'endTokens'>
  readonly originOf: OriginReader
  readonly baseUrl: () => string
  readonly observe: Observer
}

const path = '/manage/sessions'
const mostListed = 1000
/** How long it is assumed that an account still exists, in milliseconds. */
const trustMs = 1000

const listQuery = strictObject({
  account: v.optional(v.string()),
  limit: v.pipe(v.optional(v.string(), '100'), refuse(limitMistake), v.transform(Number)),
  after: v.optional(v.string()),
})
const endQuery = v.pipe(
  strictObject({ id: v.optional(v.string()), account: v.optional(v.string()) }),
  refuse(({ id, account }) =>
    (id === undefined) === (account === undefined)
      ? 'Name the "id" of one session, or an "account" whose sessions are to end.'
      : undefined,
  ),
)

export function manageSessionRoutes(parts: ManageSessionParts): readonly Route[] {
  const { sessions, baseUrl } = parts
  return [
    {
      path,
      access: 'open',
      bodySize: 'form',
      methods: {
        async GET(request, reply) {
          const { account, limit, after } = parseDocument(listQuery, request.query, 'PARAMETER_INVALID')
          await requireAllowed(request, parts)
          const found = await sessions.list(groupsOf(account, parts), {
            limit: limit + 1,
            ...cursorIn(after),
          })
          const shown = found.slice(0, limit)
          const last = shown.at(-1)
          if (found.length > limit && last !== undefined) {
            const next = new URLSearchParams({ ...(request.query as object), after: cursorOf(last) })
            reply.header('link', `<${baseUrl()}${path}?${next}>; rel="next"`)
          }
          return shown.map(showForAdministrators)
        },

        async DELETE(request) {
          const { id, account } = parseDocument(endQuery, request.query, 'PARAMETER_INVALID')
          const token = await requireAllowed(request, parts)
          const wanted =
            id === undefined
              ? await sessions.list(groupsOf(account, parts), { limit: mostListed })
              : [await sessions.find(id, [everyoneGroup])].filter((one) => one !== undefined)
          if (id !== undefined && wanted.length === 0) throw missingSession()
          let ended = 0
          for (const one of wanted) if (await end(one, token, parts)) ended += 1
          if (ended > 0) {
            const provider = wanted[0]?.summary?.provider ?? ''
            parts.observe({ kind: 'SessionsEnded', provider, count: ended, requestId: request.id })
          }
          return { ended }
        },
      },
    },
  ]
}

/** The token of a caller whose role allows the request: sent with it, or that of its session. */
async function requireAllowed(
  { headers, method }: FastifyRequest,
  { originOf, currentSessions, presence, providers, gateway }: ManageSessionParts,
): Promise<string> {
  const sent = headers['x-xaas-auth-token']
  if (typeof sent === 'string' && sent !== '') {
    if (!/^[\x21-\x7e]{1,200}$/.test(sent)) throw new AppError('TOKEN_INVALID')
    const isAllowed = await gateway.mayCall(sent, method, path)
    if (isAllowed === undefined) throw new AppError('TOKEN_INVALID')
    if (!isAllowed) throw new AppError('ROLE_NOT_ALLOWED')
    return sent
  }
  if (originOf(headers) === 'foreign') throw new AppError('CROSS_SITE_REFUSED')
  const found = currentSessions.loginOf(await currentSessions.sessionOf(headers.cookie))
  const loggedIn = await presence.confirm(found, trustMs)
  if (loggedIn === undefined) throw loginRequired(providers)
  const token = loggedIn.login.gateway?.token
  if (token === undefined || (await gateway.mayCall(token, method, path)) !== true) {
    throw new AppError('ROLE_NOT_ALLOWED')
  }
  return token
}

/** The tokens first: the gateway refuses that for an account with more rights than the caller's. */
async function end(one: ListedSession, token: string, parts: ManageSessionParts): Promise<boolean> {
  const username = one.summary?.gateway?.username
  if (username !== undefined) await parts.gateway.endTokens(token, username, tokenHashesOf(one))
  return parts.sessions.endById(one.key)
}

function groupsOf(account: string | undefined, { providers }: ManageSessionParts): readonly string[] {
  if (account === undefined) return [everyoneGroup]
  return providers.map(({ name }) => accountGroup({ provider: name, account: { account_id: account } }))
}

function showForAdministrators(one: ListedSession) {
  const { provider = null, account = null, gateway } = one.summary ?? {}
  const { id, ...times } = showListedSession(one)
  return { id, account, provider, username: gateway?.username ?? null, ...times }
}

function cursorOf({ endsAt, key }: ListedSession): string {
  return Buffer.from(JSON.stringify([endsAt, key])).toString('base64url')
}

const cursorSchema = v.strictTuple([v.pipe(v.number(), v.safeInteger()), v.string()])

function cursorIn(text: string | undefined): Pick<SessionPage, 'after'> {
  if (text === undefined) return {}
  try {
    const [endsAt, key] = v.parse(cursorSchema, JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { after: { endsAt, key } }
  } catch (cause) {
    const detail = 'The parameter "after" takes what the link to the next page holds.'
    throw new AppError('PARAMETER_INVALID', { detail, cause })
  }
}

function limitMistake(text: string): string | undefined {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (limit >= 1 && limit <= mostListed) return undefined
  return `A whole number from 1 to ${mostListed} is expected here.`
}
