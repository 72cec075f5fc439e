/** What somebody typed, and the sentence that says what is wrong. Each area adds rows. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { freePort } from '../support/free-port.ts'
import { onMysqlServer } from '../support/mysql-databases.ts'
import { onPostgresqlServer } from '../support/postgresql-databases.ts'
import { products, type TestProduct } from '../support/products.ts'
import { runCommand } from '../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mistakes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A file in the folder of these tests. */
function fileWith(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

interface Mistake {
  readonly what: string
  readonly words: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly exitCode: number
  /** Everything that is written to standard error. */
  readonly errors: readonly string[]
}

async function expectRefusal({ words, environment = {}, exitCode, errors }: Mistake): Promise<void> {
  const ended = await runCommand(words, undefined, environment)
  expect({ exitCode: ended.exitCode, errors: ended.errors.split('\n') }).toEqual({ exitCode, errors })
}

/** A data folder of its own, so that no test finds what another one has made. */
const up = (...words: readonly string[]) => ['up', '--data_dir', join(folder, 'data'), ...words]

const broken = fileWith(
  'broken.yaml',
  `
content: { root: ${join(folder, 'nowhere')} }
authentication:
  - { name: staff, strategy: openid, config: { clientId: app } }
  - { name: own, strategy: ${join(folder, 'nowhere.mjs')} }
session: { store: mongo }
echo:
  templates:
    letter: { text: "{{#if", format: txt }
    list: { file: ${join(folder, 'nowhere.csv')} }
`,
)
const brokenErrors = [
  `${broken} line 6: session.store: takes memory, sqlite or redis, not "mongo"`,
  'authentication staff: the strategy “openid” needs config.issuer',
  `The folder "${join(folder, 'nowhere')}" has no index.html. Name the folder of the built application with --content_root.`,
  expect.stringMatching(/^echo: template letter: Parse error on line 1: .*got .INVALID.$/),
  `echo: template list: the file "${join(folder, 'nowhere.csv')}" does not exist`,
  `authentication own: The module "${join(folder, 'nowhere.mjs')}" cannot be used: there is no such file.`,
]

const ofConfiguration: readonly Mistake[] = [
  {
    what: 'a start-up file with mistakes of all kinds',
    words: ['front', '--config', broken],
    exitCode: 2,
    errors: brokenErrors,
  },
  {
    what: 'the same file, checked',
    words: ['check-config', 'front', '--config', broken],
    exitCode: 2,
    errors: brokenErrors,
  },
  {
    what: 'more than one process on a file, and secrets that are too short',
    words: ['gateway', '--db_product', 'sqlite', '--db_name', ':memory:', '--workers', '2'],
    environment: { GATEHOUSE_ADMIN_PASSWORD: 'short', GATEHOUSE_ADMIN_API_KEY: 'short' },
    exitCode: 2,
    errors: [
      'workers: more than one needs a database server, because a SQLite database is used by one process. Its queries run in threads anyway; “read_connections” says in how many',
      'admin_password: takes 8 to 1,024 characters',
      'admin_api_key: takes 32 to 200 visible ASCII characters; “openssl rand -hex 32” makes one',
    ],
  },
  {
    what: 'a database file that does not exist',
    words: up('--db_name', join(folder, 'shpo.db')),
    exitCode: 2,
    errors: [
      `db_name: there is no file "${join(folder, 'shpo.db')}". A database that is named is not created: leave db_name out to get a new one, or create an empty file`,
    ],
  },
  {
    what: 'a role that is named and does not exist',
    words: [
      'check-config',
      ...up('--connect', '--gateway_role', 'reader', '--db_name', fileWith('empty.db', '')),
    ],
    exitCode: 1,
    errors: [''],
  },
  {
    what: 'variables of other commands',
    words: ['echo', 'letter', '--out', join(folder, 'letter.txt')],
    environment: { GATEHOUSE_URL: 'http://127.0.0.1:9000', GATEHOUSE_USERNAME: 'admin' },
    exitCode: 1,
    errors: [expect.stringContaining('template')],
  },
]

describe('a configuration', () => {
  test.each(ofConfiguration)('$what', expectRefusal)
})

type ServerOptions = Exclude<DatabaseOptions, { product: 'sqlite' }>

function wordsOf({ product, host, port, user, name }: ServerOptions): readonly string[] {
  const address = ['--db_product', product, '--db_host', host, '--db_port', `${port}`]
  return ['gateway', '--port', '0', ...address, '--db_user', user, '--db_name', name, '--db_retry', 'false']
}

const passwordOf = ({ password }: ServerOptions) =>
  password === undefined || password === '' ? {} : { GATEHOUSE_DB_PASS: password }

const someName = () => `gatehouse_test_${randomBytes(6).toString('hex')}`

/** The products that are servers, each with what creates a user who may only read, and what removes it. */
const servers: readonly {
  readonly product: TestProduct
  readonly createReader: (user: string, name: string) => readonly string[]
  readonly run: (sql: string) => Promise<unknown>
}[] = products.flatMap((product) => {
  const createReader = {
    PostgreSQL: (user: string) => [`create role ${user} login password 'reader'`],
    MariaDB: (user: string, name: string) => [
      `create user ${user}@'%' identified by 'reader'`,
      `grant select on ${name}.* to ${user}@'%'`,
    ],
  }[product.name]
  const run = product.name === 'PostgreSQL' ? onPostgresqlServer : onMysqlServer
  return createReader === undefined ? [] : [{ product, createReader, run }]
})

describe.each(servers)('$product.name', ({ product, createReader, run }) => {
  const place = (options: ServerOptions) => `${options.host}:${options.port}`

  test('a user, a database, a host and a port that are not there', async () => {
    const { options: any, remove } = await product.createDatabase()
    const options = any as ServerOptions
    const environment = passwordOf(options)
    const user = someName()
    const name = someName()
    const port = await freePort()
    try {
      await expectRefusal({
        what: '',
        words: wordsOf({ ...options, user }),
        environment: { GATEHOUSE_DB_PASS: 'wrong' },
        exitCode: 1,
        errors: [
          `The server at ${place(options)} does not accept the user "${user}" with this password. Check --db_user and GATEHOUSE_DB_PASS or --db_pass_file.`,
        ],
      })
      await expectRefusal({
        what: '',
        words: wordsOf({ ...options, name }),
        environment,
        exitCode: 1,
        errors: [
          `The server at ${place(options)} has no database "${name}". Create it there, or name another one with --db_name.`,
        ],
      })
      await expectRefusal({
        what: '',
        words: wordsOf({ ...options, host: 'nowhere.invalid' }),
        environment,
        exitCode: 1,
        errors: ['There is no host "nowhere.invalid". Check --db_host.'],
      })
      await expectRefusal({
        what: '',
        words: wordsOf({ ...options, port }),
        environment,
        exitCode: 1,
        errors: [
          `No server accepts connections at ${options.host}:${port}. Start it, or check --db_host and --db_port.`,
        ],
      })
    } finally {
      await remove()
    }
  })

  test('a user who may not create tables is told of --store_url, and with it the gateway connects', async () => {
    const { options: any, remove } = await product.createDatabase()
    const options = any as ServerOptions
    const user = `reader_${randomBytes(4).toString('hex')}`
    for (const sql of createReader(user, options.name)) await run(sql)
    const environment = { GATEHOUSE_DB_PASS: 'reader' }
    try {
      await expectRefusal({
        what: '',
        words: wordsOf({ ...options, user }),
        environment,
        exitCode: 1,
        errors: [
          `The user "${user}" may not create tables in the database "${options.name}" at ${place(options)}, and the gateway keeps its own records there. Grant the right to, or keep them elsewhere, as in --store_url sqlite:gatehouse-store.sqlite.`,
        ],
      })
      const [, ...words] = wordsOf({ ...options, user })
      const store = ['--store_url', `sqlite:${join(folder, `${user}.sqlite`)}`]
      const checked = await runCommand(
        ['check-config', 'gateway', '--connect', ...words, ...store],
        undefined,
        environment,
      )
      expect(checked).toMatchObject({ exitCode: 0, errors: '' })
      expect(checked.output.split('\n\n').at(-1)).toBe(
        `database  works  the database "${options.name}" at ${place(options)}, 0 tables
store     works  the file "${join(folder, `${user}.sqlite`)}" does not exist; the start creates it`,
      )
    } finally {
      await remove()
      await run(product.name === 'PostgreSQL' ? `drop role ${user}` : `drop user ${user}@'%'`)
    }
  })

  test.each(servers.filter((other) => other.product !== product))(
    'the port of $product.name',
    async ({ product: other }) => {
      const { options: own, remove } = await product.createDatabase()
      const { options: foreign, remove: removeForeign } = await other.createDatabase()
      const options = { ...own, host: (foreign as ServerOptions).host, port: (foreign as ServerOptions).port }
      try {
        const { exitCode, errors } = await runCommand(wordsOf(options as ServerOptions))
        expect(exitCode).toBe(1)
        expect(errors).toMatch(
          new RegExp(
            `^What responds at ${place(options as ServerOptions)} is not a \\S.* server\\. .*Check --db_product and --db_host and --db_port\\.$`,
          ),
        )
      } finally {
        await remove()
        await removeForeign()
      }
    },
  )
})

describe.runIf(products.some(({ name }) => name === 'SQLite'))('SQLite', () => {
  const start = (file: string, ...words: readonly string[]) => [
    ...['gateway', '--port', '0', '--db_product', 'sqlite', '--db_name', file],
    ...words,
  ]
  const text = fileWith('text.db', 'This is a text that is longer than the head of a database.\n'.repeat(100))
  const nowhere = join(folder, 'nowhere', 'store.sqlite')
  test.each<Mistake>([
    {
      what: 'a file that is no database',
      words: start(text),
      exitCode: 1,
      errors: [`"${text}" is not a SQLite database, or it is damaged. Choose another file with --db_name.`],
    },
    {
      what: 'a folder',
      words: start(folder),
      exitCode: 1,
      errors: [`"${folder}" cannot be opened: it is a folder. Choose another file with --db_name.`],
    },
    {
      what: 'a store in a folder that does not exist',
      words: start(':memory:', '--store_url', `sqlite:${nowhere}`),
      exitCode: 1,
      errors: [`"${nowhere}" cannot be created or written: its folder does not exist.`],
    },
  ])('$what', expectRefusal)
})
