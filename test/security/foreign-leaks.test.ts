/**
 * The same as `leaks.test.ts` for tables of another program, adopted and only connected, with keys and references of several
 * columns. What the databases differ in is in `foreign-worlds.ts`; a new request is a line in `foreign-reads.ts` or
 * `foreign-writes.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differencesOf } from '../support/leaks/compare-worlds.ts'
import { foreignAccounts } from '../support/leaks/foreign-authorities.ts'
import { foreignReads } from '../support/leaks/foreign-reads.ts'
import {
  adoptedTables,
  type ForeignWorld,
  hiddenKeys,
  startForeignWorld,
} from '../support/leaks/foreign-worlds.ts'
import { foreignWrites } from '../support/leaks/foreign-writes.ts'
import { hiddenParts } from '../support/leaks/hidden-world.ts'
import { oneOf, partOf } from '../support/part-of.ts'
import { anyProduct, products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  const start = products.indexOf(product)

  describe.each(oneOf(foreignAccounts, product))('the account "%s"', (account) => {
    const own = start + products.length * foreignAccounts.indexOf(account)
    const reads = partOf(foreignReads, 54, own, 18)
    const writes = partOf(foreignWrites, 54, own, 18)
    const worlds: ForeignWorld[] = []
    beforeAll(async () => {
      for (const part of hiddenParts) worlds.push(await startForeignWorld(product, part))
    })
    afterAll(async () => {
      for (const world of worlds) await world.close()
    })
    const call = async ({ gateway, tokens }: ForeignWorld, method: string, path: string, body?: unknown) => {
      const answer = await gateway.request(method, path, {
        token: tokens[account] ?? null,
        ...(body !== undefined && { body }),
      })
      const { requestId: _, ...told } = Object(answer.body)
      return { status: answer.status, body: told }
    }

    test('sees something, and not everything', async () => {
      const [{ gateway, tokens }] = worlds as [ForeignWorld]
      const { body } = await gateway.request('GET', '/apis/sites', { token: tokens[account] ?? null })
      const numbers = (body as { readonly number: number }[]).map(({ number }) => number)
      expect(numbers).toEqual(account === 'rows' ? [1, 3, 5, 7] : [1, 2, 3, 4, 5, 6, 7, 8])
    })

    test(`${reads.length} requests that read are answered alike`, async () => {
      const differences: string[] = []
      for (const request of reads) differences.push(...(await differencesOf(worlds, account, request)))
      expect(differences).toEqual([])
    })

    test(`${writes.length} requests that write are answered alike, and change nothing hidden`, async () => {
      const before = await Promise.all(worlds.map(hiddenRows))
      const differences: string[] = []
      for (const request of writes) differences.push(...(await differencesOf(worlds, account, request)))
      for (const path of ['/apis/sites', '/apis/regions', '/apis/badges', '/apis/orders'])
        differences.push(...(await differencesOf(worlds, account, { method: 'GET', path })))
      expect(differences).toEqual([])
      expect(await Promise.all(worlds.map(hiddenRows))).toEqual(before)
    })

    test('a taken value is a conflict that tells nothing of the record', async () => {
      const [many, others, none] = worlds as [ForeignWorld, ForeignWorld, ForeignWorld]
      const documents = [
        ['sites', { number: 801, title: 'hidden 5' }],
        ['sites', { number: hiddenKeys.site(5), title: 'own' }],
        ['orders', { select: hiddenKeys.order(5) }],
      ] as const
      for (const [resource, document] of documents) {
        const path = `/apis/${resource}`
        const conflict = await call(many, 'POST', path, document)
        expect(conflict.status).toBe(409)
        expect(await call(others, 'POST', path, document)).toEqual(conflict)
        expect((await call(none, 'POST', path, document)).status).not.toBe(409)
        expect(JSON.stringify(conflict.body)).not.toMatch(/"b"|secret|far|keeper/)
      }
    })
  })
})

/** The rows that no account here may change, as they are stored. */
async function hiddenRows({ options }: ForeignWorld): Promise<unknown> {
  const rows: unknown[] = []
  for (const table of [...adoptedTables, 'keeper', 'entry'])
    rows.push(await runStatements(options, [`select * from \`${table}\` where team = 'b' order by 1, 2`]))
  return rows
}
