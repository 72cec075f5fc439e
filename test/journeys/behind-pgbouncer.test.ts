/** Nodes whose connections to PostgreSQL go through PgBouncer in transaction mode, beside programs of other people. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { hasPgbouncer, overPgbouncer, type RunningPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { products } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

/** So few that every caller gets a session that someone else had before. */
const sessions = 3

const note = definition('note', { local: [field('text', 'string'), field('number', 'integer')] })

/** What a session has on it, told by itself. */
const left = `select (select string_agg(name || '=' || setting, ' ' order by name) from pg_settings where name in
  ('default_transaction_read_only', 'statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout', 'search_path',
   'DateStyle', 'TimeZone', 'IntervalStyle', 'bytea_output', 'extra_float_digits', 'standard_conforming_strings')) as settings,
  (select count(*) from pg_prepared_statements)::int as statements,
  (select count(*) from pg_cursors)::int as cursors,
  (select count(*) from pg_listening_channels())::int as channels,
  (select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'advisory')::int as locks`

const tables = [
  'create table long (id integer primary key)',
  'insert into long select generate_series(1, 2500)',
  'create view "Slow" as select 1 as id from pg_sleep(100)',
]

async function prepare(options: DatabaseOptions): Promise<void> {
  const { driver } = await openDatabase(options)
  await driver.transaction(async (connection) => {
    for (const sql of tables) await connection.execute({ sql, parameters: [] })
  })
  await driver.close()
}

const postgresql = products.find(({ name }) => name === 'PostgreSQL')

describe.runIf(hasPgbouncer && postgresql !== undefined)('R17: behind a pooler in transaction mode', () => {
  let pooler: RunningPgbouncer
  let nodes: TwoGateways
  let direct: { readonly host: string; readonly port: number; readonly user: string }
  const open: pg.Client[] = []

  const clientAt = async (port: number) => {
    const { host, user, password, name } = nodes.options as Extract<
      DatabaseOptions,
      { product: 'postgresql' }
    >
    const client = new pg.Client({ host, port, user, ...(password && { password }), database: name })
    await client.connect()
    open.push(client)
    return client
  }
  const at = (node: 'first' | 'second', method: string, path: string, body?: unknown) =>
    fetch((node === 'first' ? nodes.first.url : nodes.second.address) + path, {
      method,
      headers: { 'content-type': 'application/json', 'x-xaas-auth-token': nodes.first.token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const ask = async (node: 'first' | 'second', query: string) =>
    (await at(node, 'POST', '/graphql', { query })).json()

  beforeAll(async () => {
    if (postgresql === undefined) return
    const found = await postgresql.createDatabase()
    direct = found.options as Extract<DatabaseOptions, { product: 'postgresql' }>
    await found.remove()
    pooler = await startPgbouncer(direct, sessions)
    nodes = await startTwoGateways(overPgbouncer(postgresql, pooler), prepare)
  })
  afterAll(async () => {
    for (const client of open) await client.end()
    await nodes?.close()
    await pooler?.stop()
  })

  test('nodes start, change tables and answer many at once', async () => {
    expect((await at('first', 'POST', '/manage/entities', note)).status).toBe(201)
    await vi.waitFor(async () => expect((await at('second', 'GET', '/apis/notes')).status).toBe(200), 20_000)
    const created = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        at(number % 2 === 0 ? 'first' : 'second', 'POST', '/apis/notes', { text: `n${number}`, number }),
      ),
    )
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
    const asked = '{ note(first: 2, asc: "number") { totalCount edges { node { text number } } } }'
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => ask(index % 2 === 0 ? 'first' : 'second', asked)),
    )
    const edges = [{ node: { text: 'n0', number: 0 } }, { node: { text: 'n1', number: 1 } }]
    for (const answer of answers) expect(answer).toEqual({ data: { note: { totalCount: 40, edges } } })
  })

  test('a list that is longer than what is read at once comes whole', async () => {
    const answer = await ask('first', '{ long(first: 2500, asc: "id") { edges { node { id } } } }')
    const ids = Array.from({ length: 2500 }, (_, index) => index + 1)
    expect(answer).toEqual({ data: { long: { edges: ids.map((id) => ({ node: { id } })) } } })
  })

  test('a statement that no one waits for ends, and the one of another program does not', async () => {
    const client = await clientAt(direct.port)
    const running = async (text: string) =>
      (
        await client.query(
          "select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()",
          [text],
        )
      ).rowCount
    const other = await clientAt(pooler.port)
    const sleeping = other.query('select pg_sleep(100) /* of another program */')
    const noise = sleeping.catch((error: Error) => error.message)
    await vi.waitFor(async () => expect(await running('%of another program%')).toBe(1), 60_000)
    const leaving = new AbortController()
    const left = fetch(`${nodes.first.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-xaas-auth-token': nodes.first.token },
      body: JSON.stringify({ query: '{ Slow { edges { node { id } } } }' }),
      signal: leaving.signal,
    }).catch(() => undefined)
    await vi.waitFor(async () => expect(await running('%"Slow"%')).toBe(1), 60_000)
    leaving.abort()
    await left
    await vi.waitFor(async () => expect(await running('%"Slow"%')).toBe(0), 60_000)
    expect(await running('%of another program%')).toBe(1)
    await client.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where query like '%of another program%' and pid <> pg_backend_pid()",
    )
    expect(await noise).toContain('canceling statement due to user request')
    expect((await at('first', 'GET', '/apis/notes')).status).toBe(200)
  })

  test('another program finds every session as the server makes it', async () => {
    const expected = await (await clientAt(direct.port)).query(left)
    const found: unknown[] = []
    const others: pg.Client[] = []
    // Who is in a transaction keeps a session: so many have all of them.
    await vi.waitFor(async () => {
      const client = await clientAt(pooler.port)
      await client.query('begin')
      others.push(client)
      expect(others).toHaveLength(sessions - 1)
    }, 60_000)
    for (const client of others) found.push((await client.query(left)).rows[0])
    for (const client of others) await client.query('commit')
    const last = await clientAt(pooler.port)
    for (let round = 0; round < 20; round += 1) found.push((await last.query(left)).rows[0])
    for (const settings of found) expect(settings).toEqual(expected.rows[0])
    await last.query('create table of_another_program (id integer)')
    await last.query('drop table of_another_program')
  })
})
