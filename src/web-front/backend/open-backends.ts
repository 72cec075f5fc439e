/** The backends of a web front, ready for calls: their connections, their tokens, and how they learn who calls. */
import { callerHeaders } from '../../proxy/caller-headers.ts'
import { type HeaderList, headerNamed } from '../../proxy/header-list.ts'
import type { ReverseProxy, Upstream } from '../../proxy/proxy.ts'
import type { Clock } from '../../util/clock.ts'
import type { LoggedIn } from '../session/current-sessions.ts'
import { type ClientTokens, createClientTokens } from '../token/client-tokens.ts'
import type { TokenSource } from './backend-access.ts'
import type { BackendIdentity, BackendSettings, BackendToken } from './backend-settings.ts'
import { callerIdentityOf } from './caller-identity.ts'
import type { IdentityTokens } from './identity-tokens.ts'

/** A backend that takes calls. */
export interface OpenBackend {
  readonly settings: BackendSettings
  readonly upstream: Upstream
  readonly source: TokenSource
  /** The headers that tell it who calls; none unless it is configured so. */
  identityHeaders(caller: LoggedIn): Promise<HeaderList>
}

export interface OpenBackends {
  /**
   * The backend with the longest proxy path at or above a path in canonical percent-encoding; undefined if there is none.
   */
  at(encodedPath: string): OpenBackend | undefined
}

export interface BackendsParts {
  readonly proxy: ReverseProxy
  /** Signs who calls; needed by backends that get signed tokens. */
  readonly identityTokens: IdentityTokens
  readonly now: Clock
}

/** Opens all backends. */
export async function openBackends(
  settings: readonly BackendSettings[],
  parts: BackendsParts,
): Promise<OpenBackends> {
  const known = new Map<string, ClientTokens>()
  const backends: OpenBackend[] = []
  for (const backend of settings) {
    const { target, timeouts, token = { kind: 'user' }, identity } = backend
    backends.push({
      settings: backend,
      // Without health checks there are no state changes.
      upstream: parts.proxy.open({ targets: [target], timeouts }, () => {}),
      source: await sourceOf(token, known, parts.now),
      identityHeaders: identityOf(identity, parts.identityTokens),
    })
  }
  const byLength = backends.toSorted((a, b) => b.settings.proxyPath.length - a.settings.proxyPath.length)
  return { at: (path) => byLength.find(({ settings: { proxyPath } }) => isBelow(path, proxyPath)) }
}

function isBelow(path: string, proxyPath: string): boolean {
  return path.startsWith(proxyPath) && (path.length === proxyPath.length || path[proxyPath.length] === '/')
}

/** Backends with the same client and scope share their token. */
async function sourceOf(
  token: BackendToken,
  known: Map<string, ClientTokens>,
  now: Clock,
): Promise<TokenSource> {
  if (token.kind !== 'client') return token
  const { oauth, scopes } = token
  const key = JSON.stringify([oauth, scopes])
  const tokens = known.get(key) ?? (await openClientTokens(token, now))
  known.set(key, tokens)
  return { kind: 'client', tokens }
}

/** Its library is loaded only if needed. */
async function openClientTokens(
  { oauth, scopes }: Extract<BackendToken, { kind: 'client' }>,
  now: Clock,
): Promise<ClientTokens> {
  const { OauthClient } = await import('../oauth/oauth-client.ts')
  const { requestClientToken } = await import('../token/client-credentials-generator.ts')
  const client = new OauthClient(oauth)
  return createClientTokens(() => requestClientToken(client, scopes), now)
}

const identityHeader = headerNamed('X-Gatehouse-Identity')

function identityOf(
  identity: BackendIdentity | undefined,
  tokens: IdentityTokens,
): OpenBackend['identityHeaders'] {
  switch (identity?.kind) {
    case undefined:
      return async () => []
    case 'headers':
      return async ({ login }) => {
        const { account, roles } = callerIdentityOf(login)
        return callerHeaders(account, roles)
      }
    case 'jwt': {
      const { audience } = identity
      return async ({ session, login }) => [
        identityHeader(await tokens.of(session.id, callerIdentityOf(login), audience)),
      ]
    }
  }
}
