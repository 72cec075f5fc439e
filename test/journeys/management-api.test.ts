import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatewayCommandOptions } from '../../src/config/command-options.ts'
import { describeSettings } from '../../src/config/describe-settings.ts'
import { loadConfig } from '../../src/config/load.ts'
import { type ManagementClient, managementClientOf } from '../support/management-client.ts'
import { oneTimeCode } from '../support/one-time-code.ts'
import { operationsIn } from '../support/openapi-client.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { type PasskeyOptions, SoftwarePasskey } from '../support/software-authenticator.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of someone else's, read as a client reads it
type Json = any

let gateway: TestGateway
let document: Json
let client: ManagementClient

const origin = 'https://app.example.org'
const relyingParty = { id: 'app.example.org', origins: [origin] }

/** Every statement is slow. */
const settings = { slowStatementMs: 0, configuration: describedOptions(), relyingParty }

const password = 'a long pass phrase'

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('there is no product')
  gateway = await startTestGateway(
    product,
    async (options) => {
      await runStatements(options, ['create table book (id integer not null primary key, title varchar(50))'])
    },
    settings,
  )
  document = (await gateway.request('GET', '/manage/openapi.json')).body
  client = managementClientOf(document, gateway)
})
afterAll(() => gateway.close())

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
  const ids = operationsIn(document)
  expect(new Set(ids).size).toBe(ids.length)
  expect(document.info).toMatchObject({ title: 'Gatehouse', version: expect.any(String) })
})

test("it has each of the gateway's own operations, and no other", () => {
  // Published APIs have their own document; the rest are pages.
  const others = /^\/(apis|docs|graphiql)(\/|$)/
  const served = gateway.gateway.paths
    .filter(({ path }) => !others.test(path))
    .flatMap(({ path, methods }) => methods.map((method) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`))
  const described = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(served.sort())
})

test('it is for roles that allow it', async () => {
  const path = '/manage/openapi.json'
  expect((await gateway.request('GET', path, { token: null })).status).toBe(401)
  await gateway.request('POST', '/manage/roles', { body: { name: 'nothing', authorities: [] } })
  const { token } = await accountWith('nothing')
  expect(await gateway.request('GET', path, { token })).toMatchObject({ status: 401, body: {} })
  const open = { name: 'all', path: '/*', methods: ['GET'], scope: 'public' }
  expect((await gateway.request('POST', '/manage/routes', { body: open })).status).toBe(422)
})

test('every operation answers as the document says', async () => {
  const { call } = client
  await callService(call)
  await callAccess(call)
  await callOwnAccount(call)
  await callSecondFactor(call)
  await callPasskeys(call)
  await callRoutes(call)
  await callEntities(call)
  await callSchema(call)
  await call('endTokens', { query: { account: 'robin' } })
  await call('deleteAccount', { path: { username: 'robin' } })
  await call('deleteRole', { path: { name: 'other' } })
  expect([...client.called].sort()).toEqual(operationsIn(document).sort())
})

test('errors are as the document says', async () => {
  const { call } = client
  expect((await call('getRole', { path: { name: 'none' } })).status).toBe(404)
  expect((await call('createRole', { body: { name: 5 } })).status).toBe(422)
  expect((await call('listRoles', { query: { limit: '0' } })).status).toBe(400)
  expect((await call('listRoles', { token: null })).status).toBe(401)
  expect((await call('getCaller', { token: null })).status).toBe(401)
})

test('the schemas of what is sent refuse what the gateway refuses', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  const accepts = (name: string, body: unknown) =>
    ajv.validate({ $ref: `document#/components/schemas/${name}` }, body)
  const authorities = [{ regex: '/apis/.*', methods: ['GET'] }]
  const bodies: readonly [string, string, Json][] = [
    ['RoleToCreate', '/manage/roles', { name: 'sent', authorities }],
    ['RoleToCreate', '/manage/roles', { authorities }],
    ['RoleToCreate', '/manage/roles', { name: '', authorities }],
    ['RoleToCreate', '/manage/roles', { name: 'sent2', authorities, colour: 'red' }],
    ['RoleToCreate', '/manage/roles', { name: 'sent3', authorities: [{ regex: '/', methods: [] }] }],
    ['RoleToCreate', '/manage/roles', { name: 'sent4', authorities: [{ regex: '/', methods: ['FETCH'] }] }],
    ['RoleToCreate', '/manage/roles', { name: 'sent5', authorities, limits: { requests: 0, per: 1 } }],
    [
      'AccountToCreate',
      '/manage/accounts',
      { username: 'sent', password, role: ['sent'], expire_days: null },
    ],
    ['AccountToCreate', '/manage/accounts', { username: 'sent2', password: 'short', role: 'sent' }],
    ['AccountToCreate', '/manage/accounts', { username: 'sent3', password, role: [] }],
    ['AccountToCreate', '/manage/accounts', { username: 'sent4', password, role: 'sent', expire_days: 0 }],
    ['AccountToCreate', '/manage/accounts', { username: 'sent5', password, role: 'sent', metadata: [] }],
    ['RouteToCreate', '/manage/routes', { name: 'sent', path: '/graphql', methods: ['GET'] }],
    ['RouteToCreate', '/manage/routes', { name: 'sent2', path: '/x', methods: ['GET'], scope: 'open' }],
    ['RouteToCreate', '/manage/routes', { name: 'sent3', path: '/x', methods: ['GET'], target: [] }],
    ['EntityDefinition', '/manage/entities', { name: 'Sent', attributes: { local_fields: [{}] } }],
    ['EntityDefinition', '/manage/entities', { name: 'Sent', fields: [] }],
  ]
  for (const [schema, path, body] of bodies) {
    const { status } = await gateway.request('POST', path, { body })
    expect(accepts(schema, body), `${status} ${JSON.stringify(body)}`).toBe(status === 201)
  }
})

type Call = ManagementClient['call']

async function callService(call: Call): Promise<void> {
  await call('getHealth', { token: null })
  await call('getReadiness', { token: null })
  await call('getMetrics')
  await call('getPublishedApis')
  await call('getManagementApi')
  await call('getStatus')
  await call('getConfiguration')
  await call('listSlowStatements')
  await call('clearSlowStatements')
}

async function callAccess(call: Call): Promise<void> {
  const authorities = [{ regex: '/apis/books(/.*)?', methods: ['GET'] }]
  const role = { name: 'reader', authorities, gives: [], limits: { requests: 1000, per: 1 }, targets: [] }
  expect((await call('createRole', { body: role })).body).toEqual(role)
  expect((await call('replaceRole', { path: { name: 'other' }, body: { authorities } })).status).toBe(201)
  expect((await call('replaceRole', { path: { name: 'other' }, body: { authorities } })).status).toBe(200)
  await call('replaceRole', {
    path: { name: 'other' },
    query: { dry_run: 'true' },
    body: { authorities: [] },
  })
  await call('listRoles', { query: { limit: '1', after: 'admin' } })
  await call('getRole', { path: { name: 'reader' } })
  const account = {
    username: 'robin',
    password,
    role: ['reader', 'other'],
    expire_days: 3,
    metadata: { a: 1 },
  }
  await call('createAccount', { body: account })
  const changes = { role: 'reader', limits: { requests: 500, per: 1 }, expire_days: null }
  await call('changeAccount', { path: { username: 'robin' }, body: changes })
  await call('getAccount', { path: { username: 'robin' } })
  await call('listAccounts')
  const username = { username: 'robin' }
  await call('createApiKey', { path: username, body: { name: 'second', expire_days: 9 } })
  await call('listApiKeys', { path: username })
  await call('getApiKey', { path: { ...username, name: 'second' } })
  await call('deleteApiKey', { path: { ...username, name: 'second' } })
  await call('renewApiKey', { path: username })
  await call('explainAccess', { query: { account: 'robin', method: 'GET', path: '/apis/books' } })
  await call('explainAccess', { query: { account: 'robin', method: 'GET', path: '/apis//books' } })
  const { body } = await call('checkLogon', { body: { username: 'robin', password, address: '192.0.2.1' } })
  const tokens = [(body as Json)['x-xaas-auth-token']]
  await call('createToken', { body: { account: 'robin', tokens } })
  await call('listTokens', { query: { account: 'robin' } })
  await call('listAuditEntries', { query: { limit: '50', record: 'account' } })
}

async function callOwnAccount(call: Call): Promise<void> {
  const { token, apiKey, tokenHash } = await accountWith('reader')
  const { body: caller } = await call('getCaller', { token })
  const { username } = caller as Json
  await call('logon', { token: null, body: { username, password }, headers: { 'x-xaas-api-key': apiKey } })
  await call('explainOwnAccess', { token, query: { method: 'GET', path: '/apis/ports' } })
  await call('listAllowedCalls', { token, body: { calls: [{ method: 'GET', path: '/manage/roles' }] } })
  await call('createOwnApiKey', { token, body: { password, name: 'own' } })
  await call('listOwnApiKeys', { token })
  await call('deleteOwnApiKey', { token, body: { password, name: 'own' } })
  await call('changeOwnPassword', { token, body: { password, new_password: `${password}, and another` } })
  await call('endOwnTokens', { token, query: { hash: tokenHash } })
  const second = await accountWith('reader')
  await call('logoff', { token: second.token })
}

async function callSecondFactor(call: Call): Promise<void> {
  const { token, username } = await accountWith('reader')
  const own = { 'x-requested-with': 'test', 'sec-fetch-site': 'same-origin' }
  await call('logOnAtPage', { token: null, body: { username, password }, headers: own })
  const begun = Date.now()
  // Each code is taken once, and the next one a little early.
  const activate = async (of: string | null, milliseconds: number) => {
    const { body } = await call('setUpOwnSecondFactor', { token: of, body: { password } })
    const code = (time: number) => oneTimeCode((body as Json).secret, new Date(time))
    await call('activateOwnSecondFactor', { token: of, body: { code: code(milliseconds) } })
    return code(milliseconds + 30_000)
  }
  const code = await activate(token, begun)
  await call('getOwnSecondFactor', { token })
  await call('listAccounts')
  const { body } = await call('renewOwnRecoveryCodes', { token, body: { password, code } })
  const [recoveryCode] = (body as Json).recovery_codes
  await call('turnOffOwnSecondFactor', { token, body: { password, code: recoveryCode } })
  const other = await accountWith('reader')
  await activate(other.token, Date.now())
  await call('removeSecondFactor', { path: { username: other.username } })
}

async function callPasskeys(call: Call): Promise<void> {
  const { token, username } = await accountWith('reader')
  const register = async () => {
    const { body: begun } = await call('beginOwnPasskey', { token, body: { password } })
    const passkey = new SoftwarePasskey(origin)
    const credential = passkey.create(begun as PasskeyOptions)
    const { body } = await call('registerOwnPasskey', { token, body: { name: 'Laptop', credential } })
    return { passkey, id: String((body as Json).id) }
  }
  const { passkey, id } = await register()
  await call('renameOwnPasskey', { token, path: { id }, body: { name: 'Blue key' } })
  const { body: asked } = await call('getPasskeyLogonOptions', { token: null })
  const answer = passkey.get(asked as PasskeyOptions)
  await call('checkLogon', { body: { address: '192.0.2.1', passkey: answer } })
  await call('listOwnPasskeys', { token })
  await call('getAccount', { path: { username } })
  await call('removeOwnPasskey', { token, path: { id }, body: { password } })
  const second = await register()
  await call('listPasskeys', { path: { username } })
  await call('removePasskey', { path: { username, id: second.id } })
}

async function callRoutes(call: Call): Promise<void> {
  const route = {
    name: 'shop',
    path: '/shop/*',
    methods: ['GET'],
    target: ['http://127.0.0.1:9', 'http://127.0.0.1:10'],
    prefix: '/shop',
    health: { path: '/' },
    headers: { set: { 'X-Tenant': 't1' } },
    rewrite: true,
  }
  await call('createRoute', { body: route })
  await call('replaceRoute', { path: { name: 'shop' }, body: { ...route, target: 'http://127.0.0.1:9' } })
  await call('replaceRoute', { path: { name: 'own' }, body: { path: '/graphql', methods: ['POST'] } })
  await call('listRoutes')
  await call('getRoute', { path: { name: 'shop' } })
  await call('listRouteHealth')
  await gateway.request('GET', '/shop/a')
  expect((await call('getRouteHealth', { path: { name: 'shop' } })).body).toMatchObject({ checked: true })
  await call('getRouteHealth', { path: { name: 'own' } })
  await call('deleteRoute', { path: { name: 'shop' } })
}

async function callEntities(call: Call): Promise<void> {
  const definitions = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
  await call('uploadEntities', { query: { dry_run: 'true' }, body: definitions })
  await call('uploadEntities', { body: definitions })
  const [tenant] = definitions
  const field = { field_name: 'note', field_type: 'string' }
  const wider = structuredClone(tenant)
  wider.attributes.local_fields.push(field)
  await call('uploadEntities', { query: { dry_run: 'true' }, body: wider })
  await call('uploadEntities', { body: wider })
  await call('uploadEntities', { query: { dry_run: 'true' }, body: tenant })
  await call('listEntities', { query: { limit: '1' } })
  const { body: short } = await call('listEntities', { query: { definition: 'false' } })
  expect(Object.keys((short as Json)[0])).toEqual([
    'name',
    'resource',
    'changed_by',
    'changed_at',
    'field_count',
    'adopted',
  ])
  const path = { name: 'Tenant' }
  await call('getEntity', { path })
  await call('listEntityVersions', { path })
  await call('getEntityVersion', { path: { ...path, version: '2' } })
  await call('compareEntityVersions', { path: { ...path, version: '2' } })
  await call('compareEntityVersions', { path: { ...path, version: '1' }, query: { to: '2' } })
  await call('adoptTables', { query: { dry_run: 'true' }, body: { tables: ['book'] } })
  await call('adoptTables', { body: { tables: ['book'] } })
  await call('listDrift')
  await call('deleteEntity', { path: { name: 'Port' }, query: { allow_destructive: 'true' } })
}

async function callSchema(call: Call): Promise<void> {
  await call('getSchemaVersion')
  await call('reloadSchema')
  await call('listTables', { query: { limit: '2', q: 'o', kind: 'table', entity: 'true' } })
  await call('listTables')
  await call('getTable', { path: { name: 'Tenant' } })
  await call('listNames', { query: { limit: '3' } })
  await call('chooseName', { body: { kind: 'table', of: 'book', name: 'Novel' } })
  await call('releaseName', { query: { kind: 'table', of: 'book' } })
  await call('getGraphqlSchema')
  await call('getGraphqlSchema', { query: { query: '{ Tenant { edges { node { id } } } }' } })
  await call('executeGraphql', { body: { query: '{ Tenant { edges { node { id } } } }' } })
  await call('executeGraphql', { body: { query: '{ Tenants }' } })
  await call('listOwnTables', { query: { limit: '1', q: 't' } })
  await call('getOwnTable', { path: { name: 'Tenant' } })
}

/** The options of a gateway, with a secret. */
function describedOptions() {
  const { settings } = loadConfig(gatewayCommandOptions, {
    flags: ['--db_product', 'sqlite', '--port', '9001'],
    environment: { GATEHOUSE_DB_PASS: 'secret-text' },
    readText: () => '',
  })
  return describeSettings(settings)
}

let accounts = 0

/** A new account with a role, logged on. */
async function accountWith(role: string) {
  accounts += 1
  const username = `own-${accounts}`
  const { body } = await gateway.request('POST', '/manage/accounts', { body: { username, password, role } })
  const apiKey: string = (body as Json).api_key
  const logon = await gateway.request('POST', '/logon', {
    body: { username, password },
    headers: { 'x-xaas-api-key': apiKey },
    token: null,
  })
  const token: string = (logon.body as Json)['x-xaas-auth-token']
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return { username, token, apiKey, tokenHash: Buffer.from(digest).toString('base64url') }
}
