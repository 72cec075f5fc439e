import { expect, test } from 'vitest'
import { LoginNeeded, Refusal, TokenRefused } from '../../../../browser/refusal.ts'
import { runBulk, takingBack } from './run-bulk.ts'

const quiet = () => {}
const { signal } = new AbortController()

const refusal = (status: number, code: string) =>
  new Refusal(code, { code }, Response.json({ code }, { status }))

/** Records that refer to another one, or to none: one that is referred to stays. */
function tree(parents: Readonly<Record<string, string | undefined>>) {
  const stored = new Set(Object.keys(parents))
  return {
    stored,
    remove: async (id: string) => {
      if ([...stored].some((other) => parents[other] === id)) throw refusal(409, 'IN_USE')
      stored.delete(id)
      return id
    },
    create: async (id: string) => {
      const parent = parents[id]
      if (parent !== undefined && !stored.has(parent)) throw refusal(422, 'RECORD_INVALID')
      stored.add(id)
    },
  }
}

test('a tree is deleted from its leaves, and comes back from its root', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `t${index}`)
  const parents = Object.fromEntries(ids.map((id, index) => [id, index === 0 ? undefined : `t${index - 1}`]))
  const { stored, remove, create } = tree(parents)
  const nameOf = (id: string) => id
  const deleted = await runBulk({ items: ids, nameOf, act: remove }, quiet, signal)
  expect({ problems: deleted.problems, unsent: deleted.unsent, left: [...stored] }).toEqual({
    problems: [],
    unsent: 0,
    left: [],
  })
  const undone = await runBulk(takingBack({ done: deleted.done, nameOf, undo: create }), quiet, signal)
  expect({ problems: undone.problems, unsent: undone.unsent }).toEqual({ problems: [], unsent: 0 })
  expect(undone.done.toSorted()).toEqual(ids.toSorted())
  expect(stored.size).toBe(30)
})

test('what cannot come back is tried as long as that helps', async () => {
  const { stored, create } = tree({ a: 'elsewhere', b: undefined, c: 'b' })
  stored.clear()
  const work = takingBack({ done: ['a', 'b', 'c'], nameOf: (id: string) => id, undo: create })
  expect(await runBulk(work, quiet, signal)).toMatchObject({
    done: expect.arrayContaining(['b', 'c']),
    problems: [{ name: 'a', kind: 'refused', reason: 'RECORD_INVALID' }],
    unsent: 0,
  })
})

test('a session that ends, ends the work: what was not done is as it was', async () => {
  for (const end of [
    new LoginNeeded('/auth', {}, new Response(null, { status: 401 })),
    new TokenRefused('The token has ended.', {}, new Response(null, { status: 401 })),
  ]) {
    let calls = 0
    const act = async (id: number) => {
      calls += 1
      if (calls > 5) throw end
      return id
    }
    const items = Array.from({ length: 100 }, (_, index) => index)
    const report = await runBulk({ items, nameOf: String, act }, quiet, signal)
    expect(report).toMatchObject({ problems: [], unsent: 95, hasSessionEnded: true })
    expect(report.done).toHaveLength(5)
    expect(calls).toBeLessThan(10)
  }
})

test('stopping while the gateway asks to wait leaves those records as they were', async () => {
  const stop = new AbortController()
  const wait = { status: 429, headers: { 'retry-after': '60' } }
  const act = async () => {
    setImmediate(() => stop.abort())
    throw new Refusal('Slow down.', {}, new Response(null, wait))
  }
  expect(await runBulk({ items: [1, 2], nameOf: String, act }, quiet, stop.signal)).toEqual({
    count: 0,
    done: [],
    problems: [],
    unsent: 2,
    hasSessionEnded: false,
  })
})

test('of more records than can be taken back, only the number is kept', async () => {
  const items = Array.from({ length: 25 }, (_, index) => index)
  const run = (mostKept: number) =>
    runBulk({ items, nameOf: String, act: async (id: number) => id, mostKept }, quiet, signal)
  expect(await run(25)).toMatchObject({ count: 25, done: items })
  expect(await run(24)).toMatchObject({ count: 25, done: [] })
})
