/** The README's command for an existing database, on each product: by a user who may only read, where there are users. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { describeOn } from '../support/describe-on.ts'
import { onPostgresqlServer } from '../support/postgresql-databases.ts'
import { onMysqlServer, products } from '../support/products.ts'
import { runCommand } from '../support/run-command.ts'
import { runStatements } from '../support/run-statements.ts'
import { startServiceProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const readme = fileURLToPath(new URL('../../README.md', import.meta.url))

/** The words of the command after `gatehouse`, with other values for its options. An undefined value leaves one out. */
async function wordsWith(values: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
  const command = /^npm run --silent gatehouse -- (gateway --db_product [\s\S]*?)\n```$/m
  const [, text = ''] = command.exec(await readFile(readme, 'utf8')) ?? []
  const [service = '', ...words] = text.replaceAll('\\\n', ' ').split(/\s+/)
  const flags = words.filter((word) => word.startsWith('--'))
  expect(flags).toEqual(['--db_product', '--db_host', '--db_name', '--db_user', '--store_url'])
  const given = Object.entries(values).map(([name, value]) => [`--${name}`, value])
  return [service, ...given.flatMap(([flag, value]) => (value === undefined ? [] : [flag ?? '', value]))]
}

describeOn(products, (product) => {
  /** A user who may only read the tables that exist. */
  async function reader({ product: kind, ...options }: DatabaseOptions): Promise<string | undefined> {
    if (kind === 'sqlite' || !('name' in options)) return undefined
    const user = `reader_${randomBytes(4).toString('hex')}`
    if (kind === 'mysql') {
      await onMysqlServer(`create user ${user}@'%' identified by 'reader'`)
      await onMysqlServer(`grant select on ${options.name}.* to ${user}@'%'`)
      onTestFinished(async () => void (await onMysqlServer(`drop user ${user}@'%'`)))
    } else {
      await onPostgresqlServer(`create role ${user} login password 'reader'`)
      await runStatements({ product: kind, ...options } as DatabaseOptions, [
        `grant select on all tables in schema public to ${user}`,
      ])
      onTestFinished(async () => void (await onPostgresqlServer(`drop role ${user}`)))
    }
    return user
  }

  test('a gateway on tables of another program, with its own records elsewhere', async () => {
    const { options, remove } = await product.createDatabase()
    await runStatements(options, [
      'create table customer (id integer not null primary key, name varchar(20) not null)',
      'create table purchase (id integer not null primary key, customer_id integer not null, foreign key (customer_id) references customer (id))',
      "insert into customer (id, name) values (1, 'Ada')",
      'insert into purchase (id, customer_id) values (7, 1)',
    ])
    const user = await reader(options)
    onTestFinished(remove)
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    const isFile = options.product === 'sqlite'
    const store = `sqlite:${join(folder.path, 'store.sqlite')}`
    const words = await wordsWith({
      db_product: options.product,
      db_host: isFile ? undefined : options.host,
      db_port: isFile ? undefined : String(options.port),
      db_name: isFile ? options.file : options.name,
      db_user: user,
      store_url: store,
    })
    const environment = user === undefined ? {} : { GATEHOUSE_DB_PASS: 'reader' }

    const checked = await runCommand(
      ['check-config', ...words.slice(0, 1), '--connect', ...words.slice(1)],
      undefined,
      environment,
    )
    expect([checked.exitCode, checked.errors]).toEqual([0, ''])
    expect(checked.output).toContain(', 2 tables\nstore     works  the file ')

    const program = await startServiceProgram([...words, '--port', '0'], environment)
    onTestFinished(async () => void (await program.stop('SIGTERM')))
    expect(program.report).toContain(`Found    database ${isFile ? options.file : options.name}, 2 tables\n`)
    const shown = (label: string) => new RegExp(`^  ${label} +(\\S+)$`, 'm').exec(program.report)?.[1] ?? ''
    const post = async (path: string, headers: Readonly<Record<string, string>>, body: object) => {
      const response = await fetch(program.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return response.json() as Promise<Readonly<Record<string, unknown>>>
    }
    const account = { username: 'admin', password: shown('password') }
    const logon = await post('/logon', { 'x-xaas-api-key': shown('API key') }, account)
    const query = '{ purchase { edges { node { id customer { name } } } } }'
    const token = String(logon['x-xaas-auth-token'])
    expect(await post('/graphql', { 'x-xaas-auth-token': token }, { query })).toEqual({
      data: { purchase: { edges: [{ node: { id: 7, customer: { name: 'Ada' } } }] } },
    })
  })
})
