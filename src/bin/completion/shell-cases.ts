/** The parts of a completion script that bash and zsh read alike. */
import type { CompletedFlag, CompletionContext } from './completion-table.ts'

/**
 * A function that finds the words before the one that is completed, and what may follow them: `_gatehouse_find WORD…` sets
 * `found` to words, and `kind` to `words`, `file`, `any`, or for a place where only flags are left `flags`.
 */
export function shellCases(table: readonly CompletionContext[]): string {
  return `_gatehouse_find() {
  local after= previous= word
  for word in "$@"; do
    previous=$word
    case "\${after:+$after }$word" in
      ${table
        .map(({ after }) => after)
        .filter((after) => after !== '')
        .map(quoted)
        .join('|')}) after="\${after:+$after }$word" ;;
    esac
  done
  kind=words found=
  case "$after:$previous" in
${valueCases(table).join('\n')}
  esac
  flags=
  case "$after" in
${table.map(contextCase).join('\n')}
  esac
}`
}

function contextCase({ after, words, flags, takesFiles }: CompletionContext): string {
  const kind = takesFiles ? 'kind=file ' : ''
  const found = words.map(({ word }) => word).join(' ')
  return `    ${quoted(after)}) ${kind}found=${quoted(found)} flags=${quoted(flags.map(({ word }) => word).join(' '))} ;;`
}

/** A case for each kind of value, of all flags that take it; in the same order at each run. */
function valueCases(table: readonly CompletionContext[]): readonly string[] {
  const patterns = new Map<string, string[]>()
  for (const { after, flags } of table) {
    for (const flag of flags.filter(({ value }) => value !== 'none')) {
      const known = patterns.get(actionOf(flag)) ?? []
      for (const name of [flag.word, ...(flag.short === undefined ? [] : [`-${flag.short}`])])
        known.push(isSameEverywhere(flag, table) ? `*:${name}` : quoted(`${after}:${name}`))
      patterns.set(actionOf(flag), known)
    }
  }
  return [...patterns].map(([action, names]) => `    ${[...new Set(names)].join('|')}) ${action} return ;;`)
}

function isSameEverywhere(flag: CompletedFlag, table: readonly CompletionContext[]): boolean {
  return table
    .flatMap(({ flags }) => flags)
    .filter(({ word, short }) => word === flag.word || (short !== undefined && short === flag.short))
    .every((other) => actionOf(other) === actionOf(flag))
}

function actionOf({ value }: CompletedFlag): string {
  if (typeof value === 'string') return `kind=${value};`
  return `found=${quoted(value.join(' '))};`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
