import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'

/** A shell that runs one command after the other, as a terminal does. */
export class Shell {
  readonly #child: ChildProcess
  #printed = ''
  #changed: () => void = () => {}

  constructor(folder: string) {
    this.#child = spawn('bash', ['--norc'], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    const read = (piece: Buffer) => {
      this.#printed += piece.toString()
      this.#changed()
    }
    this.#child.stdout?.on('data', read)
    this.#child.stderr?.on('data', read)
    this.#child.once('exit', () => this.#changed())
  }

  /** Runs a command and gives all that it printed. Throws if it fails. */
  async run(command: string): Promise<string> {
    const mark = randomBytes(8).toString('hex')
    this.#child.stdin?.write(`${command}\nprintf '%s %s\\n' ${mark} $?\n`)
    const ended = new RegExp(`${mark} (\\d+)\\n`)
    for (;;) {
      const found = ended.exec(this.#printed)
      if (found !== null) {
        const text = this.#printed.slice(0, found.index)
        this.#printed = this.#printed.slice(found.index + found[0].length)
        if (found[1] !== '0') throw new Error(`${command}\nended with ${found[1]}:\n${text}`)
        return text
      }
      if (this.#child.exitCode !== null) throw new Error(`${command}\nended the shell:\n${this.#printed}`)
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    }
  }

  /** Its exported variables. */
  async environment(): Promise<Readonly<Record<string, string>>> {
    const text = await this.run('node -p "JSON.stringify(process.env)"')
    const { GATEHOUSE_URL: _, ...variables } = JSON.parse(text) as Record<string, string>
    return variables
  }

  async end(): Promise<void> {
    await endGroup(this.#child)
  }
}

/** A server that a command started. */
export interface StartedServer {
  /** What it printed until it was ready. */
  readonly report: string
  end(): Promise<void>
}

/** Starts a server by a command, and waits until it says that it is ready. */
export async function startServer(
  command: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<StartedServer> {
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let report = ''
  await new Promise<void>((resolve, reject) => {
    const read = (piece: Buffer) => {
      report += piece.toString()
      if (/"kind":"Started"|^Next .*$|ready in/m.test(report)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', () => reject(new Error(`${command}\nended:\n${report}`)))
  })
  return { report, end: () => endGroup(child) }
}

/** Ends a process and all that it started. */
function endGroup(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve()
    child.once('exit', () => resolve())
    process.kill(-child.pid, 'SIGTERM')
  })
}
