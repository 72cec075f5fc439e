/** A thread in place of the one that has pages drawn: it fails in the way that the text of the page names. */
import { parentPort } from 'node:worker_threads'
import type { RenderRequest } from '../../src/echo/renderer/thread-protocol.ts'

parentPort?.on('message', (request: RenderRequest) => {
  if (request.kind === 'close') process.exit()
  if (request.kind !== 'draw') return
  const text = Buffer.concat(request.order.text).toString()
  if (text === 'throws') throw new Error('fallen')
  if (text === 'ends') process.exit(1)
  if (text === 'takes all memory') for (const all: object[] = []; ; ) all.push({ number: all.length })
  if (text === 'draws') parentPort?.postMessage({ kind: 'drawn', job: request.job, bytes: new Uint8Array(3) })
})
