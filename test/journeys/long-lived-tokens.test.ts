/** Tokens with a lifetime in days, for programs that cannot log on again and again. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { keptDatabases } from '../support/kept-database.ts'
import { anyProduct, products } from '../support/products.ts'
import { startProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const day = 86_400
const scraping = [{ regex: '/metrics', methods: ['GET'] }]

const tokenIn = (body: unknown) => (body as Record<string, string>)['x-xaas-auth-token'] ?? ''

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  /** Seconds that the gateway's clock is ahead. */
  let ahead = 0
  let gateway: TestGateway

  beforeAll(async () => {
    const now = () => new Date(Date.parse('2026-11-21T06:00:00Z') + ahead * 1000)
    gateway = await startTestGateway(product, undefined, { now, tokenTtlSeconds: 3650 * day })
  })
  afterAll(() => gateway.close())

  const create = (body: object, token?: string) =>
    gateway.request('POST', '/manage/tokens', { body, ...(token === undefined ? {} : { token }) })
  const statusOf = async (token: string, path = '/metrics') =>
    (await gateway.request('GET', path, { token })).status

  async function tokenOf(account: string, fields: object = {}): Promise<string> {
    await createAccount(gateway, account, scraping, fields)
    const answer = await create({ account, expire_days: 30 })
    expect(answer.status).toBe(201)
    return tokenIn(answer.body)
  }

  test('one opens what the role of its account allows, for as many days as it was made for', async () => {
    const token = await tokenOf('ends')
    expect([await statusOf(token), await statusOf(token, '/graphql')]).toEqual([200, 401])
    ahead += 30 * day - 1
    expect(await statusOf(token)).toBe(200)
    ahead += 1
    expect(await statusOf(token)).toBe(401)
  })

  test('it ends with its account at the latest', async () => {
    await createAccount(gateway, 'guest', scraping, { expire_days: 2 })
    const { body } = await create({ account: 'guest', expire_days: 30 })
    const { expire } = (await gateway.request('GET', '/manage/accounts/guest')).body as { expire: string }
    expect(body).toMatchObject({ expire, limited: true })
  })

  test('it is listed, in the audit, and ended with the others of its account', async () => {
    const token = await tokenOf('listed')
    const list = await gateway.request('GET', '/manage/tokens?account=listed')
    const { body: who } = await gateway.request('GET', '/whoami', { token })
    expect(list.body).toEqual([
      {
        username: 'listed',
        hash: expect.stringMatching(/^[\w-]{43}$/),
        created: expect.any(String),
        expire: (who as { expire: string }).expire,
      },
    ])
    const audit = await gateway.request('GET', '/manage/audit?limit=1')
    expect(audit.body).toMatchObject([
      { account: 'admin', record: 'token', action: 'created', name: 'listed', detail: '30 days' },
    ])
    await gateway.request('DELETE', '/manage/tokens?account=listed')
    expect(await statusOf(token)).toBe(401)
  })

  test('C5 B17 it ends at once when its account is disabled or deleted, and stays ended', async () => {
    const token = await tokenOf('disabled')
    await gateway.request('PATCH', '/manage/accounts/disabled', { body: { disabled: true } })
    expect(await statusOf(token)).toBe(401)
    expect((await create({ account: 'disabled', expire_days: 30 })).status).toBe(422)
    await gateway.request('PATCH', '/manage/accounts/disabled', { body: { disabled: false } })
    expect(await statusOf(token)).toBe(401)

    const other = await tokenOf('deleted')
    await gateway.request('DELETE', '/manage/accounts/deleted')
    await createAccount(gateway, 'deleted', scraping)
    expect(await statusOf(other)).toBe(401)
  })

  test('R9 no one makes one for an account with more rights', async () => {
    const making = [{ regex: '/manage/tokens', methods: ['POST'] }]
    const token = await logonAs(gateway, await createAccount(gateway, 'maker', making))
    const answer = await create({ account: 'admin', expire_days: 30 }, token)
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([403, 'RIGHTS_NOT_HELD'])
  })

  test.each([0, -1, 1.5, 36_501, '30', null])('it does not last %j days', async (expire_days) => {
    expect((await create({ account: 'admin', expire_days })).status).toBe(422)
  })
})

const kept = keptDatabases()

test('a restart ends none', async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  const database = await kept.create(product)
  const before = await kept.start(product, database)
  const { body } = await before.request('POST', '/manage/tokens', {
    body: { account: 'admin', expire_days: 30 },
  })
  await kept.closeLast()
  const after = await kept.start(product, database, { known: before })
  expect((await after.request('GET', '/metrics', { token: tokenIn(body) })).status).toBe(200)
})

test('Prometheus scrapes /metrics as the page on operation says', async () => {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const program = await startProgram(join(folder.path, 'data'))
  onTestFinished(async () => {
    await program.stop('SIGTERM')
  })
  const markdown = await readFile(join(root, 'docs/operate.md'), 'utf8')
  const section = /^### Scrape metrics with Prometheus$[\s\S]*?(?=^##)/m.exec(markdown)?.[0] ?? ''
  const block = (language: string) =>
    new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(section)?.[1] ?? ''
  const shown = (label: string) => new RegExp(`^  ${label} +(\\S+)$`, 'm').exec(program.report)?.[1] ?? ''
  const commands = `set -e
    gatehouse() { '${process.execPath}' '${join(root, 'dist/bin/gatehouse.js')}' "$@"; }
    ${block('sh')}`
  await writeFile(join(folder.path, 'password.txt'), shown('password'))
  await writeFile(join(folder.path, 'api-key.txt'), shown('API key'))
  const { PATH = '' } = process.env
  const env = {
    PATH,
    GATEHOUSE_URL: program.url,
    GATEHOUSE_USERNAME: 'admin',
    GATEHOUSE_PASSWORD_FILE: 'password.txt',
    GATEHOUSE_API_KEY_FILE: 'api-key.txt',
  }
  await promisify(execFile)('bash', ['-c', commands], { cwd: folder.path, env })

  // What Prometheus does with the configuration.
  const [job] = parse(block('yaml')).scrape_configs
  const { type, credentials_file } = job.authorization
  expect(job.static_configs).toEqual([{ targets: ['localhost:9000'] }])
  const credentials = (await readFile(join(folder.path, credentials_file), 'utf8')).trim()
  const scrape = (path: string) =>
    fetch(program.url + path, { headers: { authorization: `${type} ${credentials}` } })
  const metrics = await scrape(job.metrics_path ?? '/metrics')
  expect([metrics.status, await metrics.text()]).toEqual([
    200,
    expect.stringContaining('gatehouse_logons_total'),
  ])
  expect((await scrape('/manage/tokens')).status).toBe(401)
})
