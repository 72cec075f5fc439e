import type { Serving } from '../../src/worker/call-server.ts'
import { type Call, HandedOver, Streamed } from '../../src/worker/calls.ts'

/** A worker for the tests of `src/worker/`. */
export interface OddCalls {
  /** The number of the call, what came with it, and what the worker was started with. */
  echo(value: unknown): readonly unknown[]
  /** Replies to this call only when `release` is called; `aborted` when it is cancelled before. */
  hold(argument: undefined, call: Call): Promise<string>
  release(value: string): void
  refuse(reason: string): never
  refuseLater(reason: string): Promise<never>
  fail(how: 'throws' | 'exits' | 'loops'): void
  count(upTo: number): Streamed<string, Uint8Array>
  /** How many streams were given up. */
  closed(argument: undefined): number
  size(bytes: Uint8Array): number
  announce(event: string): void
  leave(argument: undefined): void
}

/** The functions of the worker, which was started with a text. */
export function oddCalls(data: string, serving: Serving<string>): OddCalls {
  const held: ((value: string) => void)[] = []
  let closed = 0
  return {
    echo: (value) => [serving.current, value, data],
    hold: (_, { signal }) =>
      new Promise((resolve) => {
        held.push(resolve)
        signal.addEventListener('abort', () => serving.tell('aborted'))
      }),
    release: (value) => held.shift()?.(value),
    refuse: thrower,
    refuseLater: async (reason) => thrower(reason),
    fail(how) {
      if (how === 'exits') process.exit(1)
      while (how === 'loops') {
        // For ever.
      }
      setImmediate(() => thrower('fallen'))
    },
    count(upTo) {
      let number = 0
      const pieces: Iterator<HandedOver<Uint8Array>, void> = {
        next() {
          if (number === upTo) return { done: true, value: undefined }
          number += 1
          const bytes = Uint8Array.of(number)
          return { value: new HandedOver(bytes, [bytes.buffer]) }
        },
        return() {
          closed += 1
          return { done: true, value: undefined }
        },
      }
      return new Streamed(`up to ${upTo}`, pieces)
    },
    closed: () => closed,
    size: (bytes) => bytes.length,
    announce: (event) => serving.tell(event),
    leave: () => process.exit(),
  }
}

function thrower(reason: string): never {
  throw new RangeError(reason)
}
