import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A command of the program at a terminal. */
export interface AtTerminal {
  /** Waits until the terminal has shown something; throws if the command ends before. */
  shows(wanted: RegExp): Promise<void>
  /** Types a line. */
  type(line: string): void
  /** Everything that was shown, once the command has ended, and its exit code. `plain` is without control sequences. */
  readonly ended: Promise<{
    readonly exitCode: number | null
    readonly shown: string
    readonly plain: string
  }>
}

const controlStart = '\u001b'
const progress = new RegExp(`\\r${controlStart}\\[K[^\\r]*\\r`, 'g')
const controlSequence = new RegExp(`${controlStart}\\[[\\d;?]*[A-Za-z]`, 'g')

const program = fileURLToPath(new URL('../../src/bin/gatehouse.mjs', import.meta.url))

/** Runs a command at a pseudo terminal, by `script` of util-linux: output and errors come out of it together. */
export function atTerminal(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): AtTerminal {
  const command = [process.execPath, '--no-warnings', program, ...words].map(quoted).join(' ')
  // They decide about colours, and are not those of a person at a terminal.
  const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...inherited, TERM: 'xterm-256color', ...environment },
  })
  let shown = ''
  child.stdout.on('data', (piece: Buffer) => {
    shown += piece.toString()
  })
  const ended = exitOf(child).then((exitCode) => {
    const text = shown.replaceAll(/\r+\n/g, '\n')
    return { exitCode, shown: text, plain: text.replaceAll(progress, '').replaceAll(controlSequence, '') }
  })
  return {
    async shows(wanted) {
      while (!wanted.test(shown)) {
        if (child.stdout.readableEnded) throw new Error(`The command has ended:\n${shown}`)
        await new Promise((resolve) => {
          child.stdout.once('data', resolve)
          child.stdout.once('end', resolve)
        })
      }
    },
    type: (line) => child.stdin.write(`${line}\n`),
    ended,
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve))
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
