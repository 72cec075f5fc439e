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
import { type ProviderCheck, testProvider } from '../web-front/oauth/test-provider.ts'
import type { WebFrontSettings } from '../web-front/settings.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { writeOutput, writeWarnings } from './command-output.ts'
import { exitCodes } from './exit-codes.ts'
import { frontSettings } from './front-settings.ts'

/** `gatehouse provider test`: what keeps people from logging in with a provider. */
export const provider: Command = {
  usage: 'provider test [NAME] [options]',
  about: `Tries a login provider of the web front as far as that goes without a person: discovery, its keys, whether it
accepts the callback address and the credentials of the client, and whether the roles exist at the gateway. Says for each
step what was asked, what was answered and what to change. Takes the configuration of “up” and “front”.`,
  options: upCommandOptions,
  subcommands: {
    test: {
      words: ['NAME'],
      about: 'what keeps people from logging in with a provider',
      options: upCommandOptions,
    },
  },
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { plain, flags } = separateWords(invocation.words, namedOptionsOf(upCommandOptions.groups))
  const [verb, name, ...others] = plain
  if (verb !== 'test' || others.length > 0)
    throw new ConfigError(['provider: takes “test” and the name of a provider'])
  const { values, warnings } = loadConfig(upCommandOptions, { ...sourcesOf(invocation), flags })
  writeWarnings(invocation, warnings)
  const settings = settingsOf(values)
  const chosen = choose(settings.providers, name)
  const baseUrl = settings.baseUrl ?? `http://localhost:${settings.port}`
  const report = await reportOf(chosen, baseUrl, settings)
  const isBroken = report.steps.some(({ result }) => result === 'failed')
  const exitCode = isBroken ? exitCodes.failed : exitCodes.fine
  return writeOutput(invocation, { json: report, text: textOf(report), exitCode })
}

/** What came of each step: as for one provider, and of the gateway. */
interface Report {
  readonly callback: string
  readonly steps: readonly (Omit<ProviderCheck, 'step'> & { readonly step: string })[]
}

function textOf({ callback, steps }: Report): string {
  const lines = steps.flatMap(({ step, asked, result, answer }) => [
    `${result.padEnd(8)}${step}: ${asked}`,
    `${' '.repeat(8)}${answer}`,
  ])
  return [`${' '.repeat(8)}The callback address to register is ${callback}.`, ...lines].join('\n')
}

function settingsOf(values: UpConfig): WebFrontSettings {
  const { gateway, up } = values
  const port = up.gateway_port ?? gateway.port
  const gatewayAddress = `http://127.0.0.1:${port}`
  // “up” makes the account of the web front itself; here it is not known.
  return frontSettings(frontConfigOf(values, gatewayAddress), () => {}, noAccount)
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

async function reportOf(
  { name, strategy, generator }: ProviderSettings,
  baseUrl: string,
  settings: WebFrontSettings,
): Promise<Report> {
  if (!('oauth' in strategy)) {
    throw new ConfigError([`provider: ${name} has no provider to test; only “openid” and “oauth2” have one`])
  }
  const callback = callbackAddress(baseUrl, name)
  const steps = await testProvider(strategy.oauth, callback)
  return {
    callback,
    steps: [...steps, ...(generator?.kind === 'gateway' ? [await gatewayStep(settings)] : [])],
  }
}

async function gatewayStep({ gateway, providers }: WebFrontSettings): Promise<Report['steps'][number]> {
  const { service } = buildGateway(gateway, providers)
  const asked = `${gateway?.address}, with the account of the web front`
  if (service === undefined || gateway?.credentials === noAccount) {
    const answer = 'Without gateway.username its roles are not checked here; the start of “up” does that.'
    return { step: 'gateway', asked, result: 'unknown', answer }
  }
  const problem = await service.check()
  const answer = problem?.sentence ?? 'The account may do what logins need, and all roles exist.'
  return { step: 'gateway', asked, result: problem === undefined ? 'ok' : 'failed', answer }
}
