/** `deleteAll` where the database deletes some of the records together with others of them. */
import { expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway } from '../support/test-gateway.ts'

test.each(products)('records that refer to others of the list with a cascade, $name', async (product) => {
  const gateway = await startTestGateway(product, (options) =>
    executeAll(options, [
      'create table parts (id integer primary key, up integer, foreign key (up) references parts (id) on delete cascade)',
      'insert into parts values (1, null), (2, 1), (3, 2), (4, null), (5, 4)',
    ]),
  )
  try {
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['parts'] } })
    expect(adopted.status).toBe(201)
    const remove = (where: string, wanted: string) =>
      gateway.graphql(`mutation { deleteAll_parts(where: ${where}) { ${wanted} } }`)
    expect(await remove('{ id: { in: [1, 3] } }', 'count records { id up }')).toEqual({
      data: {
        deleteAll_parts: {
          count: 2,
          records: [
            { id: 1, up: null },
            { id: 3, up: 2 },
          ],
        },
      },
    })
    expect(await remove('{}', 'count')).toEqual({ data: { deleteAll_parts: { count: 2 } } })
    expect(await gateway.graphql('{ parts { totalCount } }')).toEqual({ data: { parts: { totalCount: 0 } } })
  } finally {
    await gateway.close()
  }
})
