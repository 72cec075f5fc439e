/** The failures of commands, for people and for programs. */
import { AdminFailure } from '../admin/admin-failure.ts'
import { readProblem } from '../admin/describe-problem.ts'
import { AdminRefusal } from '../admin/management-client.ts'
import { printable } from '../admin/printable.ts'
import { ConfigError } from '../config/config-error.ts'
import { DatabaseError } from '../database/database-error.ts'
import { AppError } from '../errors/app-error.ts'
import { problemType } from '../http/problem.ts'
import type { Invocation } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** What programs get where no gateway has sent a problem document. There is no HTTP status then, and no page that is its type. */
const kinds = {
  COMMAND_WRONG: 'The command line or the configuration is wrong.',
  COMMAND_FAILED: 'The command failed.',
} as const

/**
 * Writes a foreseen failure to standard error and returns the exit code: lines for people, for programs the problem
 * document of the gateway or one of the same form (https://www.rfc-editor.org/rfc/rfc9457) on one line. Throws all other
 * errors again.
 */
export function writeFailure(invocation: Invocation, error: unknown): number {
  const { lines, document, exitCode } = readFailure(error)
  if (invocation.json) invocation.warn(JSON.stringify(document))
  else writeLines(invocation, lines)
  return exitCode
}

/** Writes why a command that has a result failed all the same. */
export function writeProblems(invocation: Invocation, lines: readonly string[]): void {
  if (invocation.json) invocation.warn(JSON.stringify(problem('COMMAND_FAILED', lines)))
  else writeLines(invocation, lines)
}

interface Failure {
  readonly lines: readonly string[]
  readonly document: unknown
  readonly exitCode: number
}

function readFailure(error: unknown): Failure {
  const exitCode = exitCodes.failed
  if (error instanceof ConfigError) {
    const lines = error.mistakes
    return { lines, document: problem('COMMAND_WRONG', lines), exitCode: exitCodes.askedWrongly }
  }
  if (error instanceof AdminRefusal && readProblem(error.document) !== undefined)
    return { lines: error.lines, document: error.document, exitCode }
  if (error instanceof AdminFailure)
    return { lines: error.lines, document: problem('COMMAND_FAILED', error.lines), exitCode }
  if (error instanceof AppError)
    return {
      lines: [error.message],
      document: {
        type: problemType(error.code),
        ...documentOf(error.code, error.kind.title, [error.message]),
      },
      exitCode,
    }
  if (error instanceof DatabaseError)
    return { lines: [error.message], document: problem('COMMAND_FAILED', [error.message]), exitCode }
  throw error
}

function problem(code: keyof typeof kinds, lines: readonly string[]) {
  return documentOf(code, kinds[code], lines)
}

function documentOf(code: string, title: string, lines: readonly string[]) {
  const errors = lines.map((detail) => ({ pointer: '', detail: detail.trim() }))
  return { title, code, detail: lines.join('\n'), ...(errors.length > 1 && { errors }) }
}

function writeLines({ warn, terminal }: Invocation, lines: readonly string[]): void {
  for (const line of lines) warn(terminal?.paintError('bad', printable(line)) ?? printable(line))
}
