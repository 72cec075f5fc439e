/** What a table of MariaDB or MySQL takes is what its server says, whatever our statements are written for. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMysqlDriver } from '../../src/database/dialects/mysql/driver.ts'
import { sessionModes } from '../../src/database/dialects/mysql/session-settings.ts'
import type { Connection } from '../../src/database/driver.ts'
import { describeOn } from '../support/describe-on.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { onMysqlServer } from '../support/mysql-databases.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

const own = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'

/** As WordPress makes it. */
const usersTable = `create table wp_users (
  ID bigint(20) unsigned not null auto_increment primary key,
  user_login varchar(60) not null default '',
  user_email varchar(100) not null default '',
  user_registered datetime not null default '0000-00-00 00:00:00',
  user_status int(11) not null default 0,
  display_name varchar(250) not null default '',
  key user_login_key (user_login)
) default character set utf8mb4`

describeOn(
  products.filter(({ name }) => name === 'MariaDB'),
  (product) => {
    let gateway: TestGateway
    let path: string

    beforeAll(async () => {
      gateway = await startTestGateway(product, (options) => executeAll(options, [usersTable]))
      const { body } = await gateway.request('POST', '/manage/entities/adopt', {
        body: { tables: ['wp_users'] },
      })
      path = (body as Json)[0].resource
    })
    afterAll(() => gateway.close())

    const create = async (body: Json) => {
      const answer = await gateway.request('POST', path, { body })
      return { status: answer.status, body: answer.body as Json }
    }

    test('a default that the server takes is taken', async () => {
      const made = await create({ user_login: 'ada' })
      expect(made.status).toBe(201)
      expect(made.body).toMatchObject({ ID: 1, user_login: 'ada', user_status: 0, display_name: '' })
      const both = await create([{ user_login: 'bob' }, { user_login: 'eve', user_status: 1 }])
      expect(both.status).toBe(201)
      const [{ user_registered: stored } = { user_registered: '' }] = (
        (await gateway.graphql('{ wp_users(first: 1) { edges { node { user_registered } } } }')) as Json
      ).data.wp_users.edges.map(({ node }: Json) => node)
      expect(stored).toMatch(/^0000-00-00/)
    })

    test.each([[{ user_login: 'x'.repeat(61) }], [{ user_status: 2_147_483_648 }]])(
      'no value is cut to fit: %j',
      async (record) => {
        expect((await create(record)).status).toBe(422)
      },
    )

    test.each([
      ['', own, own],
      ['STRICT_TRANS_TABLES,NO_ZERO_DATE', own, `${own},NO_ZERO_DATE`],
      [
        'NO_ZERO_IN_DATE,ALLOW_INVALID_DATES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_VALUE_ON_ZERO',
        `${own},ALLOW_INVALID_DATES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_VALUE_ON_ZERO`,
        `${own},NO_ZERO_IN_DATE,ALLOW_INVALID_DATES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_VALUE_ON_ZERO`,
      ],
      ['ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,ORACLE', own, own],
    ])('on a server whose mode is "%s", ours are "%s" and "%s"', async (serverMode, ...modes) => {
      expect(await onMysqlServer(`select ${sessionModes(`'${serverMode}'`)}`)).toEqual([modes])
      // The server knows all of them.
      for (const mode of modes) await onMysqlServer(`set sql_mode = '${mode}'`)
    })

    test('where the server takes no dates with zeros, those that are there are read as they are', async () => {
      const { options, remove } = await product.createDatabase()
      if (options.product !== 'mysql') throw new Error('not a database of MySQL')
      const driver = await openMysqlDriver({ ...options, connections: 3 }, "'NO_ZERO_DATE,NO_ZERO_IN_DATE'")
      const query = (sql: string) => (connection: Connection) => connection.query({ sql, parameters: [] })
      const execute = (sql: string) =>
        driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
      const union = 'select at from (select at from days union all select at from days) x order by at'
      const days = ['0000-00-00', '0000-00-00', '2024-00-10', '2024-00-10'].map((at) => [at])
      try {
        await execute('create table days (at date)')
        await onMysqlServer(
          `set statement sql_mode = '' for insert into ${options.name}.days values ('0000-00-00'), ('2024-00-10')`,
        )
        for (const single of [true, false, true]) {
          expect(await driver.read(query(union), { isolation: single ? 'statement' : 'snapshot' })).toEqual(
            days,
          )
          for (const at of ['0000-00-00', '2024-00-11'])
            await expect(execute(`insert into days values ('${at}')`)).rejects.toMatchObject({
              kind: 'valueRefused',
            })
        }
      } finally {
        await driver.close()
        await remove()
      }
    })
  },
)
