import type { Target } from '../../proxy/target.ts'
import type { Timeouts } from '../../proxy/target-request.ts'
import type { OauthSettings } from '../oauth/oauth-settings.ts'

/** A server to which calls of the application are forwarded. */
export interface BackendSettings {
  /** Calls at and below this path go there, such as `/backend`; it needs no percent-encoding. */
  readonly proxyPath: string
  readonly target: Target
  readonly timeouts: Timeouts
  /** Header for the access token. `Authorization` sends it as a bearer token. */
  readonly tokenHeader: string
  /** Whether it is the gateway, which says itself why it responds with 401; absent if not. */
  readonly isGateway?: boolean
  /** Which token its calls get; absent for that of the user. */
  readonly token?: BackendToken
  /** How it learns who calls; absent for not at all. */
  readonly identity?: BackendIdentity
  /** Whether links and cookies of its responses are translated; absent for not. */
  readonly rewrites?: boolean
}

/**
 * `user`: that of the logged-in user, by their login provider's generator. `client`: one of the web front itself, by client
 * credentials. `none`: no token. `gateway`: that of the logged-in user at the gateway, without which there is no call; the
 * web front always adds it.
 */
export type BackendToken =
  | { readonly kind: 'user' }
  | { readonly kind: 'client'; readonly oauth: OauthSettings; readonly scopes: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'gateway' }

/** `headers`: by headers with the names. `jwt`: by a signed token for an audience. */
export type BackendIdentity =
  | { readonly kind: 'headers' }
  | { readonly kind: 'jwt'; readonly audience: string }
