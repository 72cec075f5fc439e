/** The web front beside the gateway of `gatehouse up`: it knows the gateway over HTTP, like any client. */
import { backendsOf } from '../config/backend-options.ts'
import type { FrontConfig } from '../config/front-options.ts'
import { frontConfigOf, type UpConfig } from '../config/up-options.ts'
import { invariant } from '../errors/invariant.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Observer } from '../observe/events.ts'
import type { GatewayCredentials } from '../web-front/gateway/gateway-client.ts'
import type { OwnAccountProblem } from '../web-front/gateway/gateway-service.ts'
import {
  type OwnAccountWork,
  ownAccountCalls,
  ownAccountRoles,
  workOfClaims,
} from '../web-front/gateway/own-account-calls.ts'
import type { FirstAccount } from '../web-front/login/first/first-login.ts'
import type { WebFront } from '../web-front/web-front.ts'
import type { ConnectTarget } from './connect-target.ts'
import { prepareFolder } from './data-files.ts'
import { frontAccount, frontAccountFile, howToRenew } from './front-account.ts'
import { callbackLines, consoleLines, frontWarnings } from './front-report.ts'
import { frontMistakes, frontSettings } from './front-settings.ts'
import { frontTargets, providerTargets, sessionTargets } from './front-targets.ts'
import { readLogin } from './login-settings.ts'
import { keptSessionSecret } from './session-secret.ts'
import type { Listening } from './start-failure.ts'
import type { FrontInReport } from './start-report.ts'

/** A web front that starts as soon as its gateway listens. */
export interface FrontBeside {
  /** Where it listens. */
  readonly listening: Listening
  start(gatewayAddress: string): Promise<void>
  /** Gives it its own account at the gateway, if it needs one, and returns its state. */
  join(gateway: AccountKeeper): Promise<FrontInReport>
  /** A link for choosing a password for a new account; undefined if people do not log in with passwords. */
  offerFirstLogin(account: FirstAccount): string | undefined
  /** As for a separate web front. */
  drain(until: Promise<unknown>): Promise<void>
  close(): Promise<void>
}

type AccountKeeper = Pick<Gateway, 'roles' | 'accounts'>

/** What the web front would refuse at its start although each option is right, one line each. */
export function mistakesOfFrontBeside(values: UpConfig): Promise<readonly string[]> {
  return frontMistakes(
    configOf(values, 'http://127.0.0.1:9000'),
    isGatewayBeside(values) ? noAccount : undefined,
  )
}

/** The web front that a configuration describes; its code is loaded while the gateway starts. */
export function frontBeside(values: UpConfig, version: string, observe: Observer): FrontBeside {
  const code = import('../web-front/web-front.ts')
  const joined = Promise.withResolvers<AccountKeeper>()
  const ownAccount = isGatewayBeside(values)
    ? async () => makeOrFindAccount(values, await joined.promise)
    : undefined
  const { host, port } = configOf(values, '')
  let front: WebFront | undefined

  return {
    listening: { host, port, portFlag: '--front_port' },

    async start(gatewayAddress) {
      const { startWebFront } = await code
      const secret = keepsSecret(values) ? keptSessionSecret(values.up.data_dir) : undefined
      const config = configOf(values, gatewayAddress, secret)
      front = await startWebFront({ ...frontSettings(config, observe, ownAccount), version })
    },

    async join(gateway) {
      invariant(front !== undefined, 'the web front has started')
      joined.resolve(gateway)
      const problem = needsTokens(values) ? await front.checkOwnAccount() : undefined
      const file = frontAccountFile(values.up.data_dir)
      return {
        baseUrl: front.baseUrl,
        console: consoleLines(values.front, front.baseUrl),
        callbacks: callbackLines(values.front, front.baseUrl),
        warnings: [
          ...frontWarnings(configOf(values, '')),
          ...(problem === undefined ? [] : [warningOf(problem, file)]),
        ],
      }
    },

    offerFirstLogin: (account) => front?.offerFirstLogin(account),

    async drain(until) {
      await front?.drain(until)
    },

    async close() {
      await front?.close()
    },
  }
}

/** What the web front connects to besides its gateway. */
export function targetsOfFrontBeside(values: UpConfig): readonly ConnectTarget[] {
  const config = configOf(values, 'http://127.0.0.1:9000')
  if (!isGatewayBeside(values)) return frontTargets(config)
  const { session, providers } = frontSettings(config, () => {}, noAccount)
  return [...sessionTargets(session.store), ...providerTargets(providers)]
}

const noAccount = () => Promise.reject(new Error('Nothing is started.'))

/** `secret` is that of the data folder; until the start it need not exist. */
function configOf(values: UpConfig, gatewayAddress: string, secret = ''): FrontConfig {
  const config = frontConfigOf(values, reachable(gatewayAddress))
  return keepsSecret(values) ? { ...config, session_secret: [secret] } : config
}

/** Whether the secret that signs who calls lies in the data folder; nodes that share sessions need the same one. */
function keepsSecret({ front }: UpConfig): boolean {
  const isNeeded = backendsOf(front).some(({ identity }) => identity === 'jwt')
  return isNeeded && front.session_secret === undefined && front.session_store !== 'redis'
}

/** An address that means all addresses of a machine cannot be called. */
export function reachable(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** Whether tokens come from the gateway beside it. */
function needsTokens(values: UpConfig): boolean {
  return (
    isGatewayBeside(values) && values.front.authentication.some(({ generator }) => generator === 'gateway')
  )
}

function warningOf({ concerns, sentence }: OwnAccountProblem, file: string): string {
  return concerns === 'roles' ? sentence : `${sentence} ${howToRenew(file)}`
}

/** Whether the gateway of the accounts is the one in this process. */
export function isGatewayBeside({ front }: UpConfig): boolean {
  return front.gateway_url === undefined
}

/** What the account does at the gateway. */
function workOf({ authentication, gateway_role: role }: UpConfig['front']): OwnAccountWork {
  const logins = authentication.map((login) => readLogin(login, undefined).settings)
  return {
    checksLogons: authentication.some(({ strategy }) => strategy === 'gateway'),
    makesTokens: authentication.some(({ generator }) => generator === 'gateway'),
    ...workOfClaims(logins),
    ...(role === undefined ? {} : { roleOfNewAccounts: role }),
  }
}

function makeOrFindAccount(
  { up: { data_dir: dataFolder }, front }: UpConfig,
  gateway: AccountKeeper,
): Promise<GatewayCredentials> {
  prepareFolder(dataFolder)
  const file = frontAccountFile(dataFolder)
  return frontAccount({
    gateway,
    file,
    calls: ownAccountCalls(workOf(front)),
    roles: ownAccountRoles(workOf(front)),
    takesGatewayAccounts: front.authentication.some(({ strategy }) => strategy === 'gateway'),
  })
}
