import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createRenderer } from '../../src/echo/renderer/create-renderer.ts'
import type { RenderJob } from '../../src/echo/renderer/render-calls.ts'
import { AppError } from '../../src/errors/app-error.ts'
import type { Event } from '../../src/observe/events.ts'
import { echoOf } from '../support/echo-template.ts'
import { ownTemporaryFolder } from '../support/temporary-folder.ts'

const template = { format: 'html', text: 'x' }
const { renderer: settings, templates } = echoOf({ templates: { template }, parallel: 2, timeout: '5s' })
const thread = new URL('../support/falling-thread.ts', import.meta.url)

let temporary: Awaited<ReturnType<typeof ownTemporaryFolder>>
beforeAll(async () => {
  temporary = await ownTemporaryFolder()
})
afterAll(() => temporary.remove())

let events: Event[]
let renderer: ReturnType<typeof createRenderer>
afterEach(() => renderer.close())

function start() {
  events = []
  renderer = createRenderer(settings, (event) => events.push(event), thread)
}

const waiting = () => new AbortController().signal

/** What comes of a page with a text. */
async function draw(text: string, signal = waiting()): Promise<unknown> {
  const [first] = templates
  if (first === undefined) throw new Error('There is a template.')
  const { page, image, format } = first
  const order: RenderJob = {
    picture: 'pdf',
    title: 'a',
    format,
    page,
    image,
    text: [new TextEncoder().encode(text)],
  }
  try {
    return (await renderer.draw(order, signal)).bytes.length
  } catch (error) {
    return error instanceof AppError ? [error.code, error.headers['retry-after']] : error
  }
}

test.each([
  ['throws', 'Its thread has ended: fallen'],
  ['ends', 'Its thread has ended.'],
  ['takes all memory', expect.stringMatching(/^Its thread has ended: .*memory/)],
])('K9: a thread that %s is replaced, and leaves no folder', async (failure, reason) => {
  start()
  const others = draw('waits')
  expect(await draw(failure)).toEqual(['RENDERER_FAILED', '1'])
  expect(await others).toEqual(['RENDERER_FAILED', '1'])
  expect(await draw('draws')).toBe(3)
  expect(events).toEqual([{ kind: 'RendererLost', reason }])
  expect(await readdir(tmpdir())).toEqual([expect.stringMatching(/^gatehouse-browser-/)])
  await renderer.close()
  expect(await readdir(tmpdir())).toEqual([])
})

test('who leaves gives up the place, and who waits at the end is refused', async () => {
  start()
  const leaving = new AbortController()
  const left = [draw('waits', leaving.signal), draw('waits', leaving.signal)]
  const late = draw('draws')
  leaving.abort(new Error('gone'))
  expect(await Promise.all(left)).toEqual([new Error('gone'), new Error('gone')])
  expect(await late).toBe(3)
  const waits = draw('waits')
  await draw('draws')
  await renderer.close()
  expect(await waits).toEqual(['SHUTTING_DOWN', undefined])
  expect(await draw('draws')).toEqual(['SHUTTING_DOWN', undefined])
})
