/**
 * What an account may not see, it is told in no way: databases that differ only in that answer all of its requests alike,
 * byte by byte. What they differ in is in `hidden-world.ts`; a new request is a line in `leak-requests.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differencesOf } from '../support/leaks/compare-worlds.ts'
import {
  accountNames,
  type HiddenWorld,
  hiddenParts,
  seenRecords,
  startHiddenWorld,
} from '../support/leaks/hidden-world.ts'
import { readingRequests, writingRequests } from '../support/leaks/leak-requests.ts'
import { oneOf, partOf } from '../support/part-of.ts'
import { anyProduct, products } from '../support/products.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

describe.each(anyProduct('MariaDB'))('$name', (product) => {
  const start = products.indexOf(product)
  const reads = partOf(readingRequests, 12, start, 3)
  const writes = partOf(writingRequests, 12, start, 3)

  describe.each(oneOf(accountNames, product))('the account "%s"', (account) => {
    const worlds: HiddenWorld[] = []
    beforeAll(async () => {
      for (const part of hiddenParts) worlds.push(await startHiddenWorld(product, part))
    })
    afterAll(async () => {
      for (const world of worlds) await world.close()
    })
    const call = ({ gateway, tokens }: HiddenWorld, method: string, path: string, body?: unknown) =>
      gateway.request(method, path, { token: tokens[account], ...(body !== undefined && { body }) })

    test('sees something, and not everything', async () => {
      const [world] = worlds as [HiddenWorld]
      const seen = (await call(world, 'GET', '/apis/ports')).body as Json[]
      const all = seenRecords.map((number) => `p${number}`)
      expect(seen.map(({ id }) => id)).toEqual(account === 'rows' ? ['p1', 'p3', 'p5', 'p7'] : all)
      const secrets = seen.map(({ secret }) => secret).filter((secret) => secret !== null)
      expect(secrets).toEqual(['own 1', 'own 0', 'own 2', 'own 1'])
    })

    test(`${reads.length} requests that read are answered alike`, async () => {
      const differences: string[] = []
      for (const request of reads) differences.push(...(await differencesOf(worlds, account, request)))
      expect(differences).toEqual([])
    })

    test(`${writes.length} requests that write are answered alike, and change nothing hidden`, async () => {
      const before = await Promise.all(worlds.map(hiddenState))
      const differences: string[] = []
      for (const request of writes) differences.push(...(await differencesOf(worlds, account, request)))
      for (const path of ['/apis/ports', '/apis/notes', '/apis/tenants'])
        differences.push(...(await differencesOf(worlds, account, { method: 'GET', path })))
      expect(differences).toEqual([])
      expect(await Promise.all(worlds.map(hiddenState))).toEqual(before)
    })

    test('a taken value and a reference from elsewhere are conflicts that name no record', async () => {
      const [many, , none] = worlds as [HiddenWorld, HiddenWorld, HiddenWorld]
      const port = {
        id: 'taken',
        name: 'new',
        kind: 'open',
        tenantId: 'a',
        active: true,
        code: 'hidden port 5',
      }
      // What refers to it and is seen is deleted first.
      for (const { gateway } of [many, none])
        for (const id of ['n7', 'n8']) await gateway.request('DELETE', `/apis/notes/${id}`)
      const created = [
        await call(many, 'POST', '/apis/ports', port),
        await call(none, 'POST', '/apis/ports', port),
      ]
      const removed = [
        await call(many, 'DELETE', '/apis/ports/p7'),
        await call(none, 'DELETE', '/apis/ports/p7'),
      ]
      expect([...created, ...removed].map(({ status }) => status)).toEqual([409, 201, 409, 204])
      const conflicts = [created[0], removed[0]].map((answer) => answer?.body as Json)
      expect(conflicts.map(({ code, detail, errors }) => [code, detail, errors])).toEqual([
        [
          'VALUE_NOT_UNIQUE',
          'There is one mistake; "errors" says where.',
          [{ pointer: '/code', detail: 'Another Port has the code "hidden port 5" already.' }],
        ],
        [
          'IN_USE',
          'Records refer to this Port. Delete them, or let them refer to another one, first.',
          undefined,
        ],
      ])
    })
  })
})

/** Everything that no account here may change. */
async function hiddenState({ gateway }: HiddenWorld): Promise<unknown> {
  const lists: unknown[] = []
  for (const resource of ['tenants', 'ports', 'notes']) {
    const { body } = await gateway.request('GET', `/apis/${resource}`)
    lists.push((body as Json[]).filter(({ id }) => /^[a-z]\d-\d+$|^far$|^b$/.test(id)))
  }
  for (const id of ['p2', 'p4', 'p6', 'p8']) {
    const { secret, speed, rate, since, active, data, code } = (
      await gateway.request('GET', `/apis/ports/${id}`)
    ).body as Json
    lists.push({ secret, speed, rate, since, active, data, code })
  }
  return lists
}
