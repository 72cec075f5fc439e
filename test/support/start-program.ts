import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { DatabaseOptions } from '../../src/database/open-database.ts'

/** The built program, running as its own process. */
export interface StartedProgram {
  readonly url: string
  /** The address of the web front; '' where there is none. */
  readonly frontUrl: string
  /** What it printed at its start. */
  readonly report: string
  readonly pid: number
  /** Ends it with a signal; gives the exit code, or null when the signal ended it. */
  stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>
}

const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))

/** Starts `gatehouse up` on free ports and waits for its report. */
export function startProgram(dataFolder: string, ...flags: readonly string[]): Promise<StartedProgram> {
  const ports = [...unlessGiven(flags, '--gateway_port', '0'), ...unlessGiven(flags, '--front_port', '0')]
  return startServiceProgram(['up', '--data_dir', dataFolder, ...ports, ...flags])
}

/** Starts `gatehouse gateway` on a database, on a free port, and waits for its report. */
export async function startGatewayProgram(
  options: DatabaseOptions,
  environment: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<StartedProgram> {
  if (options.product === 'sqlite') {
    // A database that is named is not created.
    if (options.file !== ':memory:') await writeFile(options.file, '', { flag: 'a' })
    const place = ['--db_product', 'sqlite', '--db_name', options.file]
    return startServiceProgram(['gateway', ...place, '--port', '0', ...flags], environment)
  }
  const { product, host, port, user, password = '', name } = options
  const place = ['--db_product', product, '--db_host', host, '--db_port', `${port}`, '--db_user', user]
  const own = [...unlessGiven(flags, '--port', '0'), ...unlessGiven(flags, '--drain_delay', '0s')]
  const words = ['gateway', ...place, '--db_name', name, ...own, ...flags]
  return startServiceProgram(words, {
    ...(password === '' ? {} : { GATEHOUSE_DB_PASS: password }),
    ...environment,
  })
}

function unlessGiven(flags: readonly string[], flag: string, value: string): readonly string[] {
  return flags.includes(flag) ? [] : [flag, value]
}

/** Starts a service with some words, and waits for its report. */
export async function startServiceProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedProgram> {
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  const report = await readReport(child)
  const url = /^Gateway +(\S+)$/m.exec(report)?.[1]
  if (url === undefined) throw new Error(`The program did not start:\n${report}`)
  const frontUrl = /^Front +(\S+)$/m.exec(report)?.[1] ?? ''
  return { url, frontUrl, report, pid: child.pid ?? 0, stop: (signal) => stop(child, signal) }
}

/** A web front, running as its own process. */
export interface StartedFront extends Pick<StartedProgram, 'stop'> {
  /** Host and port that it listens on. */
  readonly address: string
}

/** Starts `gatehouse front` with a configuration, which it writes to a file, and waits for its report. */
export async function startFrontProgram(file: string, configuration: object): Promise<StartedFront> {
  await writeFile(file, JSON.stringify(configuration))
  const words = ['front', '--config', file, '--log_level', 'info', '--drain_delay', '0s']
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const text = await readUntil(child, /"kind":"Started"/)
  const address = /"address":"http:\/\/([^"]+)"/.exec(text)?.[1]
  if (address === undefined) throw new Error(`The program did not start:\n${text}`)
  return { address, stop: (signal) => stop(child, signal) }
}

function readReport(child: ChildProcess): Promise<string> {
  return readUntil(child, /^Next .*$/m)
}

function readUntil(child: ChildProcess, wanted: RegExp): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    const read = (piece: Buffer) => {
      text += piece.toString()
      if (wanted.test(text)) resolve(text)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    // What it printed last may come after its exit.
    child.once('close', () => resolve(text))
  })
}

function stop(child: ChildProcess, signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })
}
