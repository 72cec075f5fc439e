/** Tables that others change while the gateway runs. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import type { Event } from '../../src/observe/events.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway, type TestSettings } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tables = [
  'create table `Author` (`id` integer not null primary key, `name` varchar(50))',
  'create table `Book` (`id` integer not null primary key, `title` varchar(50), `size` integer)',
  "insert into `Author` values (1, 'a')",
  "insert into `Book` values (1, 't', 7), (2, 'u', 8)",
]

describe.each(products)('$name', (product) => {
  let options: DatabaseOptions
  let own: TestGateway

  const start = async (settings: TestSettings = {}) => {
    own = await startTestGateway(
      product,
      async (prepared) => {
        options = prepared
        await runStatements(prepared, tables)
      },
      settings,
    )
  }
  const reload = () => own.request('POST', '/manage/schema/reload') as Promise<{ status: number; body: Json }>
  const others = (...statements: readonly string[]) => runStatements(options, statements)
  /** Waits for so many looks at the catalogue, after which nothing is left to read of earlier changes. */
  const untilLooks = async (count: number) => {
    const isLook = ({ kind, ...event }: Event) =>
      kind === 'StatementRun' &&
      /schema_version|pg_namespace where nspname = any|global status/.test((event as Json).sql)
    const looks = () => own.events.filter(isLook).length
    const before = looks()
    await vi.waitUntil(() => looks() >= before + count, { timeout: 60_000 })
  }

  describe('without looks', () => {
    beforeEach(() => start())
    afterEach(() => own.close())

    test('a reload tells what appeared, vanished and changed', async () => {
      await others(
        'create table `Shop` (`id` integer not null primary key, `bookId` integer, foreign key (`bookId`) references `Book` (`id`))',
        'create view `Titles` as select `title` from `Book`',
        'alter table `Book` add column `isbn` varchar(20)',
        'drop table `Author`',
      )
      expect(await own.gateway.schemaText()).not.toContain('Shop')
      const first = await reload()
      expect([first.status, Object.keys(first.body)]).toEqual([
        200,
        ['version', 'number', 'hash', 'appeared', 'vanished', 'changed'],
      ])
      const without = (list: readonly string[]) =>
        list.map((text) => text.replace(/ of the schema "\w+"/g, ''))
      expect(without(first.body.appeared).toSorted()).toEqual([
        'GraphQL field shopCollection of table "Book"',
        'column "isbn" of table "Book"',
        'table "Shop"',
        'view "Titles"',
      ])
      expect(without(first.body.vanished)).toEqual(['table "Author"'])
      expect(first.body.changed).toEqual([])
      const told = own.events.filter(({ kind }) => kind === 'SchemaChanged')
      expect(told).toMatchObject([{ appeared: first.body.appeared, vanished: first.body.vanished }])
      expect(
        await own.graphql('{ Book(id: 1) { edges { node { isbn shopCollection { totalCount } } } } }'),
      ).toEqual({
        data: { Book: { edges: [{ node: { isbn: null, shopCollection: { totalCount: 0 } } }] } },
      })

      const again = await reload()
      expect([again.body.appeared, again.body.vanished, again.body.changed]).toEqual([[], [], []])
      expect(again.body.version).toBe(first.body.version)
      expect((await own.request('GET', '/manage/schema')).body).toMatchObject({ version: first.body.version })
    })

    test('a chosen name is reported as a change, and kept by a reload', async () => {
      const body = { kind: 'field', of: 'Book.title', name: 'heading' }
      expect((await own.request('PUT', '/manage/names', { body })).status).toBe(200)
      const told = own.events.filter(({ kind }) => kind === 'SchemaChanged')
      const changed = [
        expect.stringMatching(/^column "title" of table "Book".*: is heading in GraphQL, was title$/),
      ]
      expect(told).toMatchObject([{ appeared: [], vanished: [], changed }])

      await others('alter table `Book` add column `heading` varchar(20)')
      expect((await reload()).body).toMatchObject({
        appeared: [expect.stringMatching(/^column "heading" of table "Book"/)],
        vanished: [],
        changed: [],
      })
      expect(await own.graphql('{ Book(id: 1) { edges { node { heading } } } }')).toEqual({
        data: { Book: { edges: [{ node: { heading: 't' } }] } },
      })
    })

    test('a record is created as the tables are now, if they no longer take it as they were', async () => {
      const adopted = await own.request('POST', '/manage/entities/adopt', { body: { tables: ['Book'] } })
      expect(adopted.status).toBe(201)
      const requires = (column: string, type: string, value: string, columns: string) =>
        ({
          sqlite: [
            `create table b (${columns})`,
            'insert into b select * from `Book`',
            'drop table `Book`',
            'alter table b rename to `Book`',
          ],
          postgresql: [
            `alter table \`Book\` alter column ${column} set default ${value}, alter column ${column} set not null`,
          ],
          mysql: [`alter table \`Book\` modify ${column} ${type} not null default ${value}`],
        })[options.product]
      const id = 'id integer not null primary key'
      const size = 'size integer not null default 5'
      await others(...requires('size', 'integer', '5', `${id}, title varchar(50), ${size}`))
      const created = await own.request('POST', '/apis/books', { body: { id: 3, title: 'new' } })
      expect([created.status, created.body]).toEqual([201, { id: 3, title: 'new', size: 5 }])

      const title = "title varchar(50) not null default 'none'"
      await others(...requires('title', 'varchar(50)', "'none'", `${id}, ${title}, ${size}`))
      const newer = await own.graphql('mutation { create_Book(input: { id: 4 }) { id title size } }')
      expect(newer).toEqual({ data: { create_Book: { id: 4, title: 'none', size: 5 } } })
    })

    test('a reload needs its own right', async () => {
      expect((await own.request('POST', '/manage/schema/reload', { token: null })).status).toBe(401)
    })

    test('one reload reaches all nodes', async () => {
      const nodes = await Promise.all(
        [2, 3].map(async () => {
          const node = await startGateway({
            database: options,
            waitsForDatabase: false,
            host: '127.0.0.1',
            port: 0,
            tokenTtlSeconds: 3600,
            bodyLimitBytes: 1_000_000,
            graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
            bootstrap: {},
            observe: () => undefined,
          })
          onTestFinished(() => node.close())
          return node
        }),
      )
      await others('create table `Shop` (`id` integer not null primary key)')
      expect((await reload()).status).toBe(200)
      for (const node of nodes) {
        await vi.waitUntil(async () => (await node.schemaText()).includes('type Shop_ '), {
          timeout: 60_000,
          interval: 50,
        })
      }
    })

    test('a column that is renamed back and forth leaves an entity as it is', async () => {
      const gadget = definition('Gadget', { local: [field('size', 'integer'), field('note', 'string')] })
      expect((await own.request('POST', '/manage/entities', { body: gadget })).status).toBe(201)
      expect((await own.request('POST', '/apis/gadgets', { body: { id: 'g', size: 1 } })).status).toBe(201)
      await others('alter table `Gadget` rename column `size` to `length`')
      expect((await reload()).status).toBe(200)
      const without = await own.request('GET', '/apis/gadgets/g')
      expect(without.body).not.toHaveProperty('size')
      const refused = (await own.request('PATCH', '/apis/gadgets/g', { body: { size: 2 } })) as Json
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        [{ pointer: '/size', detail: expect.stringMatching(/^The table has no column "size" now/) }],
      ])
      const entity = (await own.request('GET', '/manage/entities/Gadget')) as Json
      expect(entity.body.drift).toContain('The column "size" does not exist.')
      await others('alter table `Gadget` rename column `length` to `size`')
      const told = (await reload()).body
      expect([told.appeared.length, told.vanished.length]).toEqual([1, 1])
      expect((await own.request('PATCH', '/apis/gadgets/g', { body: { size: 2 } })).body).toMatchObject({
        size: 2,
      })
    })

    test('queries that run while a column changes its type get right answers or one clear error', async () => {
      const ask = () => own.graphql('{ Book(asc: "id") { edges { node { id size } } } }') as Promise<Json>
      const numbers = { edges: [{ node: { id: 1, size: 7 } }, { node: { id: 2, size: 8 } }] }
      const texts = { edges: [{ node: { id: 1, size: 'x7' } }, { node: { id: 2, size: 'x8' } }] }
      expect((await ask()).data).toEqual({ Book: numbers })
      const answers: Json[] = []
      let isDone = false
      const asking = Promise.all(
        [1, 2, 3].map(async () => {
          while (!isDone) answers.push(await ask())
        }),
      )
      await others(
        'create table `Other` (`id` integer not null primary key, `title` varchar(50), `size` varchar(20))',
        "insert into `Other` values (1, 't', 'x7'), (2, 'u', 'x8')",
        'drop table `Book`',
        'alter table `Other` rename to `Book`',
      )
      for (let round = 0; round < 5; round += 1) answers.push(await ask())
      expect((await reload()).status).toBe(200)
      isDone = true
      await asking
      for (const { data, errors } of answers) {
        if (errors === undefined) expect([{ Book: numbers }, { Book: texts }]).toContainEqual(data)
        else expect(errors).toMatchObject([{ extensions: { code: expect.any(String) } }])
      }
      expect(await ask()).toEqual({ data: { Book: texts } })
    })
  })

  test('changes are noticed by looking', async () => {
    await start({ schemaPollMs: 50 })
    onTestFinished(() => own.close())
    const serves = (text: string) =>
      vi.waitUntil(async () => (await own.gateway.schemaText()).includes(text), {
        timeout: 60_000,
        interval: 50,
      })
    const lacks = (text: string) =>
      vi.waitUntil(async () => !(await own.gateway.schemaText()).includes(text), {
        timeout: 60_000,
        interval: 50,
      })
    await others('create table `Shop` (`id` integer not null primary key)')
    await serves('type Shop_ ')
    await others('alter table `Shop` add column `city` varchar(20)')
    await serves('city: String')
    await others('alter table `Shop` rename column `city` to `town`')
    await serves('town: String')
    await others('create view `Towns` as select `town` from `Shop`')
    await serves('type Towns_ ')
    await others('drop view `Towns`')
    await lacks('type Towns_ ')
    await others('alter table `Shop` drop column `town`')
    await lacks('town: String')
    await others('create unique index `one` on `Book` (`title`)')
    await vi.waitUntil(
      () =>
        own.events.some(
          (event) =>
            event.kind === 'SchemaChanged' && event.appeared.some((text) => /^unique key/.test(text)),
        ),
      { timeout: 60_000, interval: 50 },
    )
    await others('drop table `Shop`')
    await lacks('type Shop_ ')
  })

  test.runIf(product.name === 'PostgreSQL')('changes of domains are noticed by looking', async () => {
    await start({ schemaPollMs: 50 })
    onTestFinished(() => own.close())
    await others(
      'create domain known as integer not null',
      'create table `Fact` (`id` integer not null primary key, `number` known)',
      'insert into `Fact` values (1, 1), (2, 2)',
    )
    await vi.waitUntil(async () => (await own.gateway.schemaText()).includes('type Fact_ '), {
      timeout: 60_000,
    })
    await untilLooks(10)
    await others('alter domain known drop not null', 'update `Fact` set `number` = null where `id` = 2')
    const page = async (after: string) => {
      const query = `{ Fact(asc: "number", first: 1${after}) { edges { cursor node { id } } } }`
      return ((await own.graphql(query)) as Json).data.Fact.edges
    }
    await vi.waitUntil(
      async () => {
        const [{ cursor }] = await page('')
        const rest = await page(`, after: "${cursor}"`)
        return rest.length === 1
      },
      { timeout: 60_000 },
    )
  })

  test('looks do not read what no one has changed', async () => {
    await start({ schemaPollMs: 20 })
    onTestFinished(() => own.close())
    await untilLooks(10)
    expect(own.events.filter(({ kind }) => kind === 'SchemaReloaded')).toHaveLength(1)
  })
})
