/** The commands of the program, and how one is selected. A command is loaded only when it is called. */
import { ConfigError } from '../config/config-error.ts'
import { outputFormOf } from '../config/output-options.ts'
import { quote } from '../config/quote.ts'
import { suggestion } from '../config/suggestion.ts'
import { nearestName } from '../util/nearest-name.ts'
import { adminCommands } from './admin-commands.ts'
import type { CommandEntry, Invocation } from './command.ts'
import { writeFailure } from './command-failure.ts'
import { writeOutput } from './command-output.ts'
import { exitCodes } from './exit-codes.ts'
import { asksForHelp, commandHelp, programHelp } from './help.ts'

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
  health: {
    summary: 'ask a running gateway or web front whether it is ready',
    load: async () => (await import('./health.ts')).health,
  },
  completion: {
    summary: 'print a script by which a shell completes commands and options',
    load: async () => (await import('./completion/completion.ts')).completionOf(commands),
  },
  provider: {
    summary: 'test a login provider of the web front',
    load: async () => (await import('./provider.ts')).provider,
  },
  ...adminCommands,
}

const helpWords = ['help', '--help', '-h']
const versionWords = ['version', '--version', '-v']

/** Runs the command that the first word names; returns the exit code of the process. */
export async function runProgram(given: Invocation): Promise<number> {
  const [name, ...words] = given.words
  const { json } = outputFormOf(words, given.environment)
  const invocation = { ...given, words, json }
  if (name === undefined) return refuse(invocation, programHelp(commands))
  if (versionWords.includes(name)) {
    const { version } = invocation
    return writeOutput(invocation, { json: { version }, text: `gatehouse ${version}` })
  }
  const isHelp = helpWords.includes(name)
  const [commandName = '', ...rest] = isHelp ? words : [name, ...words]
  if (commandName === '' || (isHelp && commandName.startsWith('-')))
    return answer(given, programHelp(commands))
  const entry = Object.hasOwn(commands, commandName) ? commands[commandName] : undefined
  if (entry === undefined) return writeFailure(invocation, new ConfigError([unknownCommand(commandName)]))
  const command = await entry.load()
  if (isHelp || asksForHelp(words))
    return answer(given, commandHelp(commandName, command, { ...invocation, words: rest }))
  try {
    return await command.run(invocation)
  } catch (error) {
    return writeFailure(invocation, error)
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
