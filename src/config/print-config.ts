import type { Setting } from './load.ts'
import type { OptionGroups } from './options.ts'

/** A configuration as text: a line for each option with its value and origin. Secrets are hidden. */
export function printConfig(groups: OptionGroups, settings: readonly Setting[]): string {
  const keyWidth = widest(settings.map(({ option }) => option.key))
  const valueWidth = widest(settings.map(({ shown = '' }) => shown))
  return Object.entries(groups)
    .map(([name, { heading }]) => {
      const lines = settings
        .filter(({ option }) => option.group === name)
        .map((setting) => {
          const key = setting.option.key.padEnd(keyWidth)
          return `  ${key}  ${(setting.shown ?? '-').padEnd(valueWidth)}  ${originOf(setting)}`.trimEnd()
        })
      return [heading, ...lines].join('\n')
    })
    .join('\n\n')
}

function originOf({ shown, origin, option }: Setting): string {
  return shown === undefined ? `not given: ${option.definition.otherwise ?? 'not used'}` : origin
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length))
}
