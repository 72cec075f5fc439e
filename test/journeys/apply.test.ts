/** `gatehouse apply`: from files to what a running gateway has, and again. */
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

/** A folder with these files. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  await write(folder.path, files)
  return folder.path
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

const access = `
roles:
  - name: reader
    authorities:
      - { regex: /apis/ports(/.*)?, methods: [get] }
accounts:
  - username: robin
    role: reader
    password_file: secrets/robin
    expire_days: 30
  - { username: eve, role: [reader, admin], metadata: { team: a, tags: [1, null] }, password_env: EVE }
  - { username: sam, role: reader, password: sams pass phrase }
  - { username: max, role: reader }
`
const routes = `{
  "routes": [
    { "name": "shop", "path": "/shop/*", "methods": ["GET"], "target": "http://127.0.0.1:1", "prefix": "/shop" },
    { "name": "open", "path": "/apis/tenants", "methods": ["GET"], "scope": "public" }
  ]
}`
const files = { 'access.yaml': access, 'more/routes.json': routes, 'secrets/robin': 'robins pass phrase\n' }
const eve = { EVE: 'eves pass phrase' }

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  beforeEach(async () => {
    gateway = await startTestGateway(product)
    return () => gateway.close()
  })

  const logonStatus = async (username: string, password: string, apiKey: string) => {
    const headers = { 'x-xaas-api-key': apiKey }
    return (await gateway.request('POST', '/logon', { body: { username, password }, headers, token: null }))
      .status
  }

  test('R9: makes roles before those that give them, and limits', async () => {
    const folder = await folderOf({
      'a.yaml': `roles:
  - { name: a, authorities: [], gives: [b, a] }
  - { name: b, authorities: [], gives: [c] }
  - { name: c, authorities: [], gives: "*", limits: { requests: 5, per: 60 }, targets: ["http://*.a:*"] }
accounts:
  - { username: one, role: c, limits: { requests: 1, per: 60 }, password: ones pass phrase }
  - { username: two, role: c, limits: null, password: twos pass phrase }`,
    })
    expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({ exitCode: 0 })
    expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({
      output: expect.stringContaining('5 unchanged'),
    })
    const wrong = await folderOf({ 'a.yaml': 'roles: [{ name: d, authorities: [], gives: [a, e] }]' })
    expect(await runCommand(['apply', '-f', wrong], gateway)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining(
        '/roles/0/gives/1: There is no role named "e", neither here nor at the gateway.',
      ),
    })
  })

  test('makes roles with conditions on records, and shows that they have some', async () => {
    const authority = `regex: /apis/ports(/.*)?
        methods: [GET, PATCH]
        rows:
          - { key: tenantId, op: ==, val: { account: metadata.tenant } }
          - [{ key: createTime, op: '>', val: { now: -P7D } }, { key: owner, op: ==, val: null }]
        fields: { read: [id, name, tenantId], write: [name] }
        set: { tenantId: { account: metadata.tenant } }`
    const declared = (text: string) => `roles:\n  - name: tenant-user\n    authorities:\n      - ${text}\n`
    const folder = await folderOf({ 'a.yaml': declared(authority) })
    expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({ exitCode: 0 })
    expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({
      output: expect.stringContaining('1 unchanged'),
    })
    expect((await gateway.request('GET', '/manage/roles/tenant-user')).body).toEqual({
      name: 'tenant-user',
      authorities: [
        {
          regex: '/apis/ports(/.*)?',
          methods: ['GET', 'PATCH'],
          rows: [
            { key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } },
            [
              { key: 'createTime', op: '>', val: { now: '-P7D' } },
              { key: 'owner', op: '==', val: null },
            ],
          ],
          fields: { read: ['id', 'name', 'tenantId'], write: ['name'] },
          set: { tenantId: { account: 'metadata.tenant' } },
        },
      ],
    })
    expect((await runCommand(['role', 'list'], gateway)).output).toBe(
      `NAME         METHODS                                 PATHS              CONDITIONS
admin        GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS  .*                 -
tenant-user  GET,PATCH                               /apis/ports(/.*)?  rows,fields,set`,
    )
    await write(folder, { 'a.yaml': declared(authority.replace('write: [name]', 'write: [nme, id]')) })
    expect(await runCommand(['apply', '-f', folder, '--dry-run'], gateway)).toMatchObject({
      output: expect.stringContaining('1 to change'),
    })
    await write(folder, { 'a.yaml': declared(authority.replace('op: ==', 'op: =')) })
    expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('/roles/0/authorities/0/rows/0/op: This must be one of "==", '),
    })
  })

  test('makes public routes with conditions on records, and shows that they have some', async () => {
    const route = `{ name: open, path: /apis/ports, methods: [GET], scope: public,
      rows: [{ key: tenantId, op: ==, val: a }], fields: { read: [id] } }`
    const folder = await folderOf({ 'a.yaml': `routes:\n  - ${route}\n` })
    for (const output of ['create  route  open', '1 unchanged'])
      expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({
        exitCode: 0,
        output: expect.stringContaining(output),
      })
    expect((await runCommand(['route', 'list'], gateway)).output).toBe(
      `NAME  SCOPE   METHODS  PATH         TARGET  CONDITIONS
open  public  GET      /apis/ports  -       rows,fields`,
    )
    await write(folder, { 'a.yaml': `routes:\n  - ${route.replace('read: [id]', 'read: [id, name]')}\n` })
    expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({
      output: expect.stringContaining('change  route  open'),
    })
    await write(folder, { 'a.yaml': `routes:\n  - ${route.replace('public', 'protected')}\n` })
    expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('/routes/0/rows: "rows" needs the scope "public".'),
    })
  })

  test('makes what is declared, then finds it made, and shows no secret again', async () => {
    const folder = await folderOf(files)
    await symlink('.', join(folder, 'circle'))
    const plan = `        KIND     NAME    WHAT
create  role     reader
create  account  robin
create  account  eve
create  account  sam
create  account  max
create  route    shop
create  route    open

7 to create`
    expect(await runCommand(['apply', '-f', folder, '--dry-run'], gateway, eve)).toEqual({
      exitCode: 0,
      output: `${plan}\n\nNothing was changed.`,
      errors: '',
    })
    expect((await gateway.request('GET', '/manage/accounts')).body).toHaveLength(1)

    const applied = await runCommand(['apply', '-f', folder], gateway, eve)
    const key = '  API key   (ghk_[\\w-]{43})\n'
    const made = (name: string, password = '') =>
      `Made the account ${name}; keep this, it is not shown again\n${password}${key}\n`
    const pattern = new RegExp(
      `^${plan}\n\n${made('robin')}${made('eve')}${made('sam')}${made('max', '  password  ([\\w-]{24})\n')}7 records are done\\.$`,
    )
    expect({ ...applied, output: '' }).toEqual({ exitCode: 0, output: '', errors: '' })
    expect(applied.output).toMatch(pattern)
    const [, robinKey = '', eveKey = '', samKey = '', maxPassword = '', maxKey = ''] =
      pattern.exec(applied.output) ?? []
    expect(
      await Promise.all([
        logonStatus('robin', 'robins pass phrase', robinKey),
        logonStatus('eve', 'eves pass phrase', eveKey),
        logonStatus('sam', 'sams pass phrase', samKey),
        logonStatus('max', maxPassword, maxKey),
      ]),
    ).toEqual([200, 200, 200, 200])

    const unchanged = plan.replaceAll('create ', 'unchanged ').replace('        KIND', '           KIND')
    const { body: auditBefore } = await gateway.request('GET', '/manage/audit')
    expect(await runCommand(['apply', '-f', folder], gateway)).toEqual({
      exitCode: 0,
      output: `${unchanged.replace('7 to create', '7 unchanged')}\n\nNothing to do.`,
      errors: '',
    })
    expect((await gateway.request('GET', '/manage/audit')).body).toEqual(auditBefore)
  })

  test('changes what differs, and nothing else', async () => {
    const folder = await folderOf(files)
    await runCommand(['apply', '-f', folder], gateway, eve)
    await write(folder, {
      'access.yaml': access
        .replace('[get]', '[GET, POST]')
        .replace('expire_days: 30', 'expire_days: null')
        .replace('[reader, admin]', '[admin, reader]')
        .replace(
          'role: reader, password: sams pass phrase',
          'role: reader, disabled: true, password: another pass phrase',
        ),
      'more/routes.json': routes.replace(', "prefix": "/shop"', ''),
    })
    expect(await runCommand(['apply', '-f', folder], gateway, eve)).toEqual({
      exitCode: 0,
      output: `           KIND     NAME    WHAT
change     role     reader  authorities
change     account  robin   expire_days
change     account  eve     role
change     account  sam     disabled
unchanged  account  max
change     route    shop    prefix
unchanged  route    open

5 to change, 2 unchanged

5 records are done.`,
      errors: '',
    })
    expect((await gateway.request('GET', '/manage/accounts/robin')).body).toMatchObject({ expire: null })
    expect(await runCommand(['apply', '-f', folder], gateway, eve)).toMatchObject({
      output: expect.stringContaining('7 unchanged\n\nNothing to do.'),
    })
  })

  test('a change of something else leaves the end of an account where it is', async () => {
    const account = (metadata: string) =>
      `accounts: [{ username: robin, role: admin, expire_days: 30, metadata: { ${metadata} } }]`
    const folder = await folderOf({ 'a.yaml': account('a: 1') })
    await runCommand(['apply', '-f', folder], gateway)
    await write(folder, { 'a.yaml': account('a: 2') })
    await runCommand(['apply', '-f', folder], gateway)
    const { body: audit } = await gateway.request('GET', '/manage/audit?limit=1')
    expect(audit).toMatchObject([{ action: 'changed', record: 'account', name: 'robin', detail: 'metadata' }])
  })

  test('puts keys into a file that only its owner reads, and adds to it', async () => {
    const folder = await folderOf({ ...files, keys: '{"before": true}\n' })
    const keysFile = join(folder, 'keys')
    const { output } = await runCommand(['apply', '-f', folder, '--keys_file', keysFile], gateway, eve)
    expect(output).not.toContain('ghk_')
    expect(output).toContain(
      `7 records are done. The secrets of new accounts are in ${JSON.stringify(keysFile)}.`,
    )
    expect((await stat(keysFile)).mode & 0o777).toBe(0o600)
    const lines = (await readFile(keysFile, 'utf8')).trimEnd().split('\n')
    const api_key = expect.stringMatching(/^ghk_/)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { before: true },
      { username: 'robin', api_key },
      { username: 'eve', api_key },
      { username: 'sam', api_key },
      { username: 'max', password: expect.any(String), api_key },
    ])
    await write(folder, { 'access.yaml': access.replace('username: max', 'username: moritz') })
    const nowhere = join(folder, 'none', 'keys')
    expect(await runCommand(['apply', '-f', folder, '--keys_file', nowhere], gateway)).toMatchObject({
      exitCode: 1,
      errors: `The file ${JSON.stringify(nowhere)} cannot be written (ENOENT).`,
    })
    expect((await gateway.request('GET', '/manage/accounts')).body).toHaveLength(5)
  })

  test('a failure half way says what was done, and another run does the rest', async () => {
    await gateway.request('POST', '/manage/roles', {
      body: {
        name: 'half',
        authorities: [{ regex: '/manage/(roles|accounts|routes)', methods: ['GET', 'POST'] }],
      },
    })
    const { body } = await gateway.request('POST', '/manage/accounts', {
      body: { username: 'ada', password: 'a long pass phrase', role: 'half' },
    })
    const ada = {
      GATEHOUSE_USERNAME: 'ada',
      GATEHOUSE_PASSWORD: 'a long pass phrase',
      GATEHOUSE_API_KEY: (body as { api_key: string }).api_key,
    }
    const folder = await folderOf({
      'a.yaml': `
roles: [{ name: reader, authorities: [] }]
accounts: [{ username: ada, role: half, metadata: { a: 1 } }, { username: robin, role: reader }]
routes: [{ name: open, path: /graphql, methods: [GET] }]
`,
    })
    expect(await runCommand(['apply', '-f', folder], gateway, ada)).toEqual({
      exitCode: 1,
      output: `        KIND     NAME    WHAT
create  role     reader
change  account  ada     metadata
create  account  robin
create  route    open

3 to create, 1 to change

1 record is done.`,
      errors: `The plan stopped at account ada:
  The roles of “ada” do not allow PATCH on /manage/accounts/ada.
Done: role reader.
Not done: account ada, account robin, route open.
What is done stays. Fix the cause and run the command again: it does the rest.`,
    })
    const again = await runCommand(['apply', '-f', folder, '--output', 'json'], gateway)
    const record = (action: string, kind: string, name: string, ...differs: readonly string[]) => ({
      action,
      kind,
      name,
      differs,
    })
    const done = [
      record('change', 'account', 'ada', 'metadata'),
      record('create', 'account', 'robin'),
      record('create', 'route', 'open'),
    ]
    expect({ ...again, output: JSON.parse(again.output) }).toEqual({
      exitCode: 0,
      output: {
        plan: [record('none', 'role', 'reader'), ...done],
        done,
        left: [],
        failure: null,
        accounts: [{ username: 'robin', password: expect.any(String), api_key: expect.any(String) }],
      },
      errors: '',
    })
  })

  test('tells all mistakes at once with their places, and changes nothing', async () => {
    const folder = await folderOf({
      'a.yaml': `roles:
  - name: reader
    authorities:
      - { regex: "(", methods: [GTE] }
  - { name: twin, authorities: [] }
accounts:
  - { username: a, role: reader, password: short }
  - { username: b, role: [admin, nobody], pasword: x }
  - { username: c, role: admin, password_file: none }
  - { username: d, role: [admin, nobody], password_env: NONE }
roels: []
`,
      'b.json': '{\n"roles": [\n{"name": "twin", "authorities": []}]}',
      'c.yml': 'routes:\n  - { name: a, name: b }\n',
      '.hidden/d.yaml': 'not: read',
    })
    const at = (file: string, line: number) => `${join(folder, file)} line ${line}`
    expect(await runCommand(['apply', '-f', folder], gateway)).toEqual({
      exitCode: 1,
      output: '',
      errors: [
        `${at('a.yaml', 11)}: /roels: The key "roels" is not known here; did you mean "roles". Known keys are entities, roles, accounts, routes.`,
        `${at('c.yml', 2)}: The key name occurs twice.`,
        `${at('a.yaml', 4)}: /roles/0/authorities/0/regex: This is not a regular expression in RE2 syntax: missing closing ) at character 1 ("(").`,
        `${at('a.yaml', 4)}: /roles/0/authorities/0/methods/0: "GTE" is not a method that can be allowed; did you mean "GET". The methods are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.`,
        `${at('b.json', 3)}: /roles/0: The role "twin" is declared twice. The other one is at ${at('a.yaml', 5)}: /roles/1.`,
        `${at('a.yaml', 7)}: /accounts/0/password: A password has 8 to 1,024 characters, and this one has 5.`,
        `${at('a.yaml', 8)}: /accounts/1/pasword: The key "pasword" is not known here; did you mean "password". Known keys are username, role, expire_days, metadata, disabled, limits, password, password_file, password_env.`,
        `${at('a.yaml', 9)}: /accounts/2/password_file: The file "none" does not exist.`,
        `${at('a.yaml', 10)}: /accounts/3/role/1: There is no role named "nobody", neither here nor at the gateway.`,
        `${at('a.yaml', 10)}: /accounts/3/password_env: The environment has no variable "NONE".`,
        'Nothing was changed.',
      ].join('\n'),
    })
    expect((await gateway.request('GET', '/manage/roles')).body).toHaveLength(1)
    const away = { ...gateway, url: 'http://127.0.0.1:1' }
    expect((await runCommand(['apply', '-f', folder], away)).errors.split('\n')).toHaveLength(9)
  })

  test('entities go first, all or none, from whatever file', async () => {
    const folder = await folderOf({
      'entities.json': await readFile('examples/tenants-and-ports.json', 'utf8'),
      'cable.yaml': `category: network
name: Cable
attributes:
  identifier: { field_name: id, field_type: string }
  ref_fields:
    - { field_name: portId, field_type: string, ref_class: Port, ref_class_field: id }
`,
      'roles.yaml': 'roles: [{ name: reader, authorities: [] }]',
    })
    const applied = await runCommand(['apply', '-f', folder], gateway)
    expect(applied).toMatchObject({ exitCode: 0, errors: '' })
    expect(applied.output).toMatch(
      /^ +KIND +NAME +WHAT\ncreate +entity +Tenant +Create the table "Tenant"\.\ncreate +entity +Port .*\ncreate +entity +Cable .*\ncreate +role +reader\n\n4 to create\n\n4 records are done\.$/,
    )
    expect(await runCommand(['apply', '-f', folder], gateway)).toMatchObject({
      output: expect.stringContaining('Nothing to do.'),
    })

    await write(folder, {
      'cable.yaml':
        'entities:\n  - name: Cable\n    attributes:\n      identifier: { field_name: id, field_type: strin }\n',
      'roles.yaml': 'roles: [{ name: writer, authorities: [] }]',
    })
    const refused = await runCommand(['apply', '-f', folder], gateway)
    expect(refused.exitCode).toBe(1)
    expect(refused.errors).toContain(
      `${join(folder, 'cable.yaml')} line 4: /entities/0/attributes/identifier/field_type: `,
    )
    expect((await gateway.request('GET', '/manage/roles/writer')).status).toBe(404)
  })
})
