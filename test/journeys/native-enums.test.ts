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
