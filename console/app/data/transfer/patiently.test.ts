import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Refusal } from '../../../../browser/refusal.ts'
import { patiently } from './patiently.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refusal = (status: number, code: string, after?: string) => {
  const headers: HeadersInit = after === undefined ? {} : { 'retry-after': after }
  return new Refusal(code, { code }, new Response(null, { status, headers }))
}
const inProgress = (after?: string) => refusal(409, 'IDEMPOTENCY_KEY_IN_PROGRESS', after)

/** Makes a call that is refused some times; gives what comes of it, how often it was made, and the seconds until then. */
async function outcomeOf(refused: Refusal, times: number, signal = new AbortController().signal) {
  let calls = 0
  const began = Date.now()
  const call = async () => {
    calls += 1
    if (calls <= times) throw refused
    return 'done'
  }
  const result = patiently(call, signal).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return { result: await result, calls, seconds: (Date.now() - began) / 1000 }
}

test('a call waits as long as the gateway asks for, eight times', async () => {
  expect(await outcomeOf(refusal(429, 'RATE_LIMITED', '7'), 2)).toEqual({
    result: 'done',
    calls: 3,
    seconds: 14,
  })
  const limited = refusal(429, 'RATE_LIMITED')
  expect(await outcomeOf(limited, 100)).toEqual({ result: limited, calls: 8, seconds: 7 })
})

test('a call whose key is in use waits for longer than a minute', async () => {
  expect(await outcomeOf(inProgress('1'), 35)).toEqual({ result: 'done', calls: 36, seconds: 70 })
  const busy = inProgress('1')
  expect(await outcomeOf(busy, 100)).toEqual({ result: busy, calls: 40, seconds: 78 })
})

test('a call does not wait if that is no use', async () => {
  for (const refused of [inProgress(), refusal(409, 'IN_USE'), refusal(503, 'DATABASE_UNAVAILABLE', '1')]) {
    expect(await outcomeOf(refused, 1)).toEqual({ result: refused, calls: 1, seconds: 0 })
  }
})

test('a call that is cancelled while it waits says what is known of it', async () => {
  const cancelled = async (refused: Refusal) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort('cancelled'), 500)
    return (await outcomeOf(refused, 100, controller.signal)).result
  }
  expect(await cancelled(refusal(429, 'RATE_LIMITED'))).toBe('cancelled')
  const busy = inProgress('1')
  expect(await cancelled(busy)).toBe(busy)
})
