import type { CommandOptions, ConfigSources } from '../config/load.ts'

/** What a command has of the process it runs in. */
export interface Invocation {
  /** The words after the command. */
  readonly words: readonly string[]
  readonly environment: ConfigSources['environment']
  readonly readText: ConfigSources['readText']
  /** Writes a text and a line end to the output. */
  readonly print: (text: string) => void
  /** Writes a text and a line end to the error output. */
  readonly warn: (text: string) => void
  /** Has every signal that asks the process to end told to `listener`, with its name. */
  readonly onEndSignal: (listener: (signal: string) => void) => void
  /**
   * Has SIGHUP told to `listener`, where the program was not started from a terminal. At a terminal it says that the
   * terminal is gone, and ends the process.
   */
  readonly onReloadSignal: (listener: () => void) => void
  /** Version of the program. */
  readonly version: string
}

/** One command of the program. */
export interface Command {
  /** How it is called, after the program's name. */
  readonly usage: string
  /** What it does, in a sentence or two. */
  readonly about: string
  readonly options: CommandOptions
  /** Gives the exit code. A wrong configuration is thrown as `ConfigError`. */
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
