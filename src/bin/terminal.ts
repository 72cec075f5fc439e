/** The terminal that the program was started from: colours, questions, and a line of progress. */
import { createInterface } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { OutputForm } from '../config/output-options.ts'

const styles = {
  heading: 'bold',
  good: 'green',
  caution: 'yellow',
  bad: 'red',
} as const

/** Text in a style, or unchanged where colours are not wanted. */
export type Paint = (style: keyof typeof styles, text: string) => string

/** What a command may use of a terminal. Each part is there only if its stream is a terminal. */
export interface Terminal {
  /** Columns of a line on standard output. */
  readonly columns?: number
  /** For text on standard output. */
  readonly paint: Paint
  /** For text on standard error. */
  readonly paintError: Paint
  /** Asks a person; whether the response is yes. */
  readonly confirm?: (question: string) => Promise<boolean>
  /** Shows a line in place of the one before; an empty one removes it. */
  readonly showProgress?: (line: string) => void
}

/** The streams of a process. */
export interface Streams {
  readonly stdin: ReadStream
  readonly stdout: WriteStream
  readonly stderr: WriteStream
}

/** Opens the terminal. Colours follow https://no-color.org and FORCE_COLOR, as Node.js reads them. */
export function openTerminal({ stdin, stdout, stderr }: Streams, color: OutputForm['color']): Terminal {
  return {
    paint: painter(stdout, color),
    paintError: painter(stderr, color),
    ...(stdout.isTTY && { columns: columnsOf(stdout) }),
    ...(stdin.isTTY && stderr.isTTY && { confirm: (question) => confirm({ stdin, stderr }, question) }),
    ...(stderr.isTTY && { showProgress: progressLine(stderr) }),
  }
}

/** Some terminals do not say how wide they are. */
function columnsOf({ columns }: WriteStream): number {
  return columns || 80
}

function painter(stream: WriteStream, color: OutputForm['color']): Paint {
  if (color === 'never') return (_, text) => text
  return (style, text) => styleText(styles[style], text, { stream, validateStream: color === 'auto' })
}

/** The end of the input, or Ctrl-C, is no. */
function confirm({ stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'>, question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const reader = createInterface({ input: stdin, output: stderr })
    reader.once('close', () => resolve(false))
    reader.question(`${question} [y/N] `, (response) => {
      resolve(/^\s*y(es)?\s*$/i.test(response))
      reader.close()
    })
  })
}

/** The cursor stays at the start of the line: what others write there replaces it. */
function progressLine(stream: WriteStream): (line: string) => void {
  let isShown = false
  return (line) => {
    if (line === '' && !isShown) return
    isShown = line !== ''
    const fitting = [...line].slice(0, columnsOf(stream) - 1).join('')
    stream.write(`\r\u001b[K${fitting}\r`)
  }
}
