/** Why a login can fail: for each cause a sentence for the person, and advice for the operator. */
import { AppError } from '../../errors/app-error.ts'

type FailureCode = 'LOGIN_FAILED' | 'LOGIN_REFUSED' | 'LOGIN_UNAVAILABLE'

interface Failure {
  readonly code: FailureCode
  /** For the person who logs in; it holds nothing internal. */
  readonly person: string
  /** For the operator, in the log: what to change. */
  readonly advice: string
}

const failures = {
  // The provider does not respond
  unreachable: {
    code: 'LOGIN_UNAVAILABLE',
    person: 'The login provider cannot be reached. Please try again in a moment.',
    advice: 'Check the address in the configuration, the name server, the network and the certificate.',
  },
  silent: {
    code: 'LOGIN_UNAVAILABLE',
    person: 'The login provider does not respond in time. Please try again in a moment.',
    advice: 'Check whether the provider is overloaded, and whether a firewall drops the connection.',
  },
  failing: {
    code: 'LOGIN_UNAVAILABLE',
    person:
      'The login provider cannot be reached: it reports an error of its own. Please try again in a moment.',
    advice: 'The error is at the provider; look at its log.',
  },

  // Discovery
  noMetadata: {
    code: 'LOGIN_UNAVAILABLE',
    person: 'The login provider is not configured correctly here. Please tell your administrator.',
    advice:
      'Check config.issuer: the provider’s metadata is at its address + /.well-known/openid-configuration.',
  },
  otherIssuer: {
    code: 'LOGIN_UNAVAILABLE',
    person: 'The login provider is not configured correctly here. Please tell your administrator.',
    advice: 'Set config.issuer to exactly the issuer that the provider names, a slash at its end included.',
  },
  severalTenants: {
    code: 'LOGIN_UNAVAILABLE',
    person: 'The login provider is not configured correctly here. Please tell your administrator.',
    advice:
      'Set config.tenant, or the tenant in config.issuer, to the id of one tenant: addresses for several tenants (common, organizations) are not supported.',
  },
  incompleteMetadata: {
    code: 'LOGIN_UNAVAILABLE',
    person: 'The login provider is not configured correctly here. Please tell your administrator.',
    advice:
      'The provider does not support logins with the authorization code flow at this issuer; check config.issuer.',
  },

  // The provider’s refusals
  cancelled: {
    code: 'LOGIN_REFUSED',
    person: 'The login provider did not let you in, or you cancelled the login.',
    advice: 'If the person did not cancel, the provider does not assign this client to the person.',
  },
  interactionNeeded: {
    code: 'LOGIN_REFUSED',
    person:
      'The login provider needs your consent, or wants you to log in there, and was told not to ask you.',
    advice:
      'Remove “prompt” from config.parameters, or have an administrator of the provider consent for all.',
  },
  requestRefused: {
    code: 'LOGIN_REFUSED',
    person: 'The login provider refused the request of this application. Please tell your administrator.',
    advice:
      'Check what the client may do at the provider: the authorization code flow, and each scope of config.scope.',
  },
  redirectRefused: {
    code: 'LOGIN_REFUSED',
    person:
      'The login provider does not know the address of this application. Please tell your administrator.',
    advice:
      'Register the callback address, which the start of the web front prints, for this client at the provider.',
  },
  clientRefused: {
    code: 'LOGIN_UNAVAILABLE',
    person:
      'The login provider does not accept the client credentials of this application. Please tell your administrator.',
    advice:
      'Check config.clientId, config.clientSecret (or config.clientKey) and config.clientAuthentication.',
  },
  codeRefused: {
    code: 'LOGIN_FAILED',
    person: 'The login provider did not accept this login any more: it took too long, or was used before.',
    advice:
      'If every login fails like this, check the clocks, and that the provider serves one client by one server.',
  },

  // Responses that are not accepted
  clock: {
    code: 'LOGIN_FAILED',
    person:
      'The clocks of the login provider and of this application differ. Please tell your administrator.',
    advice: 'Set the clocks of both machines; a difference of 30 seconds is tolerated.',
  },
  unverified: {
    code: 'LOGIN_FAILED',
    person: 'The login provider’s response could not be verified, so it was not accepted.',
    advice: 'The ID token needs an asymmetric signature by one of the keys at the provider’s jwks_uri.',
  },
  otherClaim: {
    code: 'LOGIN_FAILED',
    person: 'The login provider’s response does not belong to this login, so it was not accepted.',
    advice:
      'Check config.issuer and config.clientId. If they are right, someone may have tried to use another response.',
  },
  unreadable: {
    code: 'LOGIN_FAILED',
    person: 'The login provider’s response is not valid.',
    advice: 'Check the endpoints in the configuration; “gatehouse provider test” tries each of them.',
  },
  userinfoRefused: {
    code: 'LOGIN_FAILED',
    person: 'The login provider did not say who you are.',
    advice: 'Check config.scope: the userinfo endpoint has to accept its token.',
  },
  noIdentifier: {
    code: 'LOGIN_REFUSED',
    person: 'The login provider does not say which account is yours.',
    advice: 'Check account.account_id, and the claims and scopes of this client at the provider.',
  },

  // The attempt
  notBegun: {
    code: 'LOGIN_FAILED',
    person: 'No login is under way. Please begin again.',
    advice: 'The callback address was opened without a login, for example from a bookmark.',
  },
  cookieLost: {
    code: 'LOGIN_FAILED',
    person:
      'This login was not started in this browser, or the browser blocks cookies or dropped them. Allow cookies for this site and begin again.',
    advice:
      'If every login fails like this, open the application at the host of base_url: a cookie belongs to one host.',
  },
  attemptOver: {
    code: 'LOGIN_FAILED',
    person: 'This login is already finished, or took longer than ten minutes. Please begin again.',
    advice: 'If every login fails like this, several web fronts run without a shared session store.',
  },

  // Who may come in
  notAllowed: {
    code: 'LOGIN_REFUSED',
    person: 'Your account is not allowed here. Log in with another one, or ask your administrator.',
    advice: 'The setting “allow” of this provider decides.',
  },
  noAccount: {
    code: 'LOGIN_REFUSED',
    person: 'You have no account at the gateway, or it has expired or is disabled.',
    advice: 'Create or enable the account at the gateway, or set gateway.role to have it created.',
  },
  accountRefused: {
    code: 'LOGIN_REFUSED',
    person: 'The gateway does not accept this account.',
    advice: 'Check what account.username makes of the claims.',
  },
  roleMissing: {
    code: 'LOGIN_REFUSED',
    person: 'Your account would get a role that does not exist at the gateway.',
    advice: 'Create the role at the gateway, or correct gateway.role and account.roles.',
  },
  roleNotGiven: {
    code: 'LOGIN_REFUSED',
    person:
      'The web front may not log in accounts with your role. An administrator can add it to “gives” of the role of the web front’s own account at the gateway.',
    advice: 'Add the role to “gives” of the role of the web front’s own account.',
  },
  noRole: {
    code: 'LOGIN_REFUSED',
    person: 'Your account has no role here. Ask your administrator.',
    advice: 'No entry of account.roles matches the claims, and there is no gateway.role.',
  },
} as const satisfies Readonly<Record<string, Failure>>

/** A cause of failed logins. */
export type LoginFailureCause = keyof typeof failures

/**
 * The error for a cause. `found` says for the log what was asked or answered; `named` is shown to the person too, and
 * holds nothing internal.
 */
export function loginFailure(
  cause: LoginFailureCause,
  {
    found,
    named,
    error,
  }: { readonly found?: string; readonly named?: string; readonly error?: unknown } = {},
): AppError {
  const { code, person, advice } = failures[cause]
  const detail = named === undefined ? person : `${person} ${named}`
  const log = [...(found === undefined ? [] : [found]), advice].join(' ')
  return new AppError(code, { detail, cause: new LoginFailure(log, { cause: error }) })
}

/** What the operator sees of a failed login. */
class LoginFailure extends Error {
  override readonly name = 'LoginFailure'
}
