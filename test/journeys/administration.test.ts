/** The commands that ask a running gateway, each as its user would type it. */
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { oneTimeCode } from '../support/one-time-code.ts'
import { anyProduct } from '../support/products.ts'
import { type CommandOutcome, runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const fine = (output: string) => ({ exitCode: 0, output, errors: '' })
const failed = (...lines: readonly string[]) => ({ exitCode: 1, output: '', errors: lines.join('\n') })
const askedWrongly = (...lines: readonly string[]) => ({ exitCode: 2, output: '', errors: lines.join('\n') })
const moment = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00'

/** What was told, with what differs each time left out. */
function gist({ exitCode, output, errors }: CommandOutcome): unknown {
  const shown = output
    .replaceAll(new RegExp(moment, 'g'), 'MOMENT')
    .replaceAll(/ghk_[\w-]{43}/g, 'KEY')
    .replaceAll(/ghk_[\w-]{4}(?![\w-])/g, 'PREFIX')
    .replaceAll(/password: "?[\w-]{24}"?$/gm, 'password: MADE')
  return { exitCode, output: shown, errors }
}

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  const run = async (...words: readonly string[]) => gist(await runCommand(words, gateway))
  beforeAll(async () => {
    gateway = await startTestGateway(product)
  })
  afterAll(() => gateway.close())

  test('roles', async () => {
    expect(
      await run('role', 'create', 'reader', '--regex', '/apis/ports(/.*)?', '--methods', 'get,post'),
    ).toEqual(
      fine(
        'name: reader\nauthorities:\n  - regex: /apis/ports(/.*)?\n    methods:\n      - GET\n      - POST',
      ),
    )
    expect(await run('role', 'update', 'reader', '--regex=/apis/.*', '--methods=GET')).toEqual(
      fine('name: reader\nauthorities:\n  - regex: /apis/.*\n    methods:\n      - GET'),
    )
    expect(await run('role', 'list')).toEqual(
      fine(
        `NAME    METHODS                                 PATHS
admin   GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS  .*
reader  GET                                     /apis/.*`,
      ),
    )
    expect(await run('role', '--url', gateway.url, 'show', 'reader')).toEqual(
      askedWrongly('role: takes list, show, create, update or delete, not "--url"'),
    )
    expect(await run('role', 'show', '--output', 'json', 'reader')).toEqual(
      fine(
        JSON.stringify(
          { name: 'reader', authorities: [{ regex: '/apis/.*', methods: ['GET'] }] },
          undefined,
          2,
        ),
      ),
    )
    expect(await run('role', 'create', 'gone', '--regex', 'x', '--methods', 'GET')).toMatchObject({
      exitCode: 0,
    })
    expect(await run('role', 'delete', 'gone')).toEqual(fine('The role “gone” is deleted.'))
  })

  test('the second factor of an account', async () => {
    const own = (method: string, body: object) => gateway.request(method, '/whoami/second-factor', { body })
    const { secret } = (await own('POST', { password: gateway.password })).body as { readonly secret: string }
    await own('PATCH', { code: oneTimeCode(secret, new Date()) })
    const remove = () => run('account', 'remove-second-factor', 'admin')
    expect(await remove()).toEqual(fine('The second factor of “admin” is removed.'))
    expect(await remove()).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('The account "admin" has no second factor.'),
    })
  })

  test('R13: targets of a role', async () => {
    const change = async (verb: string, ...words: readonly string[]) => {
      const flags = ['--regex=/manage/routes', '--methods=POST', '--output', 'json']
      const { output, errors } = await runCommand(['role', verb, 'leading', ...flags, ...words], gateway)
      return errors === '' ? JSON.parse(output).targets : errors
    }
    const targets = ['http://10.0.0.5:3000', 'https://*.internal:*']
    expect(await change('create', '--targets', targets.join())).toEqual(targets)
    expect(await change('update')).toEqual(targets)
    expect(await change('update', '--targets', 'internal')).toContain('This is an origin')
    expect(await change('update', '--targets', '*')).toBeUndefined()
    await run('role', 'delete', 'leading')
  })

  test('names', async () => {
    const body = { name: 'Visit', attributes: { identifier: { field_name: 'id', field_type: 'string' } } }
    expect((await gateway.request('POST', '/manage/entities', { body })).status).toBe(201)
    expect(await run('names', 'set', 'table', 'Visit', 'Stay')).toEqual(
      fine('The table “Visit” is called “Stay”.'),
    )
    expect(await run('names', 'set', 'field', 'Visit.xname', 'writer')).toEqual(
      fine('The field “Visit.xname” is called “writer”.'),
    )
    expect(await run('names', 'list', '--chosen')).toEqual(
      fine(
        'KIND   OF           NAME    BY\nfield  Visit.xname  writer  command\ntable  Visit        Stay    command',
      ),
    )
    expect(await run('names', '--kind', 'table', '--output', 'json')).toEqual(
      fine(JSON.stringify([{ kind: 'table', of: 'Visit', name: 'Stay', by: 'command' }], undefined, 2)),
    )
    expect(await run('names', 'set', 'field', 'Visit.id', 'writer')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('belongs to the column "xname"'),
    })
    expect(await run('names', 'set', 'table', 'Visit')).toEqual(
      askedWrongly('names set: takes KIND OF NAME, and 2 words were given'),
    )
    expect(await run('names', 'unset', 'field', 'Visit.xname')).toEqual(
      fine('The field “Visit.xname” has its default name again.'),
    )
    expect(await run('names', 'unset', 'field', 'Visit.xname')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('No name is chosen for the field'),
    })
    expect(await run('names', 'list', '--chosen')).toEqual(
      fine('KIND   OF     NAME  BY\ntable  Visit  Stay  command'),
    )
    expect((await gateway.request('DELETE', '/manage/entities/Visit')).status).toBe(204)
  })

  test('a role from a file', async () => {
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    const file = join(folder.path, 'role.yaml')
    await writeFile(
      file,
      'authorities:\n  - { regex: /a, methods: [GET] }\n  - { regex: /b, methods: [POST] }\n',
    )
    expect(await run('role', 'create', 'both', '-f', file, '--output', 'json')).toEqual(
      fine(
        JSON.stringify(
          {
            name: 'both',
            authorities: [
              { regex: '/a', methods: ['GET'] },
              { regex: '/b', methods: ['POST'] },
            ],
          },
          undefined,
          2,
        ),
      ),
    )
    await writeFile(file, 'authorities: []\nauthorities: []\n')
    expect(await run('role', 'update', 'both', '-f', file)).toEqual(
      failed(`${file} line 2: The key authorities occurs twice.`),
    )
    expect(await run('role', 'update', 'both', '-f', `${file}.none`)).toEqual(
      failed(`The file ${JSON.stringify(`${file}.none`)} does not exist.`),
    )
  })

  test('accounts and their keys', async () => {
    expect(await run('account', 'create', 'robin', '--role', 'admin', '--expire_days', '30')).toEqual(
      fine(
        'username: robin\nrole: admin\nexpire_days: 30\nexpire: MOMENT\ndisabled: false\nmetadata: {}\ncreated: MOMENT\napi_key: KEY\npassword: MADE',
      ),
    )
    expect(
      await run('account', 'update', 'robin', '--expire_days', 'never', '--metadata', '{"team": "a"}'),
    ).toEqual(
      fine(
        'username: robin\nrole: admin\nexpire_days: null\nexpire: null\ndisabled: false\nmetadata:\n  team: a\ncreated: MOMENT',
      ),
    )
    expect(await run('account', 'list')).toEqual(
      fine(
        `USERNAME  ROLES  EXPIRES  CREATED
admin     admin  never    MOMENT
robin     admin  never    MOMENT`,
      ),
    )
    expect(await run('account', 'disable', 'robin')).toEqual(
      fine(
        'username: robin\nrole: admin\nexpire_days: null\nexpire: null\ndisabled: true\nmetadata:\n  team: a\ncreated: MOMENT',
      ),
    )
    expect(await run('account', 'list')).toEqual(
      fine(
        `USERNAME  ROLES  EXPIRES   CREATED
admin     admin  never     MOMENT
robin     admin  disabled  MOMENT`,
      ),
    )
    expect(await run('account', 'enable', 'robin')).toMatchObject({
      output: expect.stringContaining('disabled: false'),
    })
    expect(await run('key', 'create', 'robin', 'ci', '--expires_at', '2999-01-01T00:00:00Z')).toEqual(
      fine('name: ci\nprefix: PREFIX\ncreated: MOMENT\nexpires_at: MOMENT\nlast_used: null\napi_key: KEY'),
    )
    expect(await run('key', 'renew', 'robin')).toEqual(fine('username: robin\napi_key: KEY'))
    expect(await run('key', 'delete', 'robin', 'default')).toEqual(
      fine('The API key “default” of “robin” has ended.'),
    )
    expect(await run('key', 'list', 'robin')).toEqual(
      fine(
        `NAME  CREATED                    EXPIRES                    LAST USED
ci    MOMENT  MOMENT  never`,
      ),
    )
    expect(await run('account', 'delete', 'robin')).toEqual(fine('The account “robin” is deleted.'))
  })

  test('routes, tokens, the audit and explanations', async () => {
    expect(
      await run(
        'route',
        'create',
        'shop',
        '--path',
        '/shop/*',
        '--methods',
        'GET',
        '--target',
        'http://127.0.0.1:1',
      ),
    ).toMatchObject({ exitCode: 0 })
    expect(
      await run('route', 'update', 'shop', '--path', '/shop', '--methods', 'GET', '--scope', 'public'),
    ).toEqual(fine('name: shop\npath: /shop\nmethods:\n  - GET\nscope: public'))
    expect(await run('route', 'list')).toEqual(
      fine('NAME  SCOPE   METHODS  PATH   TARGET\nshop  public  GET      /shop  -'),
    )
    expect(await run('explain-access', 'admin', 'GET', '/apis/ports')).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('Allowed. The role "admin" allows it by .*.\n\npath: /apis/ports\n'),
    })
    expect(await run('explain-access', 'admin', 'GET', '/a/../b')).toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(/^Refused\. The path is refused for everyone\./),
    })
    expect(await run('audit', '--limit', '1')).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(
        /^AT +ACCOUNT +ADDRESS +ACTION +RECORD +NAME +DETAIL\n.* admin +127\.0\.0\.1 +changed +route +shop$/,
      ),
    })
    expect(await run('route', 'delete', 'shop')).toEqual(fine('The route “shop” is deleted.'))
    expect(await run('token', 'create', 'admin', '--expire_days', '7')).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^account: admin\ntoken: ght_[\w-]{43}\nexpire: MOMENT$/),
    })
  })

  test('what the gateway refuses is told with its place, and ends with 1', async () => {
    expect(await run('role', 'create', 'bad', '--regex', '(', '--methods', 'GET,PSOT')).toEqual(
      failed(
        'The document is not valid.',
        '  /authorities/0/regex: This is not a regular expression in RE2 syntax: missing closing ) at character 1 ("(").',
        '  /authorities/0/methods/1: "PSOT" is not a method that can be allowed; did you mean "POST". The methods are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.',
      ),
    )
    expect(await run('role', 'delete', 'admin')).toEqual(
      failed('1 account has the role "admin". Give them another role, or delete them, first.'),
    )
    expect(await run('role', 'update', 'none', '--regex', 'x', '--methods', 'GET')).toEqual(
      failed('There is no role named "none".'),
    )
    expect(await run('account', 'create', 'eve', '--role', 'none')).toEqual(
      failed(
        'The document is not valid.',
        '  /role: There is no role named "none". Create it first, at /manage/roles.',
      ),
    )
    expect(await run('role', 'show', '..')).toEqual(failed('".." is not the name of a record.'))
  })

  test('an account does by commands what its role allows, and nothing more', async () => {
    await run('role', 'create', 'roles', '--regex', '/manage/roles', '--methods', 'GET')
    const { body } = await gateway.request('POST', '/manage/accounts', {
      body: { username: 'ada', password: 'a long pass phrase', role: 'roles' },
    })
    const ada = {
      GATEHOUSE_USERNAME: 'ada',
      GATEHOUSE_PASSWORD: 'a long pass phrase',
      GATEHOUSE_API_KEY: (body as { api_key: string }).api_key,
    }
    expect(await runCommand(['role', 'list'], gateway, ada)).toMatchObject({ exitCode: 0 })
    expect(await runCommand(['role', 'delete', 'roles'], gateway, ada)).toEqual(
      failed('The roles of “ada” do not allow DELETE on /manage/roles/roles.'),
    )
    expect(await runCommand(['role', 'list'], gateway, { ...ada, GATEHOUSE_PASSWORD: 'wrong' })).toEqual(
      failed('Logging on as “ada” failed.', 'The API key, username or password is wrong.'),
    )
  })

  test('entities', async () => {
    const file = 'examples/tenants-and-ports.json'
    expect(await run('entity', 'plan', file)).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^Tenant\n {2}Create the table "Tenant"\.\n[\s\S]*\n\nPort\n/),
    })
    expect(await run('entity', 'list')).toEqual(fine('There are no entities.'))
    expect(await run('entity', 'apply', file)).toEqual(fine('Uploaded: Tenant, Port.'))
    expect(await run('entity', 'show', 'Port')).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(
        /^name: Port\nresource: \/apis\/ports\ndefinition:\n {2}category: network\n/,
      ),
    })
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    await gateway.request('POST', '/apis/tenants', { body: { id: 'acme' } })
    const lessFile = join(folder.path, 'less.yaml')
    await writeFile(
      lessFile,
      'name: Tenant\nattributes:\n  identifier: { field_name: id, field_type: string }\n',
    )
    expect(await run('entity', 'plan', lessFile)).toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(/^Tenant\n/),
      errors: expect.stringMatching(/^It would be refused:\n {2}\/attributes\/local_fields/),
    })
    expect(await run('apply', '-f', lessFile)).toMatchObject({
      exitCode: 1,
      errors: expect.stringMatching(
        /less\.yaml line 2: \/attributes\/local_fields.*\nNothing was changed\.$/s,
      ),
    })
    expect(await run('entity', 'apply', lessFile)).toMatchObject({ exitCode: 1 })
    expect(await run('entity', 'plan', lessFile, '--allow_destructive')).toMatchObject({
      exitCode: 0,
      errors: '',
    })
    expect(await run('entity', 'delete', 'Tenant')).toMatchObject({ exitCode: 1 })
    await gateway.request('POST', '/apis/ports', { body: { id: '1', name: 'a', portType: 'trunk' } })
    expect(await run('entity', 'delete', 'Port')).toMatchObject({ exitCode: 1 })
    expect(await run('entity', 'delete', 'Port', '--allow_destructive')).toEqual(
      fine('The entity “Port” is deleted.'),
    )
    const versions = await run('entity', 'versions', 'Port')
    expect(versions).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^VERSION +ACTION .*\n2 +deleted +admin .*\n1 +created +admin .*$/),
    })
    expect(await run('entity', 'diff', 'Port', '2')).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^from: 1\nto: 2\nchanges:\n/),
    })
    expect(await run('entity', 'diff', 'Port', '1', '--to', '9')).toEqual(
      failed('"Port" has the versions 1 to 2, and not 9.'),
    )
    expect(await run('entity', 'versions', 'None')).toEqual(failed('There is no entity named "None".'))
  })

  test('every command ends its own token', async () => {
    const { body } = await gateway.request('GET', '/manage/tokens')
    const ofAdmin = (body as { username: string }[]).filter(({ username }) => username === 'admin')
    expect(ofAdmin).toHaveLength(2)
    expect(await run('token', 'delete', '--account', 'admin')).toEqual(fine('3 tokens have ended.'))
  })
})

describe('what is asked wrongly ends with 2, before anything is sent', () => {
  const nowhere = { url: 'http://127.0.0.1:1', apiKey: 'k', password: 'p' }
  test.each([
    [['role'], 'role: takes list, show, create, update or delete'],
    [['role', 'shw'], 'role: takes list, show, create, update or delete, not "shw"; did you mean show?'],
    [['role', 'show'], 'role show: takes NAME, and 0 words were given'],
    [['role', 'show', 'a', 'b'], 'role show: takes NAME, and 2 words were given'],
    [['role', 'list', 'a'], 'role list: takes only options, and 1 word was given'],
    [['role', 'list', '--regex', 'x'], '--regex: unknown option'],
    [['audit', '--limit', '0'], '--limit: takes a whole number from 1 to 1000, not "0"'],
    [['explain-access', 'a', 'GET'], 'explain-access: takes ACCOUNT METHOD PATH, and 2 words were given'],
    [['account', 'create', 'a'], 'role: missing; give --role; it takes names separated by commas'],
    [
      ['account', 'update', 'a', '--expire_days', 'x'],
      '--expire_days: takes a whole number from 1 to 36500, or never, not "x"',
    ],
    [['role', 'list', '--output', 'xml'], '--output: takes table or json, not "xml"'],
  ])('%j', async (words, line) => {
    expect(await runCommand(words, nowhere)).toEqual(askedWrongly(line))
  })

  test('without credentials, saying how to give them', async () => {
    expect((await runCommand(['role', 'list', '--username', 'a', '--password_file', '/none'])).errors).toBe(
      `--password_file: the file it names does not exist
api_key: missing; give --api_key or GATEHOUSE_API_KEY or “client: api_key” in a configuration file; it takes text that is not empty`,
    )
  })
})

describe('a gateway that is not there', () => {
  const at = (url: string) => ({ url, apiKey: 'k', password: 'p' })
  test('nobody listens', async () => {
    const { url } = await otherServer()
    const port = Number(new URL(url).port)
    await closeAll()
    expect(await runCommand(['role', 'list'], at(url))).toEqual(
      failed(
        `The gateway at http://127.0.0.1:${port} cannot be reached: connection refused. Give its address with --url.`,
      ),
    )
  })
  test('something else listens', async () => {
    const { url } = await otherServer()
    onTestFinished(closeAll)
    expect(await runCommand(['role', 'list'], at(url))).toEqual(
      failed(
        `${url} is not a gateway: it responded with status 200. Give the address of the gateway with --url.`,
      ),
    )
  })

  const servers: ReturnType<typeof createServer>[] = []
  async function otherServer() {
    const server = createServer((_, response) => response.end('<html>'))
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }
  async function closeAll() {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
})
