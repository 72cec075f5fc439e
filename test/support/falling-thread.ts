/** A thread in place of the one that has pages drawn: it fails in the way that the text of the page names. */
import type { DrawnPage, RenderCalls } from '../../src/echo/renderer/render-calls.ts'
import { HandedOver } from '../../src/worker/calls.ts'
import { serveThread } from '../../src/worker/thread-server.ts'

serveThread<RenderCalls>(
  () => ({
    draw({ text }) {
      const failure = Buffer.concat(text).toString()
      if (failure === 'throws') setImmediate(() => fail('fallen'))
      if (failure === 'ends') process.exit(1)
      if (failure === 'takes all memory')
        for (const all: object[] = []; ; ) all.push(new Array(1_000_000).fill(0.5))
      const { promise, resolve } = Promise.withResolvers<HandedOver<DrawnPage>>()
      if (failure === 'draws') resolve(new HandedOver({ bytes: new Uint8Array(3), missing: [] }, []))
      return promise
    },
    close: () => process.exit(),
  }),
  String,
)

function fail(message: string): never {
  throw new Error(message)
}
