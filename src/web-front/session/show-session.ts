import type { Login } from './session.ts'
import type { OpenSession } from './sessions.ts'

/** A session as `GET /session` shows it. */
export interface ShownSession {
  readonly id: string
  readonly auth?: ShownLogin
  readonly backend: string
  readonly configs: object
  readonly query: object
  readonly params: object
  readonly sessions?: readonly string[]
}

/** A login as its browser may see it. Token and expiry are present only if the gateway or a generator provided them. */
interface ShownLogin {
  readonly account_id: string
  readonly account_role?: string
  readonly displayName?: string
  readonly avatar?: string
  readonly strategy: string
  readonly provider: string
  readonly properties: object
  /** With the gateway integration; null if the account does not expire. */
  readonly expires?: string | null
  readonly metadata?: unknown
  readonly accessToken?: string
  readonly credentialExpires?: string
}

/** The data that all sessions share. */
export interface SessionSurroundings {
  readonly backend: string
  readonly configs: object
}

/** What a browser may know about its session. */
export function showSession(
  { id, content }: OpenSession,
  surroundings: SessionSurroundings,
  more: { readonly showTokens: boolean; readonly sessions?: readonly string[] },
): ShownSession {
  const { page, login } = content
  const { backend, configs } = surroundings
  return {
    id,
    ...(login === undefined ? {} : { auth: showLogin(login, more.showTokens) }),
    backend,
    configs,
    query: page.query,
    params: page.params,
    ...(more.sessions === undefined ? {} : { sessions: more.sessions }),
  }
}

function showLogin(login: Login, showTokens: boolean): ShownLogin {
  const { account, strategy, provider, gateway, credential } = login
  const { account_id, account_role, displayName, avatar, properties } = account
  const shown = {
    account_id,
    account_role,
    displayName,
    avatar,
    strategy,
    provider,
    properties,
    ...(gateway?.token === undefined
      ? {}
      : { expires: gateway.expires ?? null, metadata: gateway.metadata ?? null }),
    ...(showTokens ? { accessToken: credential?.accessToken, credentialExpires: credential?.expires } : {}),
  }
  return withoutNothing(shown)
}

/** A copy without undefined values. */
function withoutNothing<Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>
  }
}
