/** Changes of records that a trigger of their table moves elsewhere, where a product lets a trigger do so. */
import { expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const moving: Readonly<Record<string, readonly string[]>> = {
  SQLite: [
    "create trigger archive after update on jobs when new.state = 'done' begin insert into archive select * from jobs where id = new.id; delete from jobs where id = new.id; end",
  ],
  PostgreSQL: [
    `create function archive() returns trigger language plpgsql as $$
     begin insert into archive select new.*; delete from jobs where id = new.id; return null; end $$`,
    "create trigger archive after update on jobs for each row when (new.state = 'done') execute function archive()",
  ],
}

const columns = (product: string) =>
  `(id integer primary key, state varchar(10), big bigint, price decimal(12,3), ratio double precision, day date, at timestamp, yes boolean, meta json, photo ${product === 'postgresql' ? 'bytea' : 'blob'})`

const sent = {
  big: '9007199254740993',
  price: '12.500',
  ratio: 1.25,
  day: '2026-02-03',
  at: '2026-02-03T04:05:06.7Z',
  yes: true,
  meta: { a: [1, 'x'] },
  photo: 'AP8=',
}

const able = products.filter(({ name }) => moving[name] !== undefined)

test.each(able)('a record is shown as it was written, $name', async (product) => {
  const gateway = await startTestGateway(product, async (options) => {
    const both = columns(options.product)
    await executeAll(options, [
      `create table jobs ${both}`,
      `create table archive ${both}`,
      ...(moving[product.name] ?? []),
    ])
    await executeAll(options, ["insert into jobs (id, state) values (1, 'new'), (2, 'new'), (3, 'new')"])
  })
  try {
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['jobs'] } })
    const [{ resource }] = adopted.body as [{ readonly resource: string }]
    const change = (method: string, id: number, body: object) =>
      gateway.request(method, `${resource}/${id}`, { body })
    const kept = await change('PATCH', 1, { ...sent, state: 'open' })
    expect(kept.body).toMatchObject({ state: 'open', day: '2026-02-03', yes: true, meta: sent.meta })
    const moved = await change('PATCH', 2, { ...sent, state: 'done' })
    expect([moved.status, moved.body]).toEqual([200, { ...(kept.body as object), id: 2, state: 'done' }])
    expect((await gateway.request('GET', `${resource}/2`)).status).toBe(404)
    // What it had before, and what the replacement takes from it.
    const replaced = await change('PUT', 1, { id: 1, state: 'done', price: '1.5' })
    const none = { big: null, ratio: null, day: null, at: null, yes: null, meta: null, photo: null }
    expect(replaced.body).toEqual({ id: 1, state: 'done', price: '1.5', ...none })
    const left = await gateway.request('GET', resource)
    expect((left.body as { readonly id: number }[]).map(({ id }) => id)).toEqual([3])
  } finally {
    await gateway.close()
  }
})
