import type { Invocation } from '../../src/bin/command.ts'

/** What a command wrote, and the way to send it signals. */
export interface RecordedInvocation extends Invocation {
  readonly output: string[]
  readonly errors: string[]
  signal(name: string): void
}

/** An invocation for tests, which keeps what is written. */
export function recordedInvocation(...words: readonly string[]): RecordedInvocation {
  const output: string[] = []
  const errors: string[] = []
  const listeners: ((signal: string) => void)[] = []
  return {
    words,
    environment: {},
    readText: () => {
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    },
    print: (text) => output.push(text),
    isTerminal: false,
    warn: (text) => errors.push(text),
    onEndSignal: (listener) => listeners.push(listener),
    onReloadSignal: () => {},
    version: '1.2.3',
    output,
    errors,
    signal: (name) => {
      for (const listener of listeners) listener(name)
    },
  }
}
