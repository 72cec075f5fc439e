import { products, type TestProduct } from './products.ts'

/** Whether tests that list their cases run all of them: `npm run test:long` does, `npm test` a part. */
export const allCases = process.env.TEST_CASES !== undefined

/** Whether tests that take minutes run all of their cases, too: `npm run test:long` does, `.ci/run` does not. */
const everyCase = Number(process.env.TEST_CASES) >= 10_000

/**
 * The cases of a list that run: all, or each `share`-th from `start` on. With another start on each product, each case
 * runs on some product. Of cases that take minutes, `.ci/run` runs each `longShare`-th.
 */
export function partOf<Case>(
  cases: readonly Case[],
  share: number,
  start = 0,
  longShare = 1,
): readonly Case[] {
  const step = everyCase ? 1 : allCases ? longShare : share
  return cases.filter((_, index) => index % step === start % step)
}

/**
 * The cases of a list that run on one product: each case runs on one of them, and all on each with the long tests. For what
 * the product makes no difference to.
 */
export function shareOf<Case>(
  cases: readonly Case[],
  product: TestProduct,
  among: readonly TestProduct[] = products,
): readonly Case[] {
  return partOf(cases, among.length, among.indexOf(product))
}

/** One case of a list, another one on each product as far as there are; all of them with the long tests. */
export function oneOf<Case>(cases: readonly Case[], product: TestProduct): readonly Case[] {
  return partOf(cases, cases.length, products.indexOf(product))
}
