import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The built program, running as its own process. */
export interface StartedProgram {
  readonly url: string
  /** What it printed at its start. */
  readonly report: string
  /** Ends it with a signal; gives the exit code, or null when the signal ended it. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))

/** Starts `gatehouse up` on a free port and waits for its report. */
export async function startProgram(dataFolder: string, ...flags: readonly string[]): Promise<StartedProgram> {
  const words = ['up', '--data_dir', dataFolder, '--gateway_port', '0', ...flags]
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const report = await readReport(child)
  const url = /^Gateway +(\S+)$/m.exec(report)?.[1]
  if (url === undefined) throw new Error(`The program did not start:\n${report}`)
  return { url, report, stop: (signal) => stop(child, signal) }
}

function readReport(child: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    const read = (piece: Buffer) => {
      text += piece.toString()
      if (text.includes('/logon')) resolve(text)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => resolve(text))
  })
}

function stop(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })
}
