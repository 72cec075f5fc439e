import { ConfigError } from '../config/config-error.ts'
import { quote } from '../config/quote.ts'
import { DatabaseError } from '../database/database-error.ts'
import { AppError } from '../errors/app-error.ts'
import { type Databases, databaseFailure } from './database-failure.ts'

/** Where a service listens, and the flag to choose another port. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly portFlag: string
  /** The databases of a gateway. */
  readonly databases?: Databases
}

/**
 * A failure to start, as one line that says what to do, or a line for each mistake; undefined for unforeseen failures.
 */
export function startFailure(error: unknown, listening: Listening): string | undefined {
  const chain = causesOf(error)
  const wrong = chain.find((cause) => cause instanceof ConfigError)
  if (wrong !== undefined) return wrong.mistakes.join('\n')
  const unusable = databaseFailure(error, listening.databases)
  if (unusable !== undefined) return unusable
  const line = chain.map((cause) => systemFailure(cause, listening)).find((found) => found !== undefined)
  if (line !== undefined) return line
  const ours = chain.find((cause) => cause instanceof AppError || cause instanceof DatabaseError)
  if (ours === undefined) return undefined
  const message = oneLine(ours.message)
  return ours instanceof DatabaseError ? `The database cannot be used: ${message}` : message
}

interface SystemError extends Error {
  readonly code: string
  readonly syscall?: string
  readonly path?: string
}

function systemFailure(error: Error, { host, port, portFlag }: Listening): string | undefined {
  if (!isSystemError(error)) return undefined
  const { code, syscall, path } = error
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${host} is in use. Stop the program that uses it, or choose another with ${portFlag}.`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `This machine has no network address ${quote(host)}. Choose another with --host.`
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return `Port ${port} needs more privileges than this user has. Choose one above 1023 with ${portFlag}.`
  }
  if (path === undefined) return undefined
  const reason = fileReasons[code] ?? `the system says ${code}`
  return `${quote(path)} cannot be created or written: ${reason}.`
}

const fileReasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file with this name exists',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
}

function isSystemError(error: Error): error is SystemError {
  return 'code' in error && typeof error.code === 'string' && 'syscall' in error
}

function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let cause = error; cause instanceof Error && !chain.includes(cause); cause = cause.cause)
    chain.push(cause)
  return chain
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ')
}
