/** `gatehouse up`: gateway and web front in one process. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { allCases, partOf } from '../support/part-of.ts'
import { type StartedProgram, startProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestBrowser } from '../support/test-browser.ts'

const password = 'a long pass phrase'
const apiKey = 'ghk_0123456789012345678901234567890123'
const admin = ['--admin_password', password, '--admin_api_key', apiKey]

async function newFolder(): Promise<string> {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  return join(folder.path, 'data')
}

async function up(dataFolder: string, ...flags: readonly string[]): Promise<StartedProgram> {
  const program = await startProgram(dataFolder, ...admin, ...flags)
  onTestFinished(async () => void (await program.stop('SIGKILL')))
  return program
}

async function logInAtFront(program: StartedProgram): Promise<TestBrowser> {
  const browser = new TestBrowser(program.frontUrl)
  const form = await browser.get('/auth/gateway')
  const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  const entered = { username: 'admin', password, api_key: apiKey }
  expect((await browser.request('/auth/gateway', { form: { state, ...entered } })).status).toBe(303)
  return browser
}

/** Requests to the gateway by its administrator. */
async function administrator(program: StartedProgram) {
  const request = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    document?: object,
  ) => {
    const body = document === undefined ? {} : { body: JSON.stringify(document) }
    if (document !== undefined) headers['content-type'] = 'application/json'
    const answer = await fetch(program.url + path, { method, headers, ...body })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const account = { username: 'admin', password }
  const logon = await request('POST', '/logon', { 'x-xaas-api-key': apiKey }, account)
  const token = logon.body['x-xaas-auth-token']
  return (method: string, path: string, document?: object) =>
    request(method, path, { 'x-xaas-auth-token': token }, document)
}

describe('without configuration', () => {
  let program: StartedProgram
  let dataFolder = ''
  let removeFolder = async () => {}
  beforeAll(async () => {
    const folder = await temporaryFolder()
    dataFolder = join(folder.path, 'data')
    removeFolder = folder.remove
    program = await startProgram(dataFolder, ...admin)
  })
  afterAll(async () => {
    await program?.stop('SIGKILL')
    await removeFolder()
  })

  test('there is no account of the front at the gateway, before someone logs in', async () => {
    const accounts = await (await administrator(program))('GET', '/manage/accounts')
    expect(accounts.body.map(({ username }: { username: string }) => username)).toEqual(['admin'])
    await expect(stat(join(dataFolder, 'web-front.json'))).rejects.toThrow('ENOENT')
  })

  test('R7: its account is made when somebody logs in with username and password, and can only check that', async () => {
    const browser = new TestBrowser(program.frontUrl)
    const form = await browser.get('/auth/gateway')
    const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const entered = { state, username: 'admin', password }
    expect((await browser.request('/auth/gateway', { form: entered })).status).toBe(303)
    expect((await browser.get('/session')).body.auth).toMatchObject({ account_id: 'admin' })
    expect((await (await administrator(program))('GET', '/manage/roles/web-front')).body).toEqual({
      name: 'web-front',
      authorities: [{ regex: '/manage/logon-checks', methods: ['POST'] }],
    })
  })

  test('what happens at the web front is counted in the metrics of the gateway', async () => {
    const logins = async (browser: TestBrowser) => {
      const { status, text } = await browser.get('/backend/metrics')
      expect(status).toBe(200)
      return Number(
        /^gatehouse_logins_total\{provider="gateway",outcome="succeeded"\} (\d+)$/m.exec(text)?.[1],
      )
    }
    const before = await logins(await logInAtFront(program))
    expect(await logins(await logInAtFront(program))).toBe(before + 1)
  })

  test('there is a page, a log-in with accounts of the gateway, and a way to its APIs', async () => {
    expect(program.report).toMatch(
      /^Gateway {2}http:\/\/127\.0\.0\.1:\d+\nFront {4}(http:\/\/localhost:\d+)\nConsole {2}\1\/console\n\nNext {5}open \1 and log in$/m,
    )
    const page = await fetch(program.frontUrl)
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<title>Gatehouse</title>'),
    ])
    const browser = await logInAtFront(program)
    expect((await browser.get('/session')).body).toEqual({
      id: expect.any(String),
      auth: {
        account_id: 'admin',
        account_role: 'admin',
        displayName: 'admin',
        strategy: 'gateway',
        provider: 'gateway',
        properties: {},
        expires: null,
        metadata: {},
      },
      backend: '/backend',
      configs: {},
      query: {},
      params: {},
    })
    expect((await browser.get('/backend/manage/entities')).body).toEqual([])
    expect((await browser.get('/backend/manage/accounts')).body).toMatchObject([
      { username: 'admin' },
      { username: 'web-front', role: 'web-front' },
    ])
    expect((await browser.request('/logout', { method: 'POST' })).status).toBe(204)
    expect((await browser.get('/backend/manage/entities')).status).toBe(401)
    expect(await program.stop('SIGTERM')).toBe(0)
  })
})

test.runIf(allCases)(
  'the key that signs who calls outlives a restart, unless a secret is configured',
  async () => {
    const folder = await newFolder()
    const config = `${folder}.yaml`
    const keysOf = async (front: string) => {
      await writeFile(config, `front: {backend: {proxypath: /backend, identity: jwt}, ${front}}`)
      const program = await up(folder, '--config', config)
      const answer = await fetch(`${program.frontUrl}/.well-known/jwks.json`)
      await program.stop('SIGTERM')
      return answer.json()
    }
    const made = await keysOf('session: {store: sqlite}')
    expect(made).toEqual({ keys: [expect.objectContaining({ kid: expect.any(String) })] })
    expect((await stat(join(folder, 'session-secret'))).mode & 0o777).toBe(0o600)
    expect(await keysOf('session: {store: memory}')).toEqual(made)
    const configured = await keysOf('session: {secret: 0123456789012345678901234567890123456789}')
    expect(configured).not.toEqual(made)
    expect(await keysOf('session: {}')).toEqual(made)
  },
)

test('the front can be left out', async () => {
  const program = await up(await newFolder(), '--web_front=false')
  expect(program.frontUrl).toBe('')
  expect(program.report).toContain('/logon')
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
})

test('a port of the front that is in use is said, and the secrets of the first account are shown by the next start', async () => {
  const folder = await newFolder()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const address = other.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  await expect(startProgram(folder, '--front_port', port)).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another with --front_port.`,
  )
  const program = await startProgram(folder)
  onTestFinished(async () => void (await program.stop('SIGKILL')))
  expect(program.report).toMatch(/^ {2}password {2}\S{20,}$/m)
})

test.runIf(allCases)('a data folder of a gateway alone is taken over', async () => {
  const folder = await newFolder()
  const alone = await up(folder, '--web_front=false')
  expect(await alone.stop('SIGTERM')).toBe(0)
  const program = await up(folder)
  expect(program.report).toContain(`Found    data folder ${folder}, 0 tables`)
  expect((await (await logInAtFront(program)).get('/session')).status).toBe(200)
})

test('options of the front lie under “front:”, and what does not go together is said before anything is made', async () => {
  const folder = await newFolder()
  const file = join(await newFolderThatIsThere(), 'gatehouse.yaml')
  await writeFile(file, 'front:\n  configs: { theme: dark }\n  backend: { proxypath: /gw }\n')
  const program = await up(folder, '--config', file)
  const session = (await (await logInAtFront(program)).get('/session')).body
  expect([session.backend, session.configs]).toEqual(['/gw', { theme: 'dark' }])
  await writeFile(file, 'front:\n  backend: { proxypath: /auth }\n')
  const other = await newFolder()
  await expect(startProgram(other, '--config', file)).rejects.toThrow(
    'backend.proxypath: /auth is a path of the web front itself',
  )
  await expect(stat(other)).rejects.toThrow('ENOENT')
})

async function newFolderThatIsThere(): Promise<string> {
  const folder = await temporaryFolder()
  onTestFinished(() => folder.remove())
  return folder.path
}

describe('the account of the front at the gateway', () => {
  const entry = { strategy: 'gateway', generator: 'gateway', transparentTokens: true }
  const generator = ['--authentication', JSON.stringify(entry)]
  const renewal = (folder: string) =>
    `To create it again, delete the account “web-front” and the file "${folder}/web-front.json".`

  /** How many tokens the front gets for somebody who wants another one. */
  async function renewedTokens(program: StartedProgram): Promise<number> {
    const browser = await logInAtFront(program)
    const ask = await administrator(program)
    const count = async () => (await ask('GET', '/manage/tokens?account=admin')).body.length
    const before = await count()
    expect((await browser.get('/session?refresh=true')).status).toBe(200)
    return (await count()) - before
  }

  test.runIf(allCases)(
    'R7: gets once what an older version did not need, and what was taken from it stays away',
    async () => {
      const folder = await newFolder()
      const program = await up(folder, ...generator)
      const ask = await administrator(program)
      const file = join(folder, 'web-front.json')
      const { paths, ...older } = JSON.parse(await readFile(file, 'utf8'))
      expect(paths).toEqual(['/manage/tokens', '/manage/logon-checks'])
      const roleOf = async (to: typeof ask) => (await to('GET', '/manage/roles/web-front')).body.authorities
      const authorities = [{ regex: '/manage/tokens', methods: ['POST'] }]
      await ask('PUT', '/manage/roles/web-front', { authorities })
      await program.stop('SIGTERM')
      const same = await up(folder, ...generator)
      expect(same.report).toContain('does not allow POST /manage/logon-checks.')
      expect(await roleOf(await administrator(same))).toEqual(authorities)
      await same.stop('SIGTERM')
      await writeFile(file, JSON.stringify(older))
      const newer = await up(folder, ...generator)
      expect(newer.report).not.toContain('Warning')
      expect(await roleOf(await administrator(newer))).toEqual([
        ...authorities,
        { regex: '/manage/logon-checks', methods: ['POST'] },
      ])
      expect((await stat(file)).mode & 0o777).toBe(0o600)
    },
  )

  test('comes about by itself, with a role that is no wider than it must be, and outlives a restart', async () => {
    const folder = await newFolder()
    const program = await up(folder, ...generator)
    expect(program.report).not.toContain('Warning')
    const ask = await administrator(program)
    expect((await ask('GET', '/manage/accounts/web-front')).body).toMatchObject({ role: 'web-front' })
    expect((await ask('GET', '/manage/roles/web-front')).body).toEqual({
      name: 'web-front',
      authorities: [
        { regex: '/manage/tokens', methods: ['POST'] },
        { regex: '/manage/logon-checks', methods: ['POST'] },
      ],
      gives: '*',
    })
    expect((await stat(join(folder, 'web-front.json'))).mode & 0o777).toBe(0o600)
    expect(await renewedTokens(program)).toBe(1)
    const secrets = await readFile(join(folder, 'web-front.json'), 'utf8')
    expect(await program.stop('SIGTERM')).toBe(0)
    const again = await up(folder, ...generator)
    expect(again.report).not.toContain('Warning')
    expect(await renewedTokens(again)).toBe(1)
    expect(await readFile(join(folder, 'web-front.json'), 'utf8')).toBe(secrets)
  })

  test.runIf(allCases)(
    'R9: whose role an earlier version made may still get tokens, and no more is changed of it',
    async () => {
      const folder = await newFolder()
      const program = await up(folder, ...generator)
      const authorities = [{ regex: '/manage/(tokens|x)', methods: ['POST'] }]
      const ask = await administrator(program)
      await ask('PUT', '/manage/roles/web-front', { authorities })
      await program.stop('SIGTERM')
      const again = await up(folder, ...generator)
      expect(await renewedTokens(again)).toBe(1)
      const askAgain = await administrator(again)
      expect((await askAgain('GET', '/manage/roles/web-front')).body).toEqual({
        name: 'web-front',
        authorities,
        gives: '*',
      })
    },
  )

  test.runIf(allCases)('is made in a data folder of before as well', async () => {
    const folder = await newFolder()
    expect(await (await up(folder)).stop('SIGTERM')).toBe(0)
    const program = await up(folder, ...generator)
    expect(program.report).not.toContain('Warning')
    expect(await renewedTokens(program)).toBe(1)
  })

  test.runIf(allCases)('makes accounts where that is configured', async () => {
    const provider = await startFaultyProvider()
    onTestFinished(() => provider.close())
    const config = { issuer: provider.issuer, clientId: faultyClient.id, clientSecret: faultyClient.secret }
    const staff = { name: 'staff', strategy: 'openid', generator: 'gateway', transparentTokens: true, config }
    const flags = ['--authentication', JSON.stringify(staff), '--gateway_role', 'admin']
    const program = await up(await newFolder(), ...flags)
    expect(program.report).not.toContain('Warning')
    provider.fault = { claims: { sub: 'ada' }, userinfo: { sub: 'ada' } }
    const browser = new TestBrowser(program.frontUrl)
    await browser.follow('/auth/staff')
    expect((await browser.get('/session')).body.auth).toMatchObject({ account_role: 'admin' })
    expect((await browser.get('/backend/whoami')).body.username).toBe('staff:ada')
    const ask = await administrator(program)
    expect((await ask('GET', '/manage/roles/web-front')).body.gives).toEqual(['admin'])
  })

  const changes = [
    [
      'deleted',
      'DELETE',
      '',
      undefined,
      'The gateway refused the logon of the web front’s own account “web-front”.',
    ],
    [
      'given another password',
      'PATCH',
      '',
      { password: 'another pass phrase' },
      'The gateway refused the logon of the web front’s own account “web-front”.',
    ],
    [
      'given another role',
      'PATCH',
      '',
      { role: 'nothing' },
      'The role of the web front’s own account does not allow POST /manage/tokens.',
    ],
  ] as const

  test.each(partOf(changes, 3))(
    'that an administrator has %s is said at the start, and left alone',
    async (_what, method, path, document, problem) => {
      const folder = await newFolder()
      const program = await up(folder, ...generator)
      const ask = await administrator(program)
      await ask('POST', '/manage/roles', { name: 'nothing', authorities: [] })
      expect((await ask(method, `/manage/accounts/web-front${path}`, document)).status).toBeLessThan(300)
      await program.stop('SIGTERM')
      const again = await up(folder, ...generator)
      expect(again.report).toContain(`Warning  ${problem} ${renewal(folder)}`)
      expect(await renewedTokens(again)).toBe(0)
      const askAgain = await administrator(again)
      await askAgain('DELETE', '/manage/accounts/web-front')
      await rm(join(folder, 'web-front.json'))
      await askAgain('DELETE', '/manage/roles/web-front')
      expect(await renewedTokens(again)).toBe(1)
    },
  )

  test.runIf(allCases)('whose secrets are lost, or whose name somebody else has taken, is said', async () => {
    const folder = await newFolder()
    const program = await up(folder)
    const ask = await administrator(program)
    await ask('POST', '/manage/accounts', { username: 'web-front', password, role: 'admin' })
    await program.stop('SIGTERM')
    const again = await up(folder, ...generator)
    expect(again.report).toContain(
      `Warning  There is an account “web-front” already, but "${folder}/web-front.json" with its secrets is missing. ${renewal(folder)}`,
    )
    await again.stop('SIGTERM')
    await writeFile(join(folder, 'web-front.json'), '{"username": "web-front"')
    expect((await up(folder, ...generator)).report).toContain(
      `Warning  "${folder}/web-front.json" does not hold the secrets of the account “web-front”. ${renewal(folder)}`,
    )
  })
})

describe('declarations', () => {
  async function declaring(text: string) {
    const { path, remove } = await temporaryFolder()
    onTestFinished(() => remove())
    const file = join(path, 'access.yaml')
    await writeFile(file, text)
    return file
  }

  test('are applied at each start, before anyone can log in, and leave nothing else', async () => {
    const provider = await startFaultyProvider()
    onTestFinished(() => provider.close())
    const config = { issuer: provider.issuer, clientId: faultyClient.id, clientSecret: faultyClient.secret }
    const roles = { groups: { staff: 'reader' } }
    const staff = { name: 'staff', strategy: 'openid', generator: 'gateway', config, account: { roles } }
    const file = await declaring(
      'roles:\n  - name: reader\n    authorities:\n      - {regex: /graphql, methods: [GET]}\n',
    )
    const folder = await newFolder()
    const flags = ['--authentication', JSON.stringify(staff), '--apply', file]
    const program = await up(folder, ...flags)
    expect(program.report).toContain('Applied  1 record\n')
    expect(program.report).toContain(
      `Callback ${program.frontUrl}/auth/staff/callback, to register at the provider of “staff”\n`,
    )
    expect(program.report).not.toContain('Warning')
    provider.fault = { claims: { sub: 'ada' }, userinfo: { sub: 'ada', groups: ['staff'] } }
    const browser = new TestBrowser(program.frontUrl)
    await browser.follow('/auth/staff')
    expect((await browser.get('/session')).body.auth).toMatchObject({ account_role: 'reader' })
    const ask = await administrator(program)
    const namesIn = async (kind: string, key: string) =>
      ((await ask('GET', `/manage/${kind}`)).body as readonly Record<string, string>[]).map((one) => one[key])
    expect((await namesIn('roles', 'name')).toSorted()).toEqual(['admin', 'reader', 'web-front'])
    expect((await namesIn('accounts', 'username')).toSorted()).toEqual(['admin', 'staff:ada', 'web-front'])
    await program.stop('SIGTERM')
    const again = await up(folder, ...flags)
    expect(again.report).toContain('Applied  nothing: the gateway has all that is declared\n')
  })

  test.runIf(allCases)('with mistakes stop the start; those that the gateway finds are said', async () => {
    const broken = await declaring('roles: [{nmae: reader}]')
    await expect(startProgram(await newFolder(), '--apply', broken)).rejects.toThrow(/apply: .*nmae/)
    const unknown = await declaring('accounts:\n  - {username: ada, role: nobody}\n')
    const program = await up(await newFolder(), '--apply', unknown)
    expect(program.report).toMatch(/Warning {2}apply: .*nobody/)
  })
})
