/** Queries about a field that related rows decide about, asked again and again: databases prepare their statements once. */
import { expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const numbers = Array.from({ length: 12 }, (_, index) => index + 1)

test.each(products)('$name', async (product) => {
  const gateway = await startTestGateway(product, (options) =>
    executeAll(options, [
      'create table shop (id integer primary key, word varchar(5))',
      "insert into shop values (1, 'a')",
      'create table orders (id integer primary key, grp varchar(5), val integer, shop integer, foreign key (shop) references shop (id))',
      `insert into orders values ${numbers.map((id) => `(${id}, 'g${id % 3}', ${id * 10}, 1)`).join()}`,
      'create table line (order_id integer, number integer, quantity integer, primary key (order_id, number), foreign key (order_id) references orders (id))',
      // The even ones have a line of five.
      `insert into line values ${numbers.map((id) => `(${id}, 1, ${id % 2 === 0 ? 5 : 1})`).join()}`,
    ]),
  )
  try {
    const small = [{ key: 'lineCollection', op: 'none', val: [{ key: 'quantity', op: '>=', val: 4 }] }]
    const token = await logonAs(
      gateway,
      await createAccount(gateway, 'reader', [
        { regex: '/graphql/orders', methods: ['POST'], rows: small },
        { regex: '/graphql/orders', methods: ['POST'], fields: { read: ['id', 'grp', 'shop'] } },
        { regex: '/graphql/shop', methods: ['POST'] },
      ]),
    )
    const query = `{
      by: orders(where: { val: { gt: 60 } }) { groups(by: [{ field: id }], orderBy: [{ keys: { id: DESC } }]) { keys { id } count } }
      grp: orders(where: { val: { gt: 60 } }) { groups(by: [{ field: grp }]) { keys { grp } count sum { id } } }
      total: orders(where: { val: { gt: 60 } }) { totalCount edges { node { id val } } }
      shop { edges { node { ordersCollection(where: { val: { gt: 60 } }) { totalCount edges { node { id } } groups(by: [{ field: id }]) { count } } } } }
    }`
    for (let time = 1; time <= 4; time += 1) {
      const { body } = await gateway.request('POST', '/graphql', { token, body: { query } })
      expect(body, `asked for the ${time}. time`).toEqual({
        data: {
          by: { groups: [11, 9, 7].map((id) => ({ keys: { id }, count: 1 })) },
          grp: {
            groups: [
              { keys: { grp: 'g0' }, count: 1, sum: { id: 9 } },
              { keys: { grp: 'g1' }, count: 1, sum: { id: 7 } },
              { keys: { grp: 'g2' }, count: 1, sum: { id: 11 } },
            ],
          },
          total: { totalCount: 3, edges: [7, 9, 11].map((id) => ({ node: { id, val: id * 10 } })) },
          shop: {
            edges: [
              {
                node: {
                  ordersCollection: {
                    totalCount: 3,
                    edges: [7, 9, 11].map((id) => ({ node: { id } })),
                    groups: [1, 2, 3].map(() => ({ count: 1 })),
                  },
                },
              },
            ],
          },
        },
      })
    }
  } finally {
    await gateway.close()
  }
})
