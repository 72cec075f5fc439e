/** The commands of the program, and how one is selected. A command is loaded only when it is called. */
import { ConfigError } from '../config/config-error.ts'
import { helpText } from '../config/help-text.ts'
import { quote } from '../config/quote.ts'
import { suggestion } from '../config/suggestion.ts'
import { nearestName } from '../util/nearest-name.ts'
import { adminCommands } from './admin-commands.ts'
import type { Command, CommandEntry, Invocation } from './command.ts'
import { exitCodes } from './exit-codes.ts'

const commands: Readonly<Record<string, CommandEntry>> = {
  up: {
    summary: 'run gateway and web front in one process, with an embedded database',
    load: async () => (await import('./up.ts')).up,
  },
  gateway: {
    summary: 'run the gateway on an existing database',
    load: async () => (await import('./gateway.ts')).gateway,
  },
  front: {
    summary: 'run the web front: an application with sessions and login',
    load: async () => (await import('./front.ts')).front,
  },
  schema: {
    summary: 'print the GraphQL schema of a database; reload it in a running gateway',
    load: async () => (await import('./schema.ts')).schema,
  },
  echo: {
    summary: 'make a file from a template, as the web front does',
    load: async () => (await import('./echo.ts')).echo,
  },
  'check-config': {
    summary: 'check the configuration of a command and print it',
    load: async () => (await import('./check-config.ts')).checkConfig,
  },
  ...adminCommands,
}

const helpWords = ['help', '--help', '-h']
const versionWords = ['version', '--version', '-v']

/** Runs the command that the first word names; returns the exit code of the process. */
export async function runProgram(invocation: Invocation): Promise<number> {
  const [name, ...words] = invocation.words
  if (name === undefined) return refuse(invocation, programHelp())
  if (versionWords.includes(name)) return answer(invocation, `gatehouse ${invocation.version}`)
  if (helpWords.includes(name) && words[0] === undefined) return answer(invocation, programHelp())

  const commandName = helpWords.includes(name) ? (words[0] ?? '') : name
  const entry = Object.hasOwn(commands, commandName) ? commands[commandName] : undefined
  if (entry === undefined) return refuse(invocation, unknownCommand(commandName))
  const command = await entry.load()
  if (helpWords.includes(name) || words.some((word) => word === '--help' || word === '-h')) {
    return answer(invocation, commandHelp(command))
  }
  return runCommand(command, { ...invocation, words })
}

async function runCommand(command: Command, invocation: Invocation): Promise<number> {
  try {
    return await command.run(invocation)
  } catch (error) {
    if (error instanceof ConfigError) return refuse(invocation, error.mistakes.join('\n'))
    throw error
  }
}

function answer({ print }: Invocation, text: string): number {
  print(text)
  return exitCodes.fine
}

function refuse({ warn }: Invocation, text: string): number {
  warn(text)
  return exitCodes.askedWrongly
}

function unknownCommand(name: string): string {
  const known = [...Object.keys(commands), 'help', 'version']
  const meant = suggestion(nearestName(name, known))
  return `There is no command ${quote(name)}${meant || '; “gatehouse help” lists the commands.'}`
}

function programHelp(): string {
  const entries = Object.entries({
    ...commands,
    help: { summary: 'print this list, or with a command its options' },
    version: { summary: 'print the version' },
  })
  const width = Math.max(...entries.map(([name]) => name.length))
  const lines = entries.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: gatehouse COMMAND [options]

${lines.join('\n')}

“gatehouse COMMAND --help” prints the options of a command. A first start: gatehouse up`
}

function commandHelp({ usage, about, options }: Command): string {
  return `Usage: gatehouse ${usage}\n\n${about}\n\n${helpText(Object.values(options.groups))}`
}
