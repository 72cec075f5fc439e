/**
 * The thread that has pages drawn: the library which drives the browser works for each file, and would keep the
 * requests of others waiting.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { invariant } from '../../errors/invariant.ts'
import type { RendererSettings } from '../echo-settings.ts'
import { refusalOf } from '../refusal.ts'
import { createPageRenderer } from './page-renderer.ts'
import { stepBackThread } from './processes.ts'
import type { RenderJob, RenderMessage, RenderRequest } from './thread-protocol.ts'

const port = parentPort
invariant(port !== null, 'this file runs in a thread')

stepBackThread()
const drawer = createPageRenderer(workerData as RendererSettings, (event) => post({ kind: 'event', event }))
const jobs = new Map<number, AbortController>()
port.on('message', (request: RenderRequest) => {
  if (request.kind === 'draw') void draw(request.job, request.order)
  else if (request.kind === 'leave') jobs.get(request.job)?.abort()
  else void end()
})
// A thread that just fell would leave its browser to nobody.
process.on('uncaughtException', (error) => {
  post({ kind: 'failed', refusal: refusalOf(error) })
  void end()
})

async function draw(job: number, order: RenderJob): Promise<void> {
  const controller = new AbortController()
  jobs.set(job, controller)
  try {
    const bytes = ownBytes(await drawer.draw(order, controller.signal))
    post({ kind: 'drawn', job, bytes }, [bytes.buffer])
  } catch (error) {
    if (!controller.signal.aborted) post({ kind: 'refused', job, refusal: refusalOf(error) })
  } finally {
    jobs.delete(job)
  }
}

async function end(): Promise<void> {
  try {
    await drawer.close()
  } finally {
    process.exit()
  }
}

/** Bytes that share their buffer with nothing else, so that it can be given away. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return isAlone ? new Uint8Array(buffer) : Uint8Array.from(bytes)
}

function post(message: RenderMessage, transfer: readonly ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer)
}
