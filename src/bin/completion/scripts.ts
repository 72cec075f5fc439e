/** The completion scripts of shells. */
import type { CompletedFlag, CompletionContext } from './completion-table.ts'
import { shellCases } from './shell-cases.ts'

type Table = readonly CompletionContext[]

/** By the name of the shell. Each is a text to be read by the shell. */
export const completionScripts = { bash, zsh, fish } as const satisfies Record<
  string,
  (table: Table) => string
>

/** https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html */
function bash(table: Table): string {
  return `# bash completion of gatehouse. To use it: source <(gatehouse completion bash)
${shellCases(table)}
_gatehouse() {
  local kind found flags current=\${COMP_WORDS[COMP_CWORD]}
  local -a before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  # bash splits --key=value at the sign.
  if [ "$current" = = ]; then current=; fi
  if [ "\${#before[@]}" -gt 0 ] && [ "\${before[\${#before[@]}-1]}" = = ]; then unset "before[\${#before[@]}-1]"; fi
  _gatehouse_find "\${before[@]}"
  COMPREPLY=()
  if [ "$kind" = any ]; then return; fi
  if [[ $current == -* ]]; then found=$flags kind=words; fi
  if [ "$kind" = file ]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$found" -- "$current")
  fi
}
complete -F _gatehouse gatehouse
`
}

/** https://zsh.sourceforge.io/Doc/Release/Completion-System.html */
function zsh(table: Table): string {
  return `#compdef gatehouse
# zsh completion of gatehouse. To use it: source <(gatehouse completion zsh), after compinit.
${shellCases(table)}
_gatehouse() {
  local kind found flags current=\${words[CURRENT]}
  local -a before=("\${(@)words[2,CURRENT-1]}")
  if [[ $current == --*=* ]]; then
    before+=("\${current%%=*}")
    compset -P '*='
    current=\${current#*=}
  fi
  _gatehouse_find "\${before[@]}"
  if [[ $kind == any ]]; then return 1; fi
  if [[ $current == -* ]]; then found=$flags kind=words; fi
  if [[ $kind == file ]]; then _files; else compadd -- \${=found}; fi
}
compdef _gatehouse gatehouse
`
}

/** https://fishshell.com/docs/current/cmds/complete.html */
function fish(table: Table): string {
  const contexts = table.map(({ after }) => quoted(after)).join(' ')
  return `# fish completion of gatehouse. To use it: gatehouse completion fish | source
function __gatehouse_is
    set -l after ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$after $word")
        contains -- $next ${contexts}; and set after $next
    end
    test "$after" = "$argv[1]"
end
complete -c gatehouse -f
${table.flatMap(fishLines).join('\n')}
`
}

function fishLines({ after, words, flags, takesFiles }: CompletionContext): readonly string[] {
  const start = `complete -c gatehouse -n ${quoted(`__gatehouse_is ${quoted(after)}`)}`
  return [
    ...(takesFiles ? [`${start} -F`] : []),
    ...words.map(({ word, about }) => `${start} -a ${quoted(word)} -d ${quoted(about)}`),
    ...flags.map(
      (flag) =>
        `${start}${flag.short === undefined ? '' : ` -s ${flag.short}`} -l ${flag.word.slice(2)}${fishValue(flag)} -d ${quoted(flag.about)}`,
    ),
  ]
}

function fishValue({ value }: CompletedFlag): string {
  if (value === 'none') return ''
  if (value === 'file') return ' -rF'
  return value === 'any' ? ' -x' : ` -xa ${quoted(value.join(' '))}`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
