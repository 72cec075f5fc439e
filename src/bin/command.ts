import type { CommandOptions, ConfigSources } from '../config/load.ts'

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
  /** Whether a person at a terminal reads standard error. */
  readonly isTerminal?: boolean
  /** Version of the program. */
  readonly version: string
}

/** One command of the program. */
export interface Command {
  /** Its usage, after the program's name. */
  readonly usage: string
  /** What it does, in a sentence or two. */
  readonly about: string
  readonly options: CommandOptions
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
