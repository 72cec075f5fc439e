/** R11: anyone who cannot log on any more, and has the data in hand, gets in again. */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { anyProduct, type TestProduct } from '../support/products.ts'
import { type CommandOutcome, runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { tryLogon } from '../support/test-accounts.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const everything = [{ regex: '.*', methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] }]

/** How the commands are told where a database is. */
function placeOf(options: DatabaseOptions): Readonly<Record<string, string>> {
  if (options.product === 'sqlite') return { GATEHOUSE_DB_NAME: options.file }
  const { product, host, port, user, password = '', name } = options
  return {
    GATEHOUSE_DB_PRODUCT: product,
    GATEHOUSE_DB_HOST: host,
    GATEHOUSE_DB_PORT: String(port),
    GATEHOUSE_DB_USER: user,
    GATEHOUSE_DB_PASS: password,
    GATEHOUSE_DB_NAME: name,
  }
}

/** The secrets that a reset showed. */
function secretsIn({ output }: CommandOutcome) {
  const [, username = '', password = '', apiKey = ''] =
    /username {2}(\S+)\n {2}password {2}(\S+)\n {2}API key {3}(\S+)$/.exec(output) ?? []
  return { username, password, apiKey }
}

async function start(product: TestProduct) {
  let options: DatabaseOptions | undefined
  const gateway = await startTestGateway(product, async (given) => {
    options = given
  })
  onTestFinished(() => gateway.close())
  if (options === undefined) throw new Error('There is no database.')
  const place = placeOf(options)
  const database = await openDatabase(options)
  onTestFinished(() => database.driver.close())
  const reset = (...words: readonly string[]) => runCommand(['account', 'reset', ...words], undefined, place)
  const sql = (text: string) =>
    database.driver.transaction((connection) => connection.execute({ sql: text, parameters: [] }))
  const statusWith = async (token: string) =>
    (await gateway.request('GET', '/manage/roles', { token })).status
  return { gateway, reset, sql, statusWith }
}

describe.each(anyProduct('SQLite'))('$name', (product) => {
  test('R11: new secrets for an account, while a gateway runs; the old ones end', async () => {
    const { gateway, reset, statusWith } = await start(product)
    const outcome = await reset('admin')
    expect({ ...outcome, output: '' }).toEqual({ exitCode: 0, output: '', errors: '' })
    const fresh = secretsIn(outcome)
    await vi.waitFor(async () => expect(await statusWith(gateway.token)).toBe(401), 20_000)
    const { password, apiKey } = gateway
    expect((await tryLogon(gateway, { username: 'admin', password, apiKey })).status).toBe(401)
    expect((await tryLogon(gateway, { ...fresh, password })).status).toBe(401)
    expect((await tryLogon(gateway, { ...fresh, apiKey })).status).toBe(401)
    const { status, body } = await tryLogon(gateway, fresh)
    expect(status).toBe(200)
    const token = (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
    expect((await gateway.request('GET', '/manage/audit?limit=1', { token })).body).toMatchObject([
      { account: null, action: 'changed', record: 'account', name: 'admin', detail: 'account reset' },
    ])
    expect((await gateway.request('GET', '/manage/accounts/admin/api-keys', { token })).body).toMatchObject([
      { name: 'default' },
    ])
  })

  test('R11: an administrator is made again, whatever is missing', async () => {
    const { gateway, reset, sql } = await start(product)
    const everythingAgain = async () => {
      const fresh = secretsIn(await reset('admin', '--role', 'admin'))
      const token = await vi.waitFor(async () => {
        const { body } = await tryLogon(gateway, fresh)
        const given = (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
        expect((await gateway.request('GET', '/manage/accounts/admin', { token: given })).status).toBe(200)
        return given
      }, 60_000)
      const { body } = await gateway.request('GET', '/manage/roles/admin', { token })
      expect(body).toMatchObject({ authorities: everything })
    }
    await sql("update gatehouse_role set authorities = '[]' where name = 'admin'")
    await everythingAgain()
    await sql("update gatehouse_account set expire_days = 1, expires_at = '2020-01-01T00:00:00.000Z'")
    await everythingAgain()
    for (const table of ['token', 'api_key', 'account_role', 'account', 'role']) {
      await sql(`delete from gatehouse_${table}`)
    }
    await everythingAgain()
  })

  test('R11: what is not there is said, and nothing is made', async () => {
    const { gateway, reset } = await start(product)
    expect(await reset('nobody')).toEqual({
      exitCode: 1,
      output: '',
      errors: 'There is no account named "nobody". With --role it is created.',
    })
    expect(await reset('admin', '--role', 'none')).toEqual({
      exitCode: 1,
      output: '',
      errors: 'There is no role named "none".',
    })
    expect((await gateway.request('GET', '/manage/roles')).status).toBe(200)
    const other = await product.createDatabase()
    onTestFinished(() => other.remove())
    // The second time shows that the first one made nothing.
    for (const words of [['admin'], ['admin', '--role', 'admin']]) {
      expect(
        await runCommand(['account', 'reset', ...words], undefined, placeOf(other.options)),
      ).toMatchObject({
        exitCode: 1,
        errors: expect.stringMatching(
          /^There are no records of a gateway in ".*"\. Say where they are with /,
        ),
      })
    }
  })
})

test('R11: a data folder that is not there is said', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  const words = ['account', 'reset', 'admin', '--data_dir', join(folder.path, 'none')]
  expect(await runCommand(words)).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining(
      `There are no records of a gateway in "${folder.path}/none/gatehouse.sqlite".`,
    ),
  })
})
