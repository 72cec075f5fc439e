import { describe, expect, test } from 'vitest'
import { recordedInvocation } from '../../test/support/recorded-invocation.ts'
import type { Event } from '../observe/events.ts'
import { runService, type ServicePlan } from './run-service.ts'

const running = {
  address: 'http://127.0.0.1:1',
  tableCount: 3,
  report: 'It runs.',
  drain: async (until: Promise<unknown>) => void (await until),
  close: async () => {},
}

async function run(plan: Partial<ServicePlan>, ...signals: readonly string[]) {
  const invocation = recordedInvocation()
  const events: Event[] = []
  const result = runService(
    {
      start: async () => running,
      explainFailure: () => undefined,
      drainDelayMs: 0,
      shutdownTimeoutMs: 5000,
      observe: (event) => events.push(event),
      ...plan,
    },
    invocation,
  )
  for (const signal of signals) {
    await new Promise((resolve) => setImmediate(resolve))
    invocation.signal(signal)
  }
  const { output, errors } = invocation
  return { exitCode: await result, output, errors, events: events.map(({ kind }) => kind) }
}

const hanging = { ...running, close: () => new Promise<void>(() => {}) }

describe('a service', () => {
  test('tells about its start, and ends well on a signal', async () => {
    expect(await run({}, 'SIGTERM')).toEqual({
      exitCode: 0,
      output: ['It runs.'],
      errors: [],
      events: ['Started', 'Stopping', 'Stopped'],
    })
  })
  test('is cut off by a second signal', async () => {
    expect(await run({ start: async () => hanging }, 'SIGINT', 'SIGINT')).toMatchObject({
      exitCode: 1,
      errors: ['Requests may have been aborted: a second signal came.'],
    })
  })
  test('is cut off after its time', async () => {
    expect(await run({ start: async () => hanging, shutdownTimeoutMs: 5 }, 'SIGTERM')).toMatchObject({
      exitCode: 1,
      errors: ['Requests were aborted: they took longer than shutdown_timeout.'],
    })
  })
  test('takes requests for a while after SIGTERM, and not after SIGINT', async () => {
    const hour = { drainDelayMs: 3_600_000, shutdownTimeoutMs: 5 }
    expect(await run(hour, 'SIGINT')).toMatchObject({ exitCode: 0, errors: [] })
    expect(await run(hour, 'SIGTERM', 'SIGTERM')).toMatchObject({
      exitCode: 1,
      errors: ['Requests may have been aborted: a second signal came.'],
    })
  })
  test('says that it did not end well', async () => {
    const close = () => Promise.reject(new Error('disk full'))
    expect(await run({ start: async () => ({ ...running, close }) }, 'SIGTERM')).toMatchObject({
      exitCode: 1,
      errors: ['The service did not stop cleanly: disk full'],
    })
  })
  test('gives up a start that is stopped', async () => {
    expect(await run({ start: () => new Promise(() => {}) }, 'SIGINT')).toMatchObject({
      exitCode: 1,
      output: [],
      events: [],
    })
  })
  test('explains a failure that was foreseen in one line', async () => {
    const failing: Partial<ServicePlan> = { start: () => Promise.reject(new Error('inner')) }
    expect(await run({ ...failing, explainFailure: () => 'The port is in use.' })).toEqual({
      exitCode: 1,
      output: [],
      errors: ['The port is in use.'],
      events: [],
    })
    expect(await run(failing)).toEqual({
      exitCode: 1,
      output: [],
      errors: ['The start failed: inner'],
      events: ['StartFailed'],
    })
  })
})
