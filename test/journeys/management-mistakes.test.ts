/** What an administrator may do wrong, and what the management API says to it: what is wrong, where, and what to do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

type Mistake = readonly [
  what: string,
  method: string,
  path: string,
  body: unknown,
  status: number,
  says: readonly string[],
]

const authorities = [{ regex: '/apis/.*', methods: ['GET'] }]
const password = 'a long pass phrase'

const mistakes: readonly Mistake[] = [
  ['no document at all', 'POST', '/manage/roles', undefined, 422, [' A JSON object is required here.']],
  [
    'a list in place of an object',
    'POST',
    '/manage/roles',
    [],
    422,
    [' A JSON object is expected here, and a list was sent.'],
  ],
  [
    'a role without anything',
    'POST',
    '/manage/roles',
    {},
    422,
    ['/name A text is required here.', '/authorities A list is required here.'],
  ],
  [
    'a role whose parts are of other kinds',
    'POST',
    '/manage/roles',
    { name: 5, authorities: {} },
    422,
    [
      '/name A text is expected here, and a whole number was sent.',
      '/authorities A list is expected here, and a JSON object was sent.',
    ],
  ],
  [
    'a role with an unknown key',
    'POST',
    '/manage/roles',
    { name: 'a', authorities, authoritys: [] },
    422,
    [
      '/authoritys The key "authoritys" is not known here; did you mean "authorities". Known keys are name, authorities, gives, limits, targets.',
    ],
  ],
  [
    'a regular expression that does not compile',
    'POST',
    '/manage/roles',
    { name: 'a', authorities: [{ regex: '/a(', methods: ['GET'] }] },
    422,
    [
      '/authorities/0/regex This is not a regular expression in RE2 syntax: missing closing ) at character 3 ("(").',
    ],
  ],
  [
    'one that looks behind',
    'POST',
    '/manage/roles',
    { name: 'a', authorities: [{ regex: '(?<=a)b', methods: ['GET'] }] },
    422,
    [
      '/authorities/0/regex A regular expression here cannot look ahead or behind ((?=, (?!, (?<=, (?<!), because it must decide in linear time (RE2 syntax). Say what is allowed in several authorities instead.',
    ],
  ],
  [
    'one with a backreference',
    'POST',
    '/manage/roles',
    { name: 'a', authorities: [{ regex: '(a)\\1', methods: ['GET'] }] },
    422,
    [
      '/authorities/0/regex A regular expression here cannot refer back to a group (\\1), because it must decide in linear time (RE2 syntax). Say what is allowed in several authorities instead.',
    ],
  ],
  [
    'one that is too long',
    'POST',
    '/manage/roles',
    { name: 'a', authorities: [{ regex: 'a'.repeat(1001), methods: ['GET'] }] },
    422,
    [
      '/authorities/0/regex A regular expression has at most 1000 characters, and this one has 1001. Use several authorities.',
    ],
  ],
  [
    'one that grows too large',
    'POST',
    '/manage/roles',
    { name: 'a', authorities: [{ regex: '((a{30}){30}){30}', methods: ['GET'] }] },
    422,
    [
      '/authorities/0/regex This is not a regular expression in RE2 syntax: invalid repeat count at character 4 ("{30}").',
    ],
  ],
  [
    'a method that is none',
    'POST',
    '/manage/roles',
    { name: 'a', authorities: [{ regex: 'a', methods: ['FETCH', 'GTE'] }] },
    422,
    [
      '/authorities/0/methods/0 "FETCH" is not a method that can be allowed. The methods are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.',
      '/authorities/0/methods/1 "GTE" is not a method that can be allowed; did you mean "GET". The methods are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.',
    ],
  ],
  [
    'no methods',
    'POST',
    '/manage/roles',
    { name: 'a', authorities: [{ regex: 'a', methods: [] }, { regex: 'b' }] },
    422,
    [
      '/authorities/0/methods This must have at least 1 in it.',
      '/authorities/1/methods A list is required here.',
    ],
  ],
  [
    'methods as a text',
    'POST',
    '/manage/roles',
    { name: 'a', authorities: [{ regex: 'a', methods: 'GET' }] },
    422,
    ['/authorities/0/methods A list is expected here, and a text was sent.'],
  ],
  [
    'a name with a slash',
    'POST',
    '/manage/roles',
    { name: 'a/b', authorities },
    422,
    ['/name A name must not hold a slash or backslash: it is part of a path.'],
  ],
  [
    'a name with a control character',
    'POST',
    '/manage/roles',
    { name: 'a\u0000', authorities },
    422,
    ['/name A name must not contain control characters or lone surrogates.'],
  ],
  [
    'a name that is too long',
    'POST',
    '/manage/roles',
    { name: 'a'.repeat(201), authorities },
    422,
    ['/name A name has 1 to 200 characters, and this one has 201.'],
  ],
  [
    'an empty name',
    'POST',
    '/manage/roles',
    { name: '', authorities },
    422,
    ['/name A name has 1 to 200 characters, and this one has 0.'],
  ],
  [
    'a role that is there',
    'POST',
    '/manage/roles',
    { name: 'reader', authorities },
    409,
    ['Another role is named "reader" already. Choose another name, or change the one there is.'],
  ],
  [
    'a role by another name',
    'PUT',
    '/manage/roles/reader',
    { name: 'writer', authorities },
    422,
    [
      '/name The path names "reader" and the document "writer". Send the name of the path, or leave it out; a record cannot be renamed.',
    ],
  ],
  [
    'a replacement without authorities',
    'PUT',
    '/manage/roles/reader',
    {},
    422,
    ['/authorities A list is required here.'],
  ],
  [
    'a role that is not there',
    'GET',
    '/manage/roles/none',
    undefined,
    404,
    ['There is no role named "none".'],
  ],
  [
    'deleting a role that is not there',
    'DELETE',
    '/manage/roles/none',
    undefined,
    404,
    ['There is no role named "none".'],
  ],
  [
    'deleting a role in use',
    'DELETE',
    '/manage/roles/reader',
    undefined,
    409,
    ['1 account has the role "reader". Give them another role, or delete them, first.'],
  ],
  [
    'a method that the path does not take',
    'PATCH',
    '/manage/roles/reader',
    {},
    405,
    ['This path takes GET, PUT, DELETE, HEAD.'],
  ],
  [
    'a path that is not there',
    'GET',
    '/manage/rolls',
    undefined,
    404,
    ['There is nothing at this path. Did you mean /manage/roles?'],
  ],
  [
    'an account without anything',
    'POST',
    '/manage/accounts',
    {},
    422,
    [
      '/username A text is required here.',
      '/password A text is required here.',
      '/role A text or a list is required here.',
    ],
  ],
  [
    'a role that there is not',
    'POST',
    '/manage/accounts',
    { username: 'a', password, role: 'none' },
    422,
    ['/role There is no role named "none". Create it first, at /manage/roles.'],
  ],
  [
    'two of three',
    'POST',
    '/manage/accounts',
    { username: 'a', password, role: ['reader', 'none', 'nobody'] },
    422,
    [
      '/role/1 There is no role named "none". Create it first, at /manage/roles.',
      '/role/2 There is no role named "nobody". Create it first, at /manage/roles.',
    ],
  ],
  [
    'no role',
    'POST',
    '/manage/accounts',
    { username: 'a', password, role: [] },
    422,
    ['/role This must have at least 1 in it.'],
  ],
  [
    'a username that is taken',
    'POST',
    '/manage/accounts',
    { username: 'robin', password, role: 'reader' },
    409,
    ['Another account is named "robin" already. Choose another name, or change the one there is.'],
  ],
  [
    'a short password',
    'POST',
    '/manage/accounts',
    { username: 'a', password: 'short', role: 'reader' },
    422,
    ['/password A password has 8 to 1,024 characters, and this one has 5.'],
  ],
  [
    'a long password',
    'POST',
    '/manage/accounts',
    { username: 'a', password: 'x'.repeat(1025), role: 'reader' },
    422,
    ['/password A password has 8 to 1,024 characters, and this one has 1025.'],
  ],
  [
    'a password that is a number',
    'POST',
    '/manage/accounts',
    { username: 'a', password: 12345678, role: 'reader' },
    422,
    ['/password A text is expected here, and a whole number was sent.'],
  ],
  [
    'an account that ends before it begins',
    'POST',
    '/manage/accounts',
    { username: 'a', password, role: 'reader', expire_days: -1 },
    422,
    ['/expire_days This must be at least 1.'],
  ],
  [
    'a lifetime as a text',
    'POST',
    '/manage/accounts',
    { username: 'a', password, role: 'reader', expire_days: '30' },
    422,
    ['/expire_days A number is expected here, and a text was sent.'],
  ],
  [
    'a lifetime of a million years',
    'POST',
    '/manage/accounts',
    { username: 'a', password, role: 'reader', expire_days: 1e9 },
    422,
    ['/expire_days This must be at most 36500.'],
  ],
  [
    'metadata that is a list',
    'POST',
    '/manage/accounts',
    { username: 'a', password, role: 'reader', metadata: [] },
    422,
    ['/metadata A JSON object is expected here, and a list was sent.'],
  ],
  [
    'an account with unknown keys',
    'POST',
    '/manage/accounts',
    { username: 'a', password, role: 'reader', admin: true, api_key: 'x', expires_days: 3 },
    422,
    [
      '/admin The key "admin" is not known here. Known keys are username, password, role, expire_days, metadata, disabled, limits.',
      '/api_key The key "api_key" is not known here. Known keys are username, password, role, expire_days, metadata, disabled, limits.',
      '/expires_days The key "expires_days" is not known here; did you mean "expire_days". Known keys are username, password, role, expire_days, metadata, disabled, limits.',
    ],
  ],
  [
    'an account that is to get a role that there is not',
    'PATCH',
    '/manage/accounts/robin',
    { role: 'none' },
    422,
    ['/role There is no role named "none". Create it first, at /manage/roles.'],
  ],
  [
    'another username',
    'PATCH',
    '/manage/accounts/robin',
    { username: 'sam' },
    422,
    [
      '/username The key "username" is not known here. Known keys are password, role, expire_days, metadata, disabled, limits, expire.',
    ],
  ],
  [
    'changing an account that is not there',
    'PATCH',
    '/manage/accounts/none',
    {},
    404,
    ['There is no account named "none".'],
  ],
  ['deleting one', 'DELETE', '/manage/accounts/none', undefined, 404, ['There is no account named "none".']],
  [
    'an API key for one',
    'POST',
    '/manage/accounts/none/api-key',
    undefined,
    404,
    ['There is no account named "none".'],
  ],
  [
    'an API key whose name is taken',
    'POST',
    '/manage/accounts/robin/api-keys',
    { name: 'default' },
    409,
    [
      'Another API key of "robin" is named "default" already. Choose another name, or delete the one there is.',
    ],
  ],
  [
    'an API key with an unknown key',
    'POST',
    '/manage/accounts/robin/api-keys',
    { name: 'a', expires_days: 1 },
    422,
    [
      '/expires_days The key "expires_days" is not known here; did you mean "expire_days". Known keys are name, expire_days, expires_at.',
    ],
  ],
  [
    'an API key with two ends',
    'POST',
    '/manage/accounts/robin/api-keys',
    { name: 'a', expire_days: 1, expires_at: '2999-01-01' },
    422,
    ['/expires_at Give "expire_days" or "expires_at", not both.'],
  ],
  [
    'an API key that has ended',
    'POST',
    '/manage/accounts/robin/api-keys',
    { name: 'a', expires_at: '2020-01-01T00:00:00Z' },
    422,
    ['/expires_at This time has passed.'],
  ],
  [
    'deleting an API key that is not there',
    'DELETE',
    '/manage/accounts/robin/api-keys/none',
    undefined,
    404,
    ['There is no API key of "robin" named "none".'],
  ],
  [
    'a route without anything',
    'POST',
    '/manage/routes',
    {},
    422,
    ['/name A text is required here.', '/path A text is required here.', '/methods A list is required here.'],
  ],
  [
    'a path without a slash',
    'POST',
    '/manage/routes',
    { name: 'a', path: 'shop', methods: ['GET'] },
    422,
    ['/path A path starts with a slash.'],
  ],
  [
    'a star within a path',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a*/b', methods: ['GET'] },
    422,
    ['/path A "*" may only be the whole last segment, as in /files/*.'],
  ],
  [
    'a variable segment without a name',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a/:1', methods: ['GET'] },
    422,
    ['/path A ":" starts the name of a variable segment, as in /ports/:id.'],
  ],
  [
    'a dot segment',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a/../b', methods: ['GET'] },
    422,
    ['/path A path must not hold a dot segment.'],
  ],
  [
    'a path with a query',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a?b=1', methods: ['GET'] },
    422,
    [
      '/path A path is written decoded and without query: it holds no control character, backslash, "?", "#" or "%".',
    ],
  ],
  [
    '/manage made public',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/manage/*', methods: ['GET'], scope: 'public' },
    422,
    [
      '/path A public route must not reach /manage, where roles and accounts are changed. Name the published paths, as in /apis/*.',
    ],
  ],
  [
    'everything made public',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/*', methods: ['GET'], scope: 'public' },
    422,
    [
      '/path A public route must not reach /manage, where roles and accounts are changed. Name the published paths, as in /apis/*.',
    ],
  ],
  [
    'a scope that is none',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a', methods: ['GET'], scope: 'pulic' },
    422,
    ['/scope This must be one of "public", "protected"; did you mean "public".'],
  ],
  [
    'a target that is no address',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a', methods: ['GET'], target: 'ftp://x' },
    422,
    ['/target A target is an address that starts with http:// or https://, as in http://127.0.0.1:3000.'],
  ],
  [
    'one of two targets that is none',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a', methods: ['GET'], target: ['http://a', 'b'] },
    422,
    ['/target/1 A target is an address that starts with http:// or https://, as in http://127.0.0.1:3000.'],
  ],
  [
    'a target with a password',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a', methods: ['GET'], target: 'http://u:p@a' },
    422,
    ['/target A target must not hold a username or password.'],
  ],
  [
    'a prefix without a target',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a/*', methods: ['GET'], prefix: '/a' },
    422,
    ['/prefix "prefix" needs a "target".'],
  ],
  [
    'a prefix that is not the front of the path',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a/*', methods: ['GET'], target: 'http://a', prefix: '/b' },
    422,
    ['/prefix A prefix is the front of the path, in whole segments without ":" and "*": /shop for /shop/*.'],
  ],
  [
    'timeouts with mistakes',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a/*', methods: ['GET'], target: 'http://a', timeout: { conect: 1, response: 0 } },
    422,
    [
      '/timeout/response This must be at least 0.05.',
      '/timeout/conect The key "conect" is not known here; did you mean "connect". Known keys are connect, response, idle.',
    ],
  ],
  [
    'a health check with mistakes',
    'POST',
    '/manage/routes',
    { name: 'a', path: '/a/*', methods: ['GET'], target: 'http://a', health: { path: 'x', interval: 'a' } },
    422,
    [
      '/health/path The path must start with a slash.',
      '/health/interval A number is expected here, and a text was sent.',
    ],
  ],
  [
    'a route that is there',
    'POST',
    '/manage/routes',
    { name: 'open', path: '/a', methods: ['GET'] },
    409,
    ['Another route is named "open" already. Choose another name, or change the one there is.'],
  ],
  [
    'deleting a route that is not there',
    'DELETE',
    '/manage/routes/none',
    undefined,
    404,
    ['There is no route named "none".'],
  ],
  [
    'a token for an account that is not there',
    'POST',
    '/manage/tokens',
    { account: 'none' },
    404,
    ['There is no account named "none".'],
  ],
  ['a token for nobody', 'POST', '/manage/tokens', {}, 422, ['/account A text is required here.']],
  [
    'tokens by an unknown parameter',
    'GET',
    '/manage/tokens?acount=x',
    undefined,
    400,
    [
      '/acount The key "acount" is not known here; did you mean "account". Known keys are account, limit, after.',
    ],
  ],
  [
    'ending tokens of an account that is not there',
    'DELETE',
    '/manage/tokens?account=none',
    undefined,
    404,
    ['There is no account named "none".'],
  ],
  [
    'no entries of the audit',
    'GET',
    '/manage/audit?limit=0',
    undefined,
    400,
    ['/limit A whole number from 1 to 1000 is expected here.'],
  ],
  [
    'an unknown parameter of the audit',
    'GET',
    '/manage/audit?page=0',
    undefined,
    400,
    [
      '/page The key "page" is not known here. Known keys are limit, before, account, action, record, name, from, to.',
    ],
  ],
  [
    'half a question',
    'GET',
    '/manage/explain-access?account=robin',
    undefined,
    400,
    ['/method A text is required here.', '/path A text is required here.'],
  ],
  [
    'a question about an account that is not there',
    'GET',
    '/manage/explain-access?account=none&method=GET&path=/',
    undefined,
    404,
    ['There is no account named "none".'],
  ],
  [
    'no entities',
    'POST',
    '/manage/entities',
    [],
    422,
    [' Send one entity definition, or a list of 1 to 1000; this list has 0.'],
  ],
  [
    'an entity without anything',
    'POST',
    '/manage/entities',
    {},
    422,
    ['/name A text is required here.', '/attributes A JSON object is required here.'],
  ],
  [
    'an entity that is a number',
    'POST',
    '/manage/entities',
    [5],
    422,
    ['/0 A JSON object is expected here, and a whole number was sent.'],
  ],
  [
    'an unknown parameter of an upload',
    'POST',
    '/manage/entities?dryrun=true',
    [],
    400,
    [
      '/dryrun The key "dryrun" is not known here; did you mean "dry_run". Known keys are dry_run, allow_destructive, plan.',
    ],
  ],
  [
    'a switch that is neither on nor off',
    'POST',
    '/manage/entities?dry_run=yes',
    [],
    400,
    ['/dry_run This must be one of "true", "false", "".'],
  ],
  [
    'an entity that is not there',
    'GET',
    '/manage/entities/None',
    undefined,
    404,
    ['There is no entity named "None".'],
  ],
  [
    'deleting an entity that is not there',
    'DELETE',
    '/manage/entities/None',
    undefined,
    404,
    ['There is no entity named "None".'],
  ],
]

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  let before: unknown
  const records = async () =>
    Promise.all(
      ['roles', 'accounts', 'routes', 'entities', 'accounts/robin/api-keys'].map(
        async (name) => (await gateway.request('GET', `/manage/${name}`)).body,
      ),
    )

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    await gateway.request('POST', '/manage/roles', { body: { name: 'reader', authorities } })
    await gateway.request('POST', '/manage/accounts', {
      body: { username: 'robin', password, role: 'reader' },
    })
    await gateway.request('POST', '/manage/routes', {
      body: { name: 'open', path: '/graphql', methods: ['GET'] },
    })
    before = await records()
  })
  afterAll(() => gateway.close())

  test.each(mistakes)('%s', async (_what, method, path, body, status, says) => {
    const answer = await gateway.request(method, path, body === undefined ? {} : { body })
    const { detail, errors } = answer.body as {
      detail: string
      errors?: readonly { pointer: string; detail: string }[]
    }
    const said = errors?.map((mistake) => `${mistake.pointer} ${mistake.detail}`) ?? [detail]
    expect({ status: answer.status, said }).toEqual({ status, said: says })
  })

  test('none of them has changed anything', async () => {
    expect(await records()).toEqual(before)
  })
})
