import { nearestName } from '../util/nearest-name.ts'
import { type ConfigMistake, type NamedOption, type Reading, spellingsIn, variableOf } from './options.ts'
import { showName } from './quote.ts'
import { suggestion } from './suggestion.ts'

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads `GATEHOUSE_<KEY>`. An empty variable counts as not given, because compose files pass unset values as empty ones.
 * Options of other commands are left alone: commands share an environment.
 */
export function readVariables(
  environment: Environment,
  options: readonly NamedOption[],
  optionsOfOthers: readonly NamedOption[],
): Reading {
  const spellings = spellingsIn('variable', options)
  const known = new Map(spellings.map((spelling) => [variableOf(spelling.name), spelling]))
  const own = new Set(options.map(({ key }) => key))
  const ofOthers = new Set(
    spellingsIn('variable', optionsOfOthers)
      .filter(({ option }) => !own.has(option.key))
      .map(({ name }) => variableOf(name)),
  )

  const given = spellings.flatMap((spelling) => {
    const origin = variableOf(spelling.name)
    const raw = environment[origin]
    if (raw === undefined || raw === '' || isServiceLink(origin, raw)) return []
    return [{ spelling, raw, place: 'variable' as const, origin }]
  })
  const mistakes = Object.entries(environment)
    .filter(([name, value]) => name.startsWith('GATEHOUSE_') && !isServiceLink(name, value ?? ''))
    .filter(([name]) => !known.has(name) && !ofOthers.has(name))
    .map(([name]) =>
      unknownVariable(
        name,
        spellings.map((spelling) => spelling.name),
      ),
    )
  return { given, mistakes }
}

function unknownVariable(name: string, known: readonly string[]): ConfigMistake {
  const meant = nearestName(name.slice('GATEHOUSE_'.length).toLowerCase(), known)
  return {
    line: `${showName(name)}: unknown variable${suggestion(meant && variableOf(meant))}`,
    about: meant,
  }
}

/**
 * Kubernetes sets variables about services in every container. For a service called `gatehouse` they look like ours:
 * GATEHOUSE_SERVICE_HOST, GATEHOUSE_PORT=tcp://10.0.0.1:9000.
 * https://kubernetes.io/docs/tutorials/services/connect-applications-service/#environment-variables
 */
function isServiceLink(name: string, value: string): boolean {
  if (/^GATEHOUSE_(.+_)?SERVICE_(HOST|PORT(_.+)?)$/.test(name)) return true
  if (/^GATEHOUSE_(.+_)?PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true
  return /^GATEHOUSE_(.+_)?PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value)
}
