/** Messages about values that are missing, wrong or given insecurely. None of them shows a secret. */

import { nearestName } from '../util/nearest-name.ts'
import {
  fileKeyOf,
  flagOf,
  type Given,
  type NamedOption,
  type Place,
  spellingsIn,
  variableOf,
} from './options.ts'
import { quote } from './quote.ts'
import { suggestion } from './suggestion.ts'

/** A required option has no value. */
export function missingValue(option: NamedOption): string {
  const { key, definition } = option
  const places: readonly Place[] = ['flag', 'variable', 'file']
  const ways = places
    .filter((place) => spellingsIn(place, [option]).length > 0)
    .map((place) => wayToGive(option, place))
  return `${key}: missing; give ${ways.join(' or ')}; it takes ${definition.type.takes}`
}

function wayToGive(option: NamedOption, place: Place): string {
  const { key, part } = option
  if (place === 'flag') return flagOf(key)
  if (place === 'variable') return variableOf(key)
  const keys = [...(part === undefined ? [] : [part]), ...fileKeyOf(option).split('.')]
  return `“${keys.join(': ')}” in a configuration file`
}

/** A value that the option does not take. */
export function badValue({ definition: { type, secret } }: NamedOption, raw: string, origin: string): string {
  if (secret) return `${origin}: takes ${type.takes}`
  const meant = nearestName(raw.toLowerCase(), type.choices ?? [])
  return `${origin}: takes ${type.takes}, not ${quote(raw)}${suggestion(meant)}`
}

/**
 * A file that cannot be read. The path of a secret's file is not shown: it may be the secret itself, given to the wrong
 * option.
 */
export function cannotRead(origin: string, path: string | undefined, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  const file = path === undefined ? 'the file it names' : `the file ${quote(path)}`
  return `${origin}: ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}`
}

/** Every user of a machine can read the command lines of its processes. */
export function secretOnCommandLine({ spelling, origin }: Given): string {
  const { option } = spelling
  const takesVariable = spellingsIn('variable', [option]).length > 0
  const safer = [...(takesVariable ? [variableOf(option.key)] : []), flagOf(`${option.key}_file`)]
  return `${origin}: others can read a secret on the command line; ${safer.join(' or ')} is safer`
}
