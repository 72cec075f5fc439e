/** The output of commands, for people or for programs. */
import { printable } from '../admin/printable.ts'
import { recordTables } from '../admin/record-tables.ts'
import { writeDocument } from '../config/located-document.ts'
import type { Invocation } from './command.ts'
import { writeProblems } from './command-failure.ts'
import { exitCodes } from './exit-codes.ts'
import type { Paint } from './terminal.ts'

/** The output of a command. */
export interface CommandOutput {
  /** For programs. */
  readonly json: unknown
  /** For people. */
  readonly text: string | ((paint: Paint) => string)
  /** What went wrong although there is output, line by line; warnings if the exit code is that of success. */
  readonly problems?: readonly string[]
  readonly exitCode?: number
}

/** Writes the output of a command as the command line asks for, and returns the exit code. */
export function writeOutput(invocation: Invocation, output: CommandOutput): number {
  const { json, text, problems = [], exitCode = exitCodes.fine } = output
  if (invocation.json) invocation.print(JSON.stringify(json, undefined, 2))
  else invocation.print(typeof text === 'string' ? text : text(paintOf(invocation)))
  if (exitCode === exitCodes.fine) writeWarnings(invocation, problems)
  else if (problems.length > 0) writeProblems(invocation, problems)
  return exitCode
}

/** Writes warnings to standard error, a line each: `{"warning": …}` for programs. */
export function writeWarnings(
  { json, warn, terminal }: Pick<Invocation, 'json' | 'warn' | 'terminal'>,
  lines: readonly string[],
): void {
  for (const line of lines) {
    if (json) warn(JSON.stringify({ warning: line }))
    else warn(terminal?.paintError('caution', printable(line)) ?? printable(line))
  }
}

/** How text on standard output is painted. */
export function paintOf({ terminal }: Pick<Invocation, 'terminal'>): Paint {
  return terminal?.paint ?? ((_, text) => text)
}

/** A list of records. */
export function listOutput(kind: keyof typeof recordTables, document: unknown): CommandOutput {
  return {
    json: document,
    text: (paint) => tableOf(kind, document).replace(/^.+(?=\n)/, (line) => paint('heading', line)),
  }
}

/** One record, whole. */
export function recordOutput(document: unknown): CommandOutput {
  return { json: document, text: shown(document) }
}

/** Says that something was done; `json` is for programs. */
export function doneOutput(sentence: string, json: unknown): CommandOutput {
  return { json, text: printable(sentence) }
}

/** A record as YAML, for reading. */
export function shown(document: unknown): string {
  return writeDocument(document).split('\n').map(printable).join('\n')
}

function tableOf(kind: keyof typeof recordTables, document: unknown): string {
  return recordTables[kind](document)
}
