/** What the console may know of its browser's session. */
import { hasGatewayAccounts, type LoginProvider } from '../login/login-provider.ts'
import { type LoggedIn, loginPathOf } from '../session/current-sessions.ts'

/** The response of `GET <console>/session`. */
interface ConsoleSession {
  /** Where to log in with an account of the gateway; null if this web front has no such way. */
  readonly login: string | null
  /** Why the console cannot be used, as a sentence; absent if it can, or could after a login. */
  readonly reason?: string
  /** Who is logged in with an account of the gateway; absent if no one is. */
  readonly account?: ConsoleAccount
  /** The path below which the gateway is called with the rights of that account. */
  readonly gateway: string
  /** The version of the program. */
  readonly version: string
  /** Whether `/echo` has templates; absent if not. */
  readonly templates?: true
}

interface ConsoleAccount {
  /** The username at the gateway. */
  readonly name: string
  readonly displayName: string
  /** Names of its roles, when its token was made. */
  readonly roles: readonly string[]
  /** Whether it logs in with a password that the gateway keeps. */
  readonly hasPassword: boolean
}

/** The path below which the console calls the gateway. */
export function gatewayPathOf(consolePath: string): string {
  return `${consolePath}/gateway`
}

/** What is the same for every session. */
interface ConsoleFacts {
  /** Of the console. */
  readonly path: string
  readonly version: string
  readonly hasTemplates: boolean
}

/** Who may use the console of a web front with some ways to log in. */
export function consoleSessionOf(
  loggedIn: LoggedIn | undefined,
  providers: readonly LoginProvider[],
  { path, version, hasTemplates }: ConsoleFacts,
): ConsoleSession {
  const suitable = providers.filter(hasGatewayAccounts)
  const account = accountOf(loggedIn)
  const reason = suitable.length === 0 ? noLogin : otherLogin(loggedIn)
  return {
    login: suitable.length === 0 ? null : loginPathOf(suitable),
    ...(account !== undefined ? { account } : reason === undefined ? {} : { reason }),
    gateway: gatewayPathOf(path),
    version,
    ...(hasTemplates ? { templates: true } : {}),
  }
}

/** Says what to configure where no one can log in to the console. */
export const noLogin =
  'This web front has no login with accounts of the gateway. Add one to “authentication”: an entry with the strategy “gateway”, or with the generator “gateway”.'

function otherLogin(loggedIn: LoggedIn | undefined): string | undefined {
  if (loggedIn === undefined) return undefined
  return `You are logged in by “${loggedIn.provider.label}”, which gives no access to the gateway.`
}

function accountOf(loggedIn: LoggedIn | undefined): ConsoleAccount | undefined {
  if (loggedIn === undefined || !hasGatewayAccounts(loggedIn.provider)) return undefined
  const { account, gateway } = loggedIn.login
  const { account_id, account_role, displayName } = account
  const name = gateway?.username ?? account_id
  return {
    name,
    displayName: displayName ?? name,
    roles: gateway?.roles ?? (account_role === undefined ? [] : [account_role]),
    hasPassword: loggedIn.provider.strategyName === 'gateway',
  }
}
