import { completionCommandOptions } from '../../config/command-options.ts'
import { ConfigError } from '../../config/config-error.ts'
import { loadConfig } from '../../config/load.ts'
import { quote } from '../../config/quote.ts'
import { type Command, type CommandEntry, type Invocation, sourcesOf } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { completionTable } from './completion-table.ts'
import { completionScripts } from './scripts.ts'

const shells = Object.keys(completionScripts)

/** `gatehouse completion`: scripts by which shells complete the commands of the program. */
export function completionOf(commands: Readonly<Record<string, CommandEntry>>): Command {
  return {
    usage: 'completion bash|zsh|fish',
    about: `Prints a script by which a shell completes commands, options and their values:

  bash  source <(gatehouse completion bash)
  zsh   source <(gatehouse completion zsh)
  fish  gatehouse completion fish | source`,
    options: completionCommandOptions,
    subcommands: Object.fromEntries(
      shells.map((shell) => [
        shell,
        { words: [], about: `prints the script of ${shell}`, options: completionCommandOptions },
      ]),
    ),
    run: (invocation) => run(invocation, commands),
  }
}

async function run(
  invocation: Invocation,
  commands: Readonly<Record<string, CommandEntry>>,
): Promise<number> {
  const [shell = '', ...words] = invocation.words
  const script = Object.entries(completionScripts).find(([name]) => name === shell)?.[1]
  if (script === undefined)
    throw new ConfigError([
      `completion: takes ${shells.join(', ')}${shell === '' ? '' : `, not ${quote(shell)}`}`,
    ])
  loadConfig(completionCommandOptions, sourcesOf({ ...invocation, words }))
  invocation.print(script(await completionTable(commands)).trimEnd())
  return exitCodes.fine
}
