/**
 * Random roles and public routes with conditions on rows and fields, and random requests of an account that has them, or of
 * anyone, compared with a plain evaluator of the contract. `TEST_CASES` says how many requests per product, `TEST_SEED` which ones.
 */
import { describe, expect, test } from 'vitest'
import { seed } from '../support/fast-check.ts'
import { anyProduct } from '../support/products.ts'
import { Random } from '../support/random.ts'
import { checkMutation } from '../support/rights/check-mutations.ts'
import { checkRead } from '../support/rights/check-reads.ts'
import { checkWrite, described } from '../support/rights/check-writes.ts'
import { randomMetadata, randomRoles, randomRoutes } from '../support/rights/random-rights.ts'
import { RightsBench } from '../support/rights/rights-bench.ts'
import { randomWorld } from '../support/rights/rights-world.ts'

const asked = Number(process.env.TEST_CASES ?? 25)
/** A case here is a request with a role of its own, which takes longer than those of other random tests. */
const cases = asked >= 10_000 ? asked : Math.min(asked, 1000)
const casesPerRoles = 10
const casesPerWorld = 500
const checks = [checkRead, checkRead, checkRead, checkWrite, checkWrite, checkMutation]
/** By how much the time limit grows with each case. */
const millisecondsPerCase = 400

function situationOf({ caller, state }: RightsBench): string {
  const tables = [...state].map(([name, rows]) => `${name}\n${described(rows)}`)
  const authorities = caller.authorities.map((authority) => JSON.stringify(authority))
  return [...authorities, JSON.stringify(caller.account), ...tables].join('\n')
}

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  test(`${cases} random requests are answered as the contract says, seed ${seed}`, {
    timeout: 120_000 + cases * millisecondsPerCase,
  }, async () => {
    for (let start = 0; start < cases; start += casesPerWorld) {
      const random = new Random(seed * 7919 + start)
      const bench = await RightsBench.start(product, randomWorld(random))
      try {
        for (let index = start; index < Math.min(start + casesPerWorld, cases); index += 1) {
          if (index % casesPerRoles === 0) {
            await bench.replenish(random)
            const { world, state } = bench
            const routes = randomRoutes(random, world, state)
            if (random.below(5) === 0) await bench.becomeAnyone(routes)
            else await bench.become(randomRoles(random, world, state), randomMetadata(random), routes)
          }
          const situation = situationOf(bench)
          const check = random.pick(checks)
          const difference = await check(bench, random)
          expect(
            difference,
            `seed ${seed}, case ${index}\n${difference}\n${bench.failures}\n${situation}`,
          ).toBeUndefined()
        }
      } finally {
        await bench.close()
      }
    }
  })
})
