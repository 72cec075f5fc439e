/** Columns whose type lists its values: an enum of the database. */
import { expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const statements: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: [
    `create type mood as enum ('sad', 'it''s "ok"', 'happy')`,
    'create domain known_mood as mood not null',
    'create table person (id integer primary key, mood mood, known known_mood)',
  ],
  MariaDB: [
    `create table person (id integer primary key, mood enum('sad', 'it''s "ok"', 'happy'),
      known enum('sad', 'it''s "ok"', 'happy') not null)`,
  ],
}

const more: Readonly<Record<string, string>> = {
  PostgreSQL: "alter type mood add value 'angry'",
  MariaDB: `alter table person modify mood enum('sad', 'it''s "ok"', 'happy', 'angry')`,
}

test.each(products.filter(({ name }) => name in statements))(
  'are described with their values, adopted or not, and those that come later, $name',
  async (product) => {
    let database: DatabaseOptions | undefined
    const gateway = await startTestGateway(product, async (options) => {
      database = options
      await runStatements(options, statements[product.name] ?? [])
    })
    const fields = async () => {
      const { body } = await gateway.request('GET', '/whoami/tables/person')
      const listed = (body as { readonly fields: readonly Readonly<Record<string, unknown>>[] }).fields
      return Object.fromEntries(listed.map((field) => [field.name, field.enum]))
    }
    const values = ['sad', `it's "ok"`, 'happy']
    expect(await fields()).toEqual({ id: undefined, mood: values, known: values })
    const adoption = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['person'] } })
    expect(adoption.status).toBe(201)
    expect(await fields()).toMatchObject({ mood: values, known: values })
    if (database !== undefined) await runStatements(database, [more[product.name] ?? ''])
    expect((await gateway.request('POST', '/manage/schema/reload')).status).toBe(200)
    expect((await fields()).mood).toEqual([...values, 'angry'])
    await gateway.close()
  },
)

test.each(products.filter(({ name }) => name === 'PostgreSQL'))(
  'one that replaces another of the same name takes its place everywhere, $name',
  async (product) => {
    let database: DatabaseOptions | undefined
    const gateway = await startTestGateway(product, async (options) => {
      database = options
      await runStatements(options, [
        "create type mood as enum ('sad', 'happy')",
        'create table person (id integer not null, mood mood not null, primary key (mood, id))',
        'create table visit (id integer primary key, mood mood, who integer, foreign key (mood, who) references person (mood, id))',
        "insert into person values (1, 'sad'), (2, 'happy')",
        "insert into visit values (1, 'sad', 1), (2, 'happy', 2), (3, 'sad', 1)",
      ])
    })
    const adoption = await gateway.request('POST', '/manage/entities/adopt', {
      body: { tables: ['person', 'visit'] },
    })
    expect(adoption.status).toBe(201)
    const visits = (id: number, count: number) => ({
      edges: [{ node: { id, visitCollection: { totalCount: count } } }],
    })
    const ask = async () => {
      const single = '{ person(id: 1) { edges { node { id visitCollection { totalCount } } } } }'
      expect(await gateway.graphql(single)).toEqual({ data: { person: visits(1, 2) } })
      const found = '{ person(mood: "happy") { edges { node { id visitCollection { totalCount } } } } }'
      expect(await gateway.graphql(found)).toEqual({ data: { person: visits(2, 1) } })
      const changed = 'mutation { update_visit(id: 2, input: { mood: "happy" }) { id person { id mood } } }'
      const person = { id: 2, mood: 'happy' }
      expect(await gateway.graphql(changed)).toEqual({ data: { update_visit: { id: 2, person } } })
    }
    await ask()
    if (database !== undefined) {
      await runStatements(database, [
        'alter table visit drop constraint visit_mood_who_fkey',
        "create type feeling as enum ('sad', 'happy', 'angry')",
        'alter table visit alter mood type feeling using mood::text::feeling',
        'alter table person alter mood type feeling using mood::text::feeling',
        'drop type mood',
        'alter type feeling rename to mood',
        'alter table visit add foreign key (mood, who) references person (mood, id)',
      ])
    }
    expect((await gateway.request('POST', '/manage/schema/reload')).status).toBe(200)
    await ask()
    await gateway.close()
  },
)
