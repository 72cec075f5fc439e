import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { freePort } from '../test/support/free-port.ts'

/** The built program, running. */
export interface RunningProgram {
  readonly url: string
  /** The address of the web front; that of the gateway where it runs alone. */
  readonly frontUrl: string
  readonly pid: number
  /** When the process was started, by `performance.now`. */
  readonly begun: number
  /** From the start of the process until `/readyz` of every service gave a good answer. */
  readonly readyMilliseconds: number
  /** Resident memory in bytes; Linux only. */
  memory(): Promise<number>
  stop(): Promise<void>
}

/** Starts `gatehouse up` on a data folder and free ports, and waits until both services are ready. */
export async function startProgram(
  dataFolder: string,
  environment: NodeJS.ProcessEnv = {},
  flags: readonly string[] = [],
): Promise<RunningProgram> {
  const [port, frontPort] = [await freePort(), await freePort()]
  const ports = ['--gateway_port', String(port), '--front_port', String(frontPort)]
  return start(['up', '--data_dir', dataFolder, ...ports, ...flags], [port, frontPort], environment)
}

/**
 * Starts `gatehouse gateway` with some flags and a free port, and waits until it is ready. The program is the one built
 * in `folder`, by default in this clone.
 */
export async function startGatewayProgram(
  flags: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  folder = '.',
): Promise<RunningProgram> {
  const port = await freePort()
  const words = ['gateway', ...flags, '--port', String(port), '--log_level', 'error']
  return start(words, [port], environment, folder)
}

/** Starts `gatehouse front` with some flags and a free port, and waits until it is ready. */
export async function startFrontProgram(flags: readonly string[]): Promise<RunningProgram> {
  const port = await freePort()
  return start(['front', ...flags, '--port', String(port), '--log_level', 'error'], [port], {})
}

async function start(
  words: readonly string[],
  ports: readonly number[],
  environment: NodeJS.ProcessEnv,
  folder = '.',
): Promise<RunningProgram> {
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const [url = '', frontUrl = url] = urls
  const begun = performance.now()
  const program = resolve(folder, 'dist/bin/gatehouse.js')
  const child = spawn(process.execPath, ['--max-semi-space-size=8', program, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  })
  while (!(await Promise.all(urls.map(isReady))).every(Boolean)) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}. Is it built?`)
    await new Promise((done) => setTimeout(done, 2))
  }
  return {
    url,
    frontUrl,
    pid: child.pid ?? 0,
    readyMilliseconds: performance.now() - begun,
    begun,
    memory: () => residentMemory(child),
    stop: () => stop(child),
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}

async function residentMemory(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
