import { hiddenSecret, type Setting } from './load.ts'
import { fileKeyOf, type Place } from './options.ts'

/** An option as it is in force, for programs. */
export interface DescribedSetting {
  /** As in a configuration file: `gateway.port`. */
  readonly key: string
  /** As written; `(set)` for a secret, null if the option has no value. */
  readonly value: string | null
  /** Where it comes from; null if the option has no value. */
  readonly source: Place | 'default' | null
  /** The same for people: `--port`, `GATEHOUSE_PORT`, `gatehouse.yaml line 3: gateway.port`, `default`. */
  readonly origin: string | null
  readonly description: string
  /** What it takes, to complete the sentence “takes …”. */
  readonly takes: string
  readonly default: string | null
  /** What happens without a value; null if there always is one. */
  readonly otherwise: string | null
  readonly secret: boolean
}

/** The key of an option in a configuration file, with its part. */
export function settingKey({ option }: Pick<Setting, 'option'>): string {
  return [...(option.part === undefined ? [] : [option.part]), fileKeyOf(option)].join('.')
}

/** The options as they are in force, without secrets. */
export function describeSettings(settings: readonly Setting[]): readonly DescribedSetting[] {
  return settings.map((setting) => {
    const { option, shown, origin, source } = setting
    const { describe, type, default: initial, otherwise, secret = false } = option.definition
    const isSet = shown !== undefined
    return {
      key: settingKey(setting),
      value: shown === hiddenSecret ? '(set)' : (shown ?? null),
      source: isSet ? (source ?? null) : null,
      origin: isSet ? origin : null,
      description: describe,
      takes: type.takes,
      default: initial ?? null,
      otherwise: otherwise ?? null,
      secret,
    }
  })
}
