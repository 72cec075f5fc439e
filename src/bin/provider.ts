import { upCommandOptions } from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import { loadConfig } from '../config/load.ts'
import { namedOptionsOf } from '../config/options.ts'
import { quote } from '../config/quote.ts'
import { separateWords } from '../config/read-flags.ts'
import { suggestion } from '../config/suggestion.ts'
import { frontConfigOf, type UpConfig } from '../config/up-options.ts'
import { nearestName } from '../util/nearest-name.ts'
import { buildGateway } from '../web-front/login/build-providers.ts'
import { callbackAddress } from '../web-front/login/login-paths.ts'
import type { ProviderSettings } from '../web-front/login/provider-settings.ts'
import { testProvider } from '../web-front/oauth/test-provider.ts'
import type { WebFrontSettings } from '../web-front/web-front.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { frontSettings } from './front-settings.ts'

/** `gatehouse provider test`: what keeps people from logging in with a provider. */
export const provider: Command = {
  usage: 'provider test [NAME] [options]',
  about: `Tries a login provider of the web front as far as that goes without a person: discovery, its keys, whether it
accepts the callback address and the credentials of the client, and whether the roles exist at the gateway. Says for each
step what was asked, what was answered and what to change. Takes the configuration of “up” and “front”.`,
  options: upCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { plain, flags } = separateWords(invocation.words, namedOptionsOf(upCommandOptions.groups))
  const [verb, name, ...others] = plain
  if (verb !== 'test' || others.length > 0)
    throw new ConfigError(['provider: takes “test” and the name of a provider'])
  const { values, warnings } = loadConfig(upCommandOptions, { ...sourcesOf(invocation), flags })
  for (const warning of warnings) invocation.warn(warning)
  const settings = settingsOf(values)
  const chosen = choose(settings.providers, name)
  const baseUrl = settings.baseUrl ?? `http://localhost:${settings.port}`
  const lines = await reportOf(chosen, baseUrl, settings)
  for (const { result, text } of lines) invocation.print(`${result.padEnd(8)}${text}`)
  return lines.some(({ result }) => result === 'failed') ? exitCodes.failed : exitCodes.fine
}

function settingsOf(values: UpConfig): WebFrontSettings {
  const { gateway, up } = values
  const port = up.gateway_port ?? gateway.port
  const surroundings = { gatewayAddress: `http://127.0.0.1:${port}`, console: '' }
  // “up” makes the account of the web front itself; here it is not known.
  return frontSettings(frontConfigOf(values, surroundings), () => {}, noAccount)
}

const noAccount = () => Promise.reject(new Error('The configuration has no account for the web front.'))

function choose(providers: readonly ProviderSettings[], name: string | undefined): ProviderSettings {
  const names = providers.map((each) => each.name)
  const [only, second] = providers
  const chosen =
    name === undefined && second === undefined ? only : providers.find((each) => each.name === name)
  if (chosen !== undefined) return chosen
  if (names.length === 0) throw new ConfigError(['provider: no way to log in is configured'])
  const given = name === undefined ? '' : `, not ${quote(name)}${suggestion(nearestName(name, names))}`
  throw new ConfigError([`provider: takes the name of a way to log in (${names.join(', ')})${given}`])
}

interface ReportLine {
  readonly result: 'ok' | 'failed' | 'unknown' | ''
  readonly text: string
}

async function reportOf(
  { name, strategy, generator }: ProviderSettings,
  baseUrl: string,
  settings: WebFrontSettings,
): Promise<readonly ReportLine[]> {
  if (!('oauth' in strategy)) {
    const text = `${name}: only the strategies “openid” and “oauth2” have a provider to test.`
    return [{ result: 'unknown', text }]
  }
  const callback = callbackAddress(baseUrl, name)
  const checks = await testProvider(strategy.oauth, callback)
  const lines = checks.flatMap(({ step, asked, result, answer }): readonly ReportLine[] => [
    { result, text: `${step}: ${asked}` },
    { result: '', text: answer },
  ])
  const register: ReportLine = { result: '', text: `The callback address to register is ${callback}.` }
  return [register, ...lines, ...(generator?.kind === 'gateway' ? await gatewayLines(settings) : [])]
}

async function gatewayLines({ gateway, providers }: WebFrontSettings): Promise<readonly ReportLine[]> {
  const { service } = buildGateway(gateway, providers)
  const asked = `gateway: ${gateway?.address}, with the account of the web front`
  if (service === undefined || gateway?.credentials === noAccount) {
    return [
      { result: 'unknown', text: asked },
      {
        result: '',
        text: 'Without gateway.username its roles are not checked here; the start of “up” does that.',
      },
    ]
  }
  const problem = await service.check()
  return [
    { result: problem === undefined ? 'ok' : 'failed', text: asked },
    { result: '', text: problem?.sentence ?? 'The account may do what logins need, and all roles exist.' },
  ]
}
