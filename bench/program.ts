import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'

/** The built program, running. */
export interface RunningProgram {
  readonly url: string
  /** From the start of the process to the first good answer of `/readyz`. */
  readonly readyMilliseconds: number
  /** Resident memory in bytes; Linux only. */
  memory(): Promise<number>
  stop(): Promise<void>
}

/** Starts `gatehouse up` on a data folder and a free port, and waits until it is ready. */
export async function startProgram(
  dataFolder: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<RunningProgram> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const start = performance.now()
  const child = spawn(
    process.execPath,
    ['dist/bin/gatehouse.js', 'up', '--data_dir', dataFolder, '--gateway_port', String(port)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ...environment },
    },
  )
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}. Is it built?`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return {
    url,
    readyMilliseconds: performance.now() - start,
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

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}
