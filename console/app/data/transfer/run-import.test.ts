import { beforeEach, expect, test, vi } from 'vitest'
import { NoAnswer, type Problem, Refusal, TokenRefused } from '../../../../browser/refusal.ts'
import type { WritableField } from '../edit/stored-record.ts'
import { isForgotten, isInterrupted, withoutUnanswered } from './leave-out.ts'
import { type Import, ImportEnded, type ImportReport, nothingImported, runImport } from './run-import.ts'

/** What becomes of a call: it is carried out or not, and is answered or fails. */
type Answer = (carryOut: () => void, records: readonly { readonly id: number }[]) => void

const gateway = vi.hoisted(() => ({
  answers: [] as Answer[],
  stored: [] as number[],
  usedKeys: new Set<string>(),
  calls: [] as { path: string; key: string; ids: readonly number[] }[],
}))

vi.mock('../../api/gateway.ts', () => ({
  async callWithJson(
    _method: string,
    path: string,
    records: readonly { readonly id: number }[],
    headers: Readonly<Record<string, string>>,
  ) {
    const key = headers['idempotency-key'] ?? ''
    const ids = records.map(({ id }) => id)
    gateway.calls.push({ path, key, ids })
    const carryOut = () => {
      if (!gateway.usedKeys.has(key)) gateway.stored.push(...ids)
      gateway.usedKeys.add(key)
    }
    const answer = gateway.answers.shift() ?? taken
    answer(carryOut, records)
  },
}))

vi.mock('./patiently.ts', async (original) => ({
  ...(await original<typeof import('./patiently.ts')>()),
  patiently: async (call: () => Promise<unknown>) => call(),
  pause: async () => {},
}))

beforeEach(() => {
  gateway.answers = []
  gateway.stored = []
  gateway.usedKeys = new Set()
  gateway.calls = []
})

const taken: Answer = (carryOut) => carryOut()
const takenBut =
  (error: Error): Answer =>
  (carryOut) => {
    carryOut()
    throw error
  }
const refused =
  (error: Error): Answer =>
  () => {
    throw error
  }

function refusal(status: number, problem: Problem = {}): Refusal {
  return new Refusal(`status ${status}`, problem, new Response(null, { status }))
}

const noAnswer = () => new NoAnswer('There was no response.')
const sessionEnded = () => new TokenRefused('ended', {}, new Response(null, { status: 401 }))

/** Takes rows unless some of them are bad, of which it names the first one. */
const takenUnless =
  (isBad: (id: number) => boolean): Answer =>
  (carryOut, records) => {
    const index = records.findIndex(({ id }) => isBad(id))
    if (index >= 0) throw refusal(409, { errors: [{ pointer: `/${index}/id`, detail: 'bad' }] })
    carryOut()
  }

const { signal: never } = new AbortController()
const idField = { name: 'id', column: 'id', api_name: 'id', kind: 'integer' } as WritableField

function importOf(count: number, change: Partial<Import> = {}): Import {
  const lines = Array.from({ length: count }, (_, index) => `${index + 1}\n`)
  return {
    id: 'i1',
    file: new Blob(['id\n', ...lines]),
    form: { format: 'csv', encoding: 'utf-8', delimiter: ',', hasHeader: true },
    reading: { fields: [idField], matches: { id: 'id' }, empty: 'absent', format: 'csv' },
    path: '/apis/rows',
    mode: 'row',
    isDryRun: false,
    words: { fault: ({ kind }) => kind, sameBatch: (position) => `with ${position}` },
    ...change,
  }
}

/** The report of an import, whether it failed or not. */
async function reportOf(
  plan: Import,
  before: ImportReport = nothingImported,
  signal: AbortSignal = never,
): Promise<ImportReport> {
  try {
    return await runImport(plan, before, () => {}, signal)
  } catch (error) {
    if (error instanceof ImportEnded) return error.report
    throw error
  }
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

test.each<[string, number, readonly Answer[]]>([
  ['its answer was cut off', 1200, [taken, ...Array(4).fill(takenBut(new SyntaxError('Unexpected end')))]],
  ['the gateway failed', 1200, [taken, ...Array(4).fill(takenBut(refusal(500)))]],
  ['something before the gateway gave up', 1200, [taken, ...Array(4).fill(takenBut(refusal(524)))]],
  ['the session ended before its answer', 1200, [taken, takenBut(noAnswer()), refused(sessionEnded())]],
  ['the gateway became busy before its answer', 1200, [takenBut(noAnswer()), refused(refusal(429))]],
  ['the session ended after half of it', 8, [refused(refusal(413)), taken, refused(sessionEnded())]],
])('rows are kept once when an import goes on, even if %s', async (_name, count, answers) => {
  gateway.answers = [...answers]
  const plan = importOf(count)
  const first = await reportOf(plan)
  expect(first.imported).toBeLessThan(count)
  const second = await reportOf(plan, first)
  expect(gateway.stored.toSorted((a, b) => a - b)).toEqual(numbers(1, count))
  expect(second).toEqual({ imported: count, refused: [], done: count })
})

test('rows keep their key while it is unknown whether they were kept', async () => {
  gateway.answers = [takenBut(noAnswer()), ...Array(3).fill(refused(noAnswer()))]
  const plan = importOf(3)
  const first = await reportOf(plan)
  gateway.answers = [refused(sessionEnded())]
  const second = await reportOf(plan, first)
  await reportOf(plan, second)
  expect(gateway.stored).toEqual([1, 2, 3])
  expect(new Set(gateway.calls.map(({ key }) => key))).toEqual(new Set(['i1.1.3.3']))
})

test('a call that was refused before anything was unknown ends an import, and goes on with the same batch', async () => {
  gateway.answers = [taken, refused(sessionEnded())]
  const plan = importOf(600)
  const first = await reportOf(plan)
  expect(first).toEqual({ imported: 500, refused: [], done: 500 })
  expect(await reportOf(plan, first)).toEqual({ imported: 600, refused: [], done: 600 })
  expect(gateway.stored).toEqual(numbers(1, 600))
})

test('rows that are refused one by one do not make the others travel again and again', async () => {
  const isBad = (id: number) => id % 5 === 0
  gateway.answers = Array(1000).fill(takenUnless(isBad))
  const report = await reportOf(importOf(500))
  expect(report.refused.map(({ position }) => position)).toEqual(numbers(1, 500).filter(isBad))
  expect(gateway.stored).toEqual(numbers(1, 500).filter((id) => !isBad(id)))
  const sent = gateway.calls.reduce((sum, { ids }) => sum + ids.length, 0)
  expect(sent).toBeLessThan(500 * 20)
})

test('a check sends no more at once than an import, and stops between two calls', async () => {
  const controller = new AbortController()
  const stop: Answer = (carryOut, records) => {
    controller.abort()
    takenUnless(() => true)(carryOut, records)
  }
  gateway.answers = [taken, takenUnless((id) => id > 500), stop]
  const report = await reportOf(importOf(5000, { isDryRun: true }), nothingImported, controller.signal)
  expect(gateway.calls.map(({ path, ids }) => [path, ids.length])).toEqual([
    ['/apis/rows?dry_run=true', 500],
    ['/apis/rows?dry_run=true', 500],
    ['/apis/rows?dry_run=true', 499],
  ])
  expect(report).toEqual({
    imported: 500,
    refused: [501, 502].map((position) => ({ position, reasons: ['id: bad'] })),
    done: 500,
  })
})

test('rows of which it stays unknown whether they were kept can be left out', async () => {
  const stuck = refused(refusal(409, { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' }))
  gateway.answers = [taken, takenBut(noAnswer()), stuck]
  const plan = importOf(1002)
  const first = await reportOf(plan)
  expect(isInterrupted(first)).toBe(true)
  const second = await reportOf(plan, withoutUnanswered(first, 'unknown'))
  expect(second).toEqual({
    imported: 502,
    refused: numbers(501, 1000).map((position) => ({ position, reasons: ['unknown'] })),
    done: 1002,
  })
  expect(gateway.stored).toEqual(numbers(1, 1002))
})

test.each([
  ['in the middle of its second call', 2, false],
  ['after it', 2, true],
  ['at its first call', 1, true],
])(
  'an import whose tab was closed %s goes on from what was kept before each call',
  async (_name, calls, wasCarriedOut) => {
    const kept: ImportReport[] = []
    const plan = importOf(1200, { onSend: (report) => kept.push(report) })
    // The tab is gone: no line after this one runs.
    const closed: Answer = (carryOut) => {
      if (wasCarriedOut) carryOut()
      throw refusal(400)
    }
    gateway.answers = [...Array(calls - 1).fill(taken), closed]
    await reportOf(plan)
    const report = JSON.parse(JSON.stringify(kept.at(-1))) as ImportReport
    expect(report).toMatchObject({ imported: 500 * (calls - 1), unanswered: { last: 500 * calls } })
    expect(await reportOf(plan, report)).toEqual({ imported: 1200, refused: [], done: 1200 })
    expect(gateway.stored).toEqual(numbers(1, 1200))
  },
)

test('two tabs that go on with the same import do not import its rows twice', async () => {
  const plan = importOf(1200)
  gateway.answers = [taken, ...Array(4).fill(refused(noAnswer()))]
  const first = await reportOf(plan)
  const [one, other] = await Promise.all([reportOf(plan, first), reportOf(plan, first)])
  expect([one?.imported, other?.imported]).toEqual([1200, 1200])
  expect(gateway.stored).toEqual(numbers(1, 1200))
})

test('rows that were sent too long ago for the gateway to know them are not sent again', () => {
  const unanswered = { positions: [1], last: 1, sentAt: 1000 }
  const hours = (count: number) => 1000 + count * 60 * 60 * 1000
  const report = { ...nothingImported, unanswered }
  expect([isForgotten(report, hours(22)), isForgotten(report, hours(24))]).toEqual([false, true])
  expect(isForgotten(nothingImported)).toBe(false)
})

test('rows are left out only if the gateway cannot tell what became of them', async () => {
  gateway.answers = Array(4).fill(refused(noAnswer()))
  expect(isInterrupted(await reportOf(importOf(3)))).toBe(false)
  expect(isInterrupted(nothingImported)).toBe(false)
})
