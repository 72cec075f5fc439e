/**
 * Random mutations of random entities, and of random tables of other programs, with rows, compared with a plain evaluator: the whole answer, and all rows afterwards.
 * `TEST_CASES` says how many mutations per product, `TEST_SEED` which ones.
 */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { fc, seed } from '../support/fast-check.ts'
import { adoptedWorlds } from '../support/mutations/adopted-world.ts'
import { type AllRows, MutationBench, rowsIn } from '../support/mutations/mutation-bench.ts'
import { evaluateMutation, lastNumber, type MutationOutcome } from '../support/mutations/plain-mutations.ts'
import { printMutation } from '../support/mutations/print-mutation.ts'
import { type RandomMutation, randomMutation } from '../support/mutations/random-mutation.ts'
import { type WrittenWorld, writtenWorlds } from '../support/mutations/written-world.ts'
import { anyProduct } from '../support/products.ts'

const cases = Number(process.env.TEST_CASES ?? 25)
/** Few of them on several worlds find more than many on one. */
const mutationsPerWorld = cases < 150 ? 20 : 50
const worlds = Math.ceil(cases / mutationsPerWorld)
/** How many mutations are tried to find a smaller one that fails. */
const mostSmaller = 500
/** By how much the time limit grows with each case. */
const millisecondsPerCase = 400

/** Nothing where a mutation is answered, and does, what the evaluator says; otherwise both and the document. */
async function differenceOf(
  mutation: RandomMutation,
  world: WrittenWorld,
  bench: MutationBench,
): Promise<string | undefined> {
  const document = printMutation(mutation, world)
  const { outcome, refusable } = evaluateMutation(mutation.fields, world)
  const before = rowsIn(world.data)
  bench.failures.length = 0
  const text = await bench.run(document)
  const after = await bench.rows()
  if (!isDeepStrictEqual(after, before)) await bench.reset()
  const isExpected = isAnsweredBy(text, outcome)
  const isAnswered =
    isExpected ||
    refusable.some(
      ({ as, isByRecord }) => (bench.checksRecordByRecord || !isByRecord) && isRefusedByReference(text, as),
    )
  const rows = isExpected && outcome.kind === 'done' ? rowsIn(outcome.after) : before
  if (isAnswered && isDeepStrictEqual(after, rows) && bench.failures.length === 0) return undefined
  const { query, variables } = document
  const told = outcome.kind === 'done' ? { data: outcome.data } : outcome
  return [
    ...[query, JSON.stringify(variables), `expected ${JSON.stringify(told)}`, `answered ${text}`],
    ...[`expected rows`, described(rows), `found`, described(after), ...bench.failures],
  ].join('\n')
}

interface AnsweredError {
  readonly message: string
  readonly locations: unknown
  readonly path: readonly string[]
  readonly extensions: {
    readonly code: string
    readonly record?: string
    readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
  }
}

/** Only what errors say in words is not compared. */
function isAnsweredBy(text: string, outcome: MutationOutcome): boolean {
  if (outcome.kind === 'done') return text === JSON.stringify({ data: outcome.data })
  const answer = JSON.parse(text) as { readonly data?: null; readonly errors?: readonly AnsweredError[] }
  const errors = answer.errors ?? []
  if (outcome.kind === 'noOperation') {
    const codes = ['GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT']
    return (
      !('data' in answer) &&
      errors.length > 0 &&
      errors.every(({ extensions: { code } }) => codes.includes(code))
    )
  }
  const { as, code, pointers, record } = outcome
  const [error] = errors
  if (answer.data !== null || error === undefined || errors.length !== 1) return false
  const { extensions } = error
  const found = (extensions.errors ?? []).map(({ pointer }) => pointer).toSorted()
  return (
    isDeepStrictEqual(error.path, [as]) &&
    // The database says one of several mistakes.
    code.split('|').includes(extensions.code) &&
    told(extensions.record) === told(record) &&
    isDeepStrictEqual(found, pointers ?? found)
  )
}

/** A mutation may be carried out again before it is refused, and makes other identifiers and numbers then. */
function told(record: string | undefined): string | undefined {
  const isMade = record !== undefined && (/^n\d{4}$/.test(record) || Number(record) > lastNumber)
  return isMade ? '(made)' : record
}

function isRefusedByReference(text: string, as: string): boolean {
  const { errors: [error] = [] } = JSON.parse(text) as { readonly errors?: readonly AnsweredError[] }
  const codes = ['RECORD_INVALID', 'IN_USE']
  return error !== undefined && codes.includes(error.extensions.code) && isDeepStrictEqual(error.path, [as])
}

function described(rows: AllRows): string {
  return [...rows]
    .map(([name, some]) => [name, ...some.map((row) => JSON.stringify(row))].join('\n'))
    .join('\n')
}

const kinds = [
  { kind: 'entities', worldsOf: writtenWorlds },
  { kind: 'adopted tables', worldsOf: adoptedWorlds },
]

describe.each(anyProduct('MariaDB'))('$name', (product) => {
  test.each(kinds)(
    `${worlds * mutationsPerWorld} random mutations of $kind do what the contract says, seed ${seed}`,
    {
      timeout: 60_000 + cases * millisecondsPerCase,
    },
    async ({ worldsOf }) => {
      for (const [index, world] of fc.sample(worldsOf, { seed, numRuns: worlds }).entries()) {
        const bench = await MutationBench.open(product, world)
        try {
          let [difference, smaller] = ['', 0]
          const outcome = await fc.check(
            fc.asyncProperty(randomMutation(world), async (mutation) => {
              if (difference !== '') smaller += 1
              if (smaller > mostSmaller) return true
              const found = await differenceOf(mutation, world, bench)
              difference = found ?? difference
              return found === undefined
            }),
            { seed: seed + index, numRuns: mutationsPerWorld },
          )
          const where = `seed ${seed}, world ${index}\n${difference}\n${JSON.stringify(world.definitions ?? world.tables)}\n${described(rowsIn(world.data))}\n${outcome.errorInstance ?? ''}`
          expect(outcome.failed, where).toBe(false)
        } finally {
          await bench.close()
        }
      }
    },
  )
})
