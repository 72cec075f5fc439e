import { afterEach, describe, expect, test } from 'vitest'
import type { OddCalls } from '../../test/support/odd-worker-calls.ts'
import { inProcess, inThread } from './start-worker.ts'
import { WorkerChannel } from './worker-channel.ts'
import type { WorkerLost } from './worker-lost.ts'

const threadFile = new URL('../../test/support/odd-thread.ts', import.meta.url)
const processFile = new URL('../../test/support/odd-process.ts', import.meta.url)

let channel: WorkerChannel<OddCalls, string>
let losses: WorkerLost[]
let events: string[]
let onEvent: () => void
afterEach(() => channel.end())

function start(kind: string) {
  losses = []
  events = []
  onEvent = () => undefined
  const worker = kind === 'thread' ? inThread(threadFile, { data: 'data' }) : inProcess(processFile, 'data')
  channel = new WorkerChannel(worker, {
    errorOf: (fault) => new Error(`fault: ${fault}`),
    onLost: (lost) => losses.push(lost),
    onEvent: (event) => {
      events.push(event)
      onEvent()
    },
  })
}

/** The error of a call that gets no reply. */
const lossOf = (call: Promise<unknown>) =>
  call.then(
    (value) => ({ value }),
    ({ reason, isOldest }: WorkerLost) => ({ reason, isOldest }),
  )

/** The next event. */
const heard = () =>
  new Promise<void>((resolve) => {
    onEvent = resolve
  })

describe.each(['thread', 'process'])('in a %s', (kind) => {
  test('calls arrive in the order in which they are made, with the numbers that the caller knows', async () => {
    start(kind)
    const numbers = [1, 2, 3].map((value) => {
      const id = channel.nextId
      return channel.call('echo', value).then((reply) => ({ id, reply }))
    })
    expect(await Promise.all(numbers)).toEqual(
      [1, 2, 3].map((value) => ({ id: value, reply: [value, value, 'data'] })),
    )
  })

  test('replies may come in another order', async () => {
    start(kind)
    const order: string[] = []
    const first = channel.call('hold', undefined).then((value) => order.push(value))
    const second = channel.call('hold', undefined).then((value) => order.push(value))
    await channel.call('echo', 'last').then(() => order.push('third'))
    expect(channel.oldestId).toBe(1)
    channel.tell('release', 'first')
    await first
    channel.tell('release', 'second')
    await second
    expect(order).toEqual(['third', 'first', 'second'])
    expect(channel.oldestId).toBe(0)
  })

  test('what a function throws refuses its call alone', async () => {
    start(kind)
    const calls = [
      channel.call('refuse', 'now'),
      channel.call('refuseLater', 'later'),
      channel.call('echo', 1),
    ]
    expect(await Promise.allSettled(calls)).toEqual([
      { status: 'rejected', reason: new Error('fault: RangeError: now') },
      { status: 'rejected', reason: new Error('fault: RangeError: later') },
      { status: 'fulfilled', value: [3, 1, 'data'] },
    ])
    channel.tell('refuse', 'no one waits')
    channel.tell('refuseLater', 'no one waits')
    expect(await channel.call('echo', 2)).toEqual([4, 2, 'data'])
    expect(losses).toEqual([])
  })

  test.each(['throws', 'exits'] as const)('a worker that %s refuses all calls, and is over', async (how) => {
    start(kind)
    const held = [channel.call('hold', undefined), channel.call('hold', undefined)].map(lossOf)
    channel.tell('fail', how)
    expect(await Promise.all(held)).toEqual([
      { reason: 'failed', isOldest: true },
      { reason: 'failed', isOldest: false },
    ])
    await channel.gone
    expect(channel.isOver).toBe(true)
    expect(await lossOf(channel.call('echo', 1))).toEqual({ reason: 'failed', isOldest: false })
    channel.tell('echo', 1)
    expect(losses.map(({ reason }) => reason)).toEqual(['failed'])
  })

  test('a mute worker is ended, whatever it does; those who wait behind know that it was not for them', async () => {
    start(kind)
    await channel.call('echo', 'it is there')
    const calls = [
      channel.call('fail', 'loops', { timeoutMs: 50 }),
      channel.call('echo', 1, { timeoutMs: 50 }),
      channel.call('hold', undefined),
    ]
    expect(await Promise.all(calls.map(lossOf))).toEqual([
      { reason: 'mute', isOldest: true },
      { reason: 'mute', isOldest: false },
      { reason: 'mute', isOldest: false },
    ])
    await channel.gone
    expect(losses.map(({ reason }) => reason)).toEqual(['mute'])
  })

  test('time counts from when all earlier calls have their replies', async () => {
    start(kind)
    const first = channel.call('hold', undefined)
    const second = lossOf(channel.call('hold', undefined, { timeoutMs: 1 }))
    // A hundred replies later, the second still waits behind the first.
    for (let time = 0; time < 100; time += 1) await channel.call('echo', time)
    expect(channel.isOver).toBe(false)
    channel.tell('release', 'first')
    expect(await first).toBe('first')
    expect(await second).toEqual({ reason: 'mute', isOldest: true })
  })

  test('ending it refuses who waits; a worker may be given the time to end by itself', async () => {
    start(kind)
    const held = lossOf(channel.call('hold', undefined))
    await channel.call('echo', 1)
    channel.tell('leave', undefined)
    const ended = channel.end(60_000)
    expect(await held).toEqual({ reason: 'closed', isOldest: true })
    await ended
    expect(await lossOf(channel.call('echo', 1))).toEqual({ reason: 'closed', isOldest: false })
    await channel.end()
    expect(losses).toEqual([])
  })

  test('one that does not end by itself is ended', async () => {
    start(kind)
    await channel.call('echo', 1)
    channel.tell('fail', 'loops')
    await channel.end(20)
    await channel.gone
  })

  test('an end with a cause is a failure', async () => {
    start(kind)
    const held = lossOf(channel.call('hold', undefined))
    await channel.end(0, new Error('of no more use'))
    expect(await held).toEqual({ reason: 'failed', isOldest: true })
    expect(losses.map(({ message }) => message)).toEqual(['The worker has ended: of no more use'])
  })

  test('a result comes in pieces, as they are asked for', async () => {
    start(kind)
    const [two, many] = await Promise.all([channel.open('count', 2), channel.open('count', 1e9)])
    expect([two.head, many.head]).toEqual(['up to 2', 'up to 1000000000'])
    expect((await two.next())?.[0]).toBe(1)
    expect((await many.next())?.[0]).toBe(1)
    expect((await two.next())?.[0]).toBe(2)
    expect(await two.next()).toBeUndefined()
    expect(await two.next()).toBeUndefined()
    two.close()
    many.close()
    expect(await channel.call('closed', undefined)).toBe(1)
    expect(await many.next()).toBeUndefined()
  })

  test('memory of an argument changes hands', async () => {
    start(kind)
    const bytes = new Uint8Array(5)
    expect(await channel.call('size', bytes, { handedOver: [bytes.buffer] })).toBe(5)
    // Between processes there is a copy.
    expect(bytes.length).toBe(kind === 'thread' ? 0 : 5)
  })

  test('who goes away waits no longer, and the worker gets to know', async () => {
    start(kind)
    const leaving = new AbortController()
    const held = channel.call('hold', undefined, { signal: leaving.signal })
    const other = channel.call('hold', undefined)
    await channel.call('echo', 1)
    const event = heard()
    leaving.abort(new Error('gone'))
    await expect(held).rejects.toThrow('gone')
    await event
    expect(events).toEqual(['aborted'])
    await expect(channel.call('echo', 1, { signal: leaving.signal })).rejects.toThrow('gone')
    channel.tell('release', 'the reply that no one waits for')
    channel.tell('release', 'other')
    expect(await other).toBe('other')
    expect(channel.oldestId).toBe(0)
  })

  test('a worker says something unasked', async () => {
    start(kind)
    const event = heard()
    channel.tell('announce', 'news')
    await event
    expect(events).toEqual(['news'])
  })
})

test('a thread that cannot be started is lost', async () => {
  losses = []
  channel = new WorkerChannel(inThread(new URL('./absent.ts', import.meta.url), { data: undefined }), {
    errorOf: () => new Error(),
    lostError: ({ reason, cause }) => new Error(`${reason}: ${cause instanceof Error}`),
  })
  await expect(channel.call('echo', 1)).rejects.toThrow('failed: true')
  await channel.gone
})
