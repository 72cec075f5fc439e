/** What triggers and rules of adopted tables refuse, as clients of a published API are told it, on every product. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

type Product = DatabaseOptions['product']

const table = (name: string) =>
  `create table ${name} (id integer primary key, stock integer, note varchar(20))`

/** A trigger before each new row, by what it does in the words of each product. */
const triggers: readonly (readonly [table: string, body: Readonly<Record<Product, string>>])[] = [
  [
    'stocks',
    {
      sqlite: "select raise(abort, 'stock too low') where new.stock < 0;",
      postgresql: "if new.stock < 0 then raise exception 'stock too low' using hint = 'secret'; end if;",
      mysql: "if new.stock < 0 then signal sqlstate '45000' set message_text = 'stock too low'; end if;",
    },
  ],
  [
    'coded',
    {
      sqlite: "select raise(fail, 'closed on Sundays') where new.stock < 0;",
      postgresql:
        "if new.stock < 0 then raise exception 'closed on Sundays' using errcode = 'GH001'; end if;",
      mysql:
        "if new.stock < 0 then signal sqlstate '45000' set message_text = 'closed on Sundays', mysql_errno = 31001; end if;",
    },
  ],
  [
    'ended',
    {
      sqlite: "select raise(rollback, 'all is over') where new.stock < 0;",
      postgresql: "if new.stock < 0 then raise exception 'all is over' using errcode = '42501'; end if;",
      mysql: "if new.stock < 0 then signal sqlstate '42000' set message_text = 'all is over'; end if;",
    },
  ],
  [
    'callers',
    {
      sqlite: 'select secret_function(new.stock);',
      postgresql: 'perform secret_function(new.stock);',
      mysql: 'set new.stock = secret_function(new.stock);',
    },
  ],
  [
    'auditors',
    {
      sqlite: 'insert into secret_table values (new.stock);',
      postgresql: 'insert into secret_table values (new.stock);',
      mysql: 'insert into secret_table values (new.stock);',
    },
  ],
]

function triggerOf(
  name: string,
  bodies: Readonly<Record<Product, string>>,
  product: Product,
): readonly string[] {
  const body = bodies[product]
  if (product !== 'postgresql') {
    return [`create trigger ${name}_before before insert on ${name} for each row begin ${body} end`]
  }
  return [
    `create function ${name}_before() returns trigger language plpgsql as $$ begin ${body} return new; end $$`,
    `create trigger before_row before insert on ${name} for each row execute function ${name}_before()`,
  ]
}

/** A trigger that lets no row go. */
const keeping: Readonly<Record<Product, readonly string[]>> = {
  sqlite: ["create trigger keep before delete on kept begin select raise(abort, 'it is kept'); end"],
  postgresql: [
    "create function keep() returns trigger language plpgsql as $$ begin raise exception 'it is kept'; end $$",
    'create trigger before_row before delete on kept for each row execute function keep()',
  ],
  mysql: [
    "create trigger keep before delete on kept for each row begin signal sqlstate '45000' set message_text = 'it is kept'; end",
  ],
}

/** A trigger that lets rows vanish without a word, where a product has that. */
const silent: Readonly<Partial<Record<Product, readonly string[]>>> = {
  sqlite: [
    'create trigger vanish before insert on vanishing for each row when new.stock < 0 begin select raise(ignore); end',
  ],
  postgresql: [
    'create function vanish() returns trigger language plpgsql as $$ begin if new.stock < 0 then return null; end if; return new; end $$',
    'create trigger before_row before insert on vanishing for each row execute function vanish()',
  ],
}

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let kind: Product

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      kind = options.product
      await executeAll(options, [
        ...triggers.flatMap(([name, bodies]) => [table(name), ...triggerOf(name, bodies, options.product)]),
        'create table checked (id integer primary key, stock integer, note varchar(20), constraint enough_stock check (stock >= 0))',
        table('vanishing'),
        ...(silent[options.product] ?? []),
        'create table parents (id integer primary key)',
        `create table children (id integer primary key, parent integer, note varchar(20), foreign key (parent) references parents (id)${
          options.product === 'mysql' ? '' : ' deferrable initially deferred'
        })`,
        table('kept'),
        ...keeping[options.product],
      ])
    })
    const tables = [...triggers.map(([name]) => name), 'checked', 'vanishing', 'children', 'kept']
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables } })
    expect(adopted.body).toMatchObject({})
    expect(adopted.status).toBe(201)
    for (const { name, resource } of adopted.body as Json) resources.set(name, resource)
  })
  afterAll(() => gateway.close())

  const resources = new Map<string, string>()
  const create = async (name: string, body: Json) => {
    const answer = await gateway.request('POST', resources.get(name) ?? '', { body })
    return { status: answer.status, body: answer.body as Json }
  }
  const rowsOf = async (name: string) => (await gateway.request('GET', resources.get(name) ?? '')).body
  const bad = { id: 1, stock: -1 }

  test.each([
    ['stocks', 'stock too low'],
    ['coded', 'closed on Sundays'],
    ['ended', 'all is over'],
    ['checked', 'The rule "enough_stock" of the table does not allow it.'],
  ])('%s says: %s', async (name, detail) => {
    const answer = await create(name, bad)
    expect(answer.body).toMatchObject({ status: 422, code: 'RECORD_INVALID', detail })
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|PL\/pgSQL|SQLSTATE/)
    expect((await create(name, { id: 2, stock: 5 })).status).toBe(201)
    expect(await rowsOf(name)).toEqual([{ id: 2, stock: 5, note: null }])
  })

  test.each(['callers', 'auditors'])('the trigger of %s fails, and its code is not told', async (name) => {
    const answer = await create(name, { id: 1, stock: 1 })
    expect(answer.body).toMatchObject({
      status: 422,
      code: 'RECORD_INVALID',
      detail:
        'A trigger or a function of the table failed in its own code, so nothing was changed. The log of the gateway has the words of the database.',
    })
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    expect(await rowsOf(name)).toEqual([])
  })

  test.each([
    ['stocks', 'stock too low'],
    ['checked', 'The rule "enough_stock" of the table does not allow it.'],
  ])('a list for %s is all or nothing, and the record is named', async (name, detail) => {
    const before = await rowsOf(name)
    for (const [length, index] of [
      [2, 0],
      [2, 1],
      [7, 4],
      [1000, 999],
    ] as const) {
      const list = Array.from({ length }, (_, at) => ({ id: 100 + at, stock: at < index ? 1 : -1 }))
      const answer = await create(name, list)
      expect([answer.status, answer.body.errors]).toEqual([422, [{ pointer: `/${index}`, detail }]])
    }
    expect(await rowsOf(name)).toEqual(before)
  })

  test('a row that the database takes and does not keep is reported', async () => {
    if (silent[kind] === undefined) return
    const answer = await create('vanishing', { id: 7, stock: -1 })
    expect(answer.body).toMatchObject({ status: 422, code: 'RECORD_INVALID' })
    const list = await create('vanishing', [
      { id: 8, stock: 1 },
      { id: 9, stock: -1 },
    ])
    expect(list.status).toBe(422)
    expect(await rowsOf('vanishing')).toEqual([])
  })

  test('what is checked at the end of a transaction is refused like anything else', async () => {
    const refusal = { status: 422, code: 'RECORD_INVALID' }
    expect((await create('children', { id: 1, parent: 99 })).body).toMatchObject(refusal)
    expect((await create('children', [{ id: 1, parent: 99 }])).body).toMatchObject(refusal)
    expect((await create('children', { id: 1 })).status).toBe(201)
    const changed = await gateway.request('PATCH', `${resources.get('children')}/1`, { body: { parent: 98 } })
    expect(changed.body).toMatchObject(refusal)
    expect(await rowsOf('children')).toEqual([{ id: 1, parent: null, note: null }])
  })

  test('a removal is refused in the words of the trigger', async () => {
    expect((await create('kept', { id: 1 })).status).toBe(201)
    const answer = await gateway.request('DELETE', `${resources.get('kept')}/1`)
    expect(answer.body).toMatchObject({ status: 422, code: 'RECORD_INVALID', detail: 'it is kept' })
    expect(await rowsOf('kept')).toHaveLength(1)
  })

  test('a change is refused like a new record', async () => {
    await create('checked', { id: 50, stock: 1 })
    const answer = await gateway.request('PATCH', `${resources.get('checked')}/50`, { body: { stock: -3 } })
    expect(answer.body).toMatchObject({
      status: 422,
      detail: 'The rule "enough_stock" of the table does not allow it.',
    })
  })
})
