/** Builds the web front from its settings and starts it: the only place that constructs its parts. */
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { type EchoService, startEcho } from '../echo/echo-service.ts'
import { addFormParser } from '../http/form-parser.ts'
import { openGuide } from '../http/guide.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { createKnownBrowsers } from '../http/known-browsers.ts'
import { addRoutes, pathsOf, type Route, type ServedPath } from '../http/routes.ts'
import { originReader } from '../http/same-origin.ts'
import { createHttpServer } from '../http/server.ts'
import { createReverseProxy } from '../proxy/proxy.ts'
import type { Clock } from '../util/clock.ts'
import { createBackendAccess } from './backend/backend-access.ts'
import { identityKeyOf } from './backend/identity-keys.ts'
import { createIdentityTokens } from './backend/identity-tokens.ts'
import { jwksRoute } from './backend/jwks-route.ts'
import { openBackends } from './backend/open-backends.ts'
import { serveBackends } from './backend/routes.ts'
import { consoleBackends } from './console/console-backend.ts'
import { consoleAddress, consoleRoutes, isBelowConsole } from './console/routes.ts'
import { adviceOnPath } from './content/path-advice.ts'
import { type ContentParts, contentRoutes } from './content/routes.ts'
import { echoRoutes } from './echo/routes.ts'
import type { OwnAccountProblem } from './gateway/gateway-service.ts'
import { buildGateway, buildProviders } from './login/build-providers.ts'
import { type FirstAccount, FirstLogin } from './login/first/first-login.ts'
import { createLoginAttempts } from './login/login-attempts.ts'
import { loginRoutes } from './login/routes.ts'
import { logoutRoutes } from './logout/routes.ts'
import { sessionCheckRoute } from './session/check/routes.ts'
import { createCurrentSessions } from './session/current-sessions.ts'
import { keepPage } from './session/keep-page.ts'
import { manageSessionRoutes } from './session/manage/routes.ts'
import { type OpenedSessionStore, openSessionStore } from './session/open-session-store.ts'
import { ownSessionRoutes } from './session/own/routes.ts'
import { createPresence } from './session/presence.ts'
import { sessionRoutes } from './session/routes.ts'
import { newSecret } from './session/secret.ts'
import { createSessions } from './session/sessions.ts'
import type { WebFrontSettings } from './settings.ts'
import { createRenewals } from './token/renewals.ts'
import { frontWayOn } from './way-on.ts'

/** A web front that accepts requests. */
export interface WebFront {
  /** Where it listens, for example `http://127.0.0.1:8080`. */
  readonly address: string
  /** The address that browsers use. */
  readonly baseUrl: string
  /** The paths that it serves itself, besides the backend. */
  readonly paths: readonly ServedPath[]
  /**
   * A link with which whoever has it chooses a password for an account of the gateway, once within 15 minutes; undefined if
   * people do not log in with a username and password of the gateway.
   */
  offerFirstLogin(account: FirstAccount): string | undefined
  /** What is wrong with its own account at the gateway, or with its roles; undefined if nothing is. */
  checkOwnAccount(): Promise<OwnAccountProblem | undefined>
  /** Like that of a gateway: no request is lost. */
  drain(until: Promise<unknown>): Promise<void>
  /** Finishes running requests, then releases everything. */
  close(): Promise<void>
}

export async function startWebFront(settings: WebFrontSettings): Promise<WebFront> {
  const { observe, now = () => new Date() } = settings
  const lost = (error: unknown) => observe({ kind: 'SessionStoreLost', error })
  const opened = await openSessionStore(settings.session.store, now, lost)
  let echo: EchoService | undefined
  try {
    echo = settings.echo === undefined ? undefined : await startEcho({ settings: settings.echo, observe })
    return await startOn(opened, echo, now, settings)
  } catch (error) {
    await echo?.close()
    await opened.store.close()
    throw error
  }
}

async function startOn(
  { store, listsSessions }: OpenedSessionStore,
  echo: EchoService | undefined,
  now: Clock,
  settings: WebFrontSettings,
): Promise<WebFront> {
  const { observe, content, session, surroundings, console } = settings
  const gateway = buildGateway(settings.gateway, settings.providers)
  const providers = await buildProviders(settings.providers, gateway, session.revoke ?? false)
  const cookies = { secure: settings.baseUrl?.startsWith('https:') ?? false }
  const originOf = originReader(settings.baseUrl)
  let address = ''
  const baseUrl = () => settings.baseUrl ?? `http://localhost:${new URL(address).port}`
  const isConsoleHome = content.root === undefined && console !== undefined
  const home = isConsoleHome ? `${console.path}/` : homeOf(content.patterns)

  const sessions = createSessions({ ...session, store, cookies, now })
  const currentSessions = createCurrentSessions(sessions, providers, now)
  const attempts = createLoginAttempts({ store, cookies, cookieName: session.cookieName, now })
  const knownBrowsers = createKnownBrowsers(cookies, session.cookieName)
  const renewals = createRenewals({ store, sessions, now, providerOf: currentSessions.providerOf })

  const presence = createPresence({ sessions, currentSessions, renewals, gateway: gateway.gateway, now })
  const firstLogin = new FirstLogin(now)
  let isDraining = false

  async function isReady(): Promise<boolean> {
    if (isDraining) return false
    await store.check()
    return address !== ''
  }

  const proxy = createReverseProxy()
  const { secrets: [secret = newSecret(), ...oldSecrets] = [] } = session
  const key = identityKeyOf(secret)
  const keys = [key, ...oldSecrets.map(identityKeyOf)]
  const identityTokens = createIdentityTokens(key, baseUrl, now)
  const backendSettings = [...(settings.backends ?? []), ...consoleBackends(console, providers)]
  const backends = await openBackends(backendSettings, { proxy, identityTokens, now })

  const isPageWithSlashes = (path: string) => isBelowConsole(path, console)
  const server = createHttpServer({
    ...settings,
    mayHoldSlashes: (path) => backends.at(path) !== undefined || isPageWithSlashes(path),
    wayOn: frontWayOn(home),
  })
  addCommonHeaders(server, cookies.secure)
  addFormParser(server)
  await addFileSender(server)
  if (backendSettings.length > 0) {
    const access = createBackendAccess({
      currentSessions,
      sessions,
      renewals,
      presence,
      providers,
      originOf,
      now,
    })
    serveBackends(server, { backends, access, cookieName: session.cookieName, baseUrl, observe })
  }
  const rendering: ContentParts['rendering'] = (page, request, reply) =>
    keepPage(page, request.headers.cookie, reply, sessions)
  const sessionParts = { sessions, currentSessions, presence, providers, originOf }
  const routes: readonly Route[] = [
    ...healthRoutes({ isReady }),
    ...(settings.backends?.some(({ identity }) => identity?.kind === 'jwt') ? [jwksRoute(keys)] : []),
    ...sessionRoutes({ ...sessionParts, renewals, listsSessions, surroundings, now }),
    ...(providers.length === 0 ? [] : [sessionCheckRoute({ ...sessionParts, baseUrl, home })]),
    ...ownSessionRoutes({ ...sessionParts, gateway: gateway.gateway, observe }),
    ...(gateway.gateway === undefined
      ? []
      : manageSessionRoutes({ ...sessionParts, gateway: gateway.gateway, baseUrl, observe })),
    ...loginRoutes({
      providers,
      sessions,
      currentSessions,
      attempts,
      knownBrowsers,
      originOf,
      baseUrl,
      home,
      mayHoldSlashes: isPageWithSlashes,
      observe,
      now,
      firstLogin,
    }),
    ...logoutRoutes({
      sessions,
      currentSessions,
      originOf,
      baseUrl,
      afterLogout: session.afterLogout ?? home,
      observe,
    }),
    ...(echo === undefined ? [] : echoRoutes({ echo, currentSessions, presence, providers, originOf })),
    ...(console === undefined
      ? []
      : await consoleRoutes({
          ...sessionParts,
          settings: console,
          version: settings.version ?? '',
          hasTemplates: echo !== undefined && echo.templates.length > 0,
          ...(isConsoleHome ? { rendering } : {}),
        })),
    ...(await contentRoutes({
      ...content,
      otherwise: isConsoleHome ? (request) => consoleAddress(console.path, request) : undefined,
      ...(settings.guideFolder === undefined ? {} : { guide: openGuide(settings.guideFolder) }),
      adviceAt: (path) =>
        adviceOnPath(path, {
          logins: providers.map(({ name }) => name),
          proxyPath: settings.backends?.[0]?.proxyPath,
        }),
      rendering,
    })),
  ]
  addRoutes(server, routes)
  address = await server.listen({ host: settings.host, port: settings.port })
  return {
    address,
    baseUrl: baseUrl(),
    paths: pathsOf(routes),
    offerFirstLogin(account) {
      const provider = providers.find(({ strategy }) => 'choosePassword' in strategy)
      if (provider === undefined) return undefined
      return `${baseUrl()}/auth/${encodeURIComponent(provider.name)}/first#${firstLogin.offer(account)}`
    },
    checkOwnAccount: async () => gateway.service?.check(),
    async drain(until) {
      isDraining = true
      const since = performance.now()
      await until
      proxy.endStreams()
      await server.endConnections(performance.now() - since)
    },
    async close() {
      proxy.endStreams()
      await server.close()
      proxy.close()
      await echo?.close()
      await store.close()
    },
  }
}

/** The first page of the application with a fixed address. */
function homeOf(patterns: readonly string[]): string {
  const plain =
    patterns.find((pattern) => !/[:*]/.test(pattern)) ?? patterns.find((pattern) => !pattern.includes(':'))
  return plain?.replace(/\/\*$/, '/') ?? '/'
}

function addCommonHeaders(server: FastifyInstance, secure: boolean): void {
  const headers = {
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** For `reply.sendFile`, which names the folder each time. */
async function addFileSender(server: FastifyInstance): Promise<void> {
  await server.register(fastifyStatic, {
    serve: false,
    preCompressed: true,
    cacheControl: false,
    dotfiles: 'ignore',
    index: false,
  })
}
