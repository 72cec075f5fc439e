/** PostgreSQL: what follows a statement that fails in the transaction of a query. */
import { expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway } from '../support/test-gateway.ts'

test.each(products.filter(({ name }) => name === 'PostgreSQL'))('$name', async (product) => {
  const gateway = await startTestGateway(product, (options) =>
    executeAll(options, [
      'create table par (id integer primary key)',
      'insert into par values (1), (2)',
      'create table kid (id integer primary key, par integer references par, x double precision)',
      'insert into kid values (1, 1, 1.7e308), (2, 1, 1.7e308), (3, 2, 1)',
    ]),
  )
  try {
    const kids = 'kidCollection'
    const answer = await gateway.graphql(
      `{ par { edges { node { a: ${kids} { aggregates { sum { x } } } b: ${kids} { edges { node { id } } } } } } other: kid { totalCount } }`,
    )
    const error = (row: number, ...path: readonly string[]) =>
      expect.objectContaining({
        path: ['par', 'edges', row, 'node', ...path],
        extensions: { code: 'PARAMETER_INVALID' },
      })
    const node = { a: { aggregates: null }, b: null }
    expect(answer).toEqual({
      data: { par: { edges: [{ node }, { node }] }, other: { totalCount: 3 } },
      // What is read after it has failed for the same reason.
      errors: [0, 1].flatMap((row) => [error(row, 'a', 'aggregates'), error(row, 'b')]),
    })
  } finally {
    await gateway.close()
  }
})
