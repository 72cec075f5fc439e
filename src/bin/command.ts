import type { CommandOptions, ConfigSources } from '../config/load.ts'
import type { Terminal } from './terminal.ts'

/** What a command may use of its process. */
export interface Invocation {
  /** The words after the command. */
  readonly words: readonly string[]
  readonly environment: ConfigSources['environment']
  readonly readText: ConfigSources['readText']
  /** Writes a line to standard output. */
  readonly print: (text: string) => void
  /** Writes a line to standard error. */
  readonly warn: (text: string) => void
  /** Calls `listener` with the name of each signal that asks the process to end. */
  readonly onEndSignal: (listener: (signal: string) => void) => void
  /**
   * Calls `listener` on SIGHUP if the program was not started from a terminal. At a terminal SIGHUP means that the
   * terminal is gone, and ends the process.
   */
  readonly onReloadSignal: (listener: () => void) => void
  /** Version of the program. */
  readonly version: string
  /** Whether the output is for programs. */
  readonly json?: boolean
  /** Absent if nothing of it is there to be used. */
  readonly terminal?: Terminal
}

/** One word after a command, with options of its own: `delete` of `role delete NAME`. */
export interface Subcommand {
  /** The words it takes, as named in its usage: `NAME`. */
  readonly words: readonly string[]
  /** What it does, after its usage. */
  readonly about: string
  readonly options: CommandOptions
}

/** One command of the program. */
export interface Command {
  /** Its usage, after the program's name. */
  readonly usage: string
  /** What it does, in a sentence or two. */
  readonly about: string
  readonly options: CommandOptions
  /** By the word after the command; absent if it takes none. */
  readonly subcommands?: Readonly<Record<string, Subcommand>>
  /** Returns the exit code. Throws `ConfigError` for a wrong configuration. */
  run(invocation: Invocation): Promise<number>
}

/** A command in the list of commands; it is loaded only when it is called. */
export interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** What configuration is loaded from. */
export function sourcesOf({ words, environment, readText }: Invocation): ConfigSources {
  return { flags: words, environment, readText }
}
