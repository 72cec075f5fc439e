/**
 * The thread that renders pages: the library that drives the browser needs CPU time for each file, which would delay
 * other requests.
 */
import type { Serving } from '../../worker/call-server.ts'
import { HandedOver } from '../../worker/calls.ts'
import { serveThread } from '../../worker/thread-server.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { refusalOf } from '../refusal.ts'
import { createPageRenderer } from './page-renderer.ts'
import { stepBackThread } from './processes.ts'
import type { RenderCalls, RenderEvent } from './render-calls.ts'

stepBackThread()
serveThread(serveRenderer, refusalOf)

function serveRenderer(settings: RendererSettings, serving: Serving<RenderEvent>): RenderCalls {
  const renderer = createPageRenderer(settings, (event) => serving.tell({ kind: 'event', event }))
  const close = async () => {
    try {
      await renderer.close()
    } finally {
      process.exit()
    }
  }
  // A thread that fails without this would leave its browser behind.
  process.on('uncaughtException', (error) => {
    serving.tell({ kind: 'failed', refusal: refusalOf(error) })
    void close()
  })
  return {
    async draw(job, { signal }) {
      const drawn = await renderer.draw(job, signal)
      const bytes = ownBytes(drawn.bytes)
      return new HandedOver({ ...drawn, bytes }, [bytes.buffer])
    },
    close,
  }
}

/** Bytes in a buffer of their own, which can be transferred. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return isAlone ? new Uint8Array(buffer) : Uint8Array.from(bytes)
}
