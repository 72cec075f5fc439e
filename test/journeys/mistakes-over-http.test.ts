/**
 * What people do wrong over HTTP, and what they are told: what is wrong, where, and what to do. The sentences are part of the
 * product; a change of one is a change of this table.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guideFolder } from '../../src/bin/guide-folder.ts'
import { echoOf } from '../support/echo-template.ts'
import { products } from '../support/products.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { type RequestOptions, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

/** One mistake, and the response to it: its status, its code, and all sentences. */
type Mistake = readonly [
  what: string,
  service: 'gateway' | 'open' | 'closed',
  request: string,
  options: RequestOptions,
  status: number,
  code: string,
  sentences: readonly string[],
]

const required = {
  field_persistence: true,
  field_nullable: true,
  field_immutable: false,
  field_unique: false,
}
const field = (own: object) => ({ field_name: 'size', field_type: 'string', ...required, ...own })
const entity = (attributes: object) => ({
  name: 'Cable',
  persistence: true,
  api_generation: true,
  attributes: {
    identifier: { field_name: 'id', field_type: 'string', field_persistence: true, field_immutable: true },
    ...attributes,
  },
})
const port = { id: 'p2', name: 'b', isActivated: true, vlanRanges: [], portType: 'lan', tenantId: 't1' }

const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  'Tokens and logons': [
    [
      'no token',
      'gateway',
      'GET /apis/ports',
      { token: null },
      401,
      'TOKEN_MISSING',
      [
        'Send a token in the header X-Xaas-Auth-Token. POST /logon gives one for an API key, a username and a password.',
      ],
    ],
    [
      'an API key as the token',
      'gateway',
      'GET /apis/ports',
      { token: `ghk_${'A'.repeat(43)}` },
      401,
      'TOKEN_INVALID',
      [
        'This is an API key, not a token. Send the key in the header X-Xaas-Api-Key to POST /logon, with username and password in a JSON body; the response has the token.',
      ],
    ],
    [
      'a token that is none',
      'gateway',
      'GET /apis/ports',
      { token: 'letmein' },
      401,
      'TOKEN_INVALID',
      ['This token was never given, or has ended. POST /logon gives a new one; an API key is not a token.'],
    ],
    [
      'a password as the bearer token',
      'gateway',
      'GET /apis/ports',
      { token: null, headers: { authorization: 'Bearer secret' } },
      401,
      'TOKEN_INVALID',
      ['This token was never given, or has ended. POST /logon gives a new one; an API key is not a token.'],
    ],
    [
      'a logon without a key',
      'gateway',
      'POST /logon',
      { token: null, body: { username: 'ada', password: 'x' } },
      401,
      'LOGON_REFUSED',
      ['The header X-Xaas-Api-Key is missing. Send the API key of the account in it.'],
    ],
    [
      'a logon with a wrong key',
      'gateway',
      'POST /logon',
      { token: null, headers: { 'x-xaas-api-key': 'k' }, body: { username: 'ada', password: 'x' } },
      401,
      'LOGON_REFUSED',
      ['The API key, username or password is wrong.'],
    ],
    [
      'a logon with the parameters of a form',
      'gateway',
      'POST /logon',
      { token: null, body: 'username=ada', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'MEDIA_TYPE_UNSUPPORTED',
      ['Send the body as application/json.'],
    ],
    [
      'a logon with user in place of username',
      'gateway',
      'POST /logon',
      { token: null, headers: { 'x-xaas-api-key': 'k' }, body: { user: 'ada', password: 'x' } },
      422,
      'DOCUMENT_INVALID',
      [
        'There are 2 mistakes; "errors" says where.',
        '/username A text is required here.',
        '/user The key "user" is not known here. Known keys are username, password.',
      ],
    ],
    [
      'a logon that is no JSON',
      'gateway',
      'POST /logon',
      { token: null, headers: { 'x-xaas-api-key': 'k' }, body: '{username: ada}' },
      400,
      'BODY_UNREADABLE',
      ["The body is not valid JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)."],
    ],
    ['a logon by GET', 'gateway', 'GET /logon', {}, 405, 'METHOD_NOT_ALLOWED', ['This path takes POST.']],
  ],
  Paths: [
    [
      'api in place of apis',
      'gateway',
      'GET /api/ports',
      {},
      404,
      'NOT_FOUND',
      ['There is nothing at this path. Published APIs are below /apis: /apis/ports.'],
    ],
    [
      'the name of the entity as the resource',
      'gateway',
      'GET /apis/port',
      {},
      404,
      'NOT_FOUND',
      ['No entity is published at /apis/port; did you mean "ports".'],
    ],
    [
      'a slash after the list',
      'gateway',
      'GET /apis/ports/',
      {},
      404,
      'RECORD_NOT_FOUND',
      [
        'There is no Port whose id is "". The path ends in a slash: write the identifier after it, or leave out the slash for the list.',
      ],
    ],
    [
      'two slashes',
      'gateway',
      'GET /apis//ports',
      {},
      400,
      'REQUEST_TARGET_REFUSED',
      ['The path holds an empty segment.'],
    ],
    [
      'a misspelt path',
      'gateway',
      'GET /grapql',
      {},
      404,
      'NOT_FOUND',
      ['There is nothing at this path. Did you mean /graphql?'],
    ],
    [
      'a misspelt path of the management',
      'gateway',
      'GET /manage/acounts',
      {},
      404,
      'NOT_FOUND',
      ['There is nothing at this path. Did you mean /manage/accounts?'],
    ],
    [
      'a method that the list has not',
      'gateway',
      'PUT /apis/ports',
      { body: {} },
      405,
      'METHOD_NOT_ALLOWED',
      ['This path takes GET, POST, HEAD.'],
    ],
  ],
  'Roles and accounts': [
    [
      'a method that does not exist',
      'gateway',
      'POST /manage/roles',
      { body: { name: 'r', authorities: [{ regex: '/a', methods: ['FETCH'] }] } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/authorities/0/methods/0 "FETCH" is not a method that can be allowed. The methods are GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.',
      ],
    ],
    [
      'a group that is not closed',
      'gateway',
      'POST /manage/roles',
      { body: { name: 'r', authorities: [{ regex: '/apis/(ports', methods: ['GET'] }] } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/authorities/0/regex This is not a regular expression in RE2 syntax: missing closing ) at character 7 ("(ports").',
      ],
    ],
    [
      'a look-ahead',
      'gateway',
      'POST /manage/roles',
      { body: { name: 'r', authorities: [{ regex: '/(?!manage).*', methods: ['GET'] }] } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/authorities/0/regex A regular expression here cannot look ahead or behind ((?=, (?!, (?<=, (?<!), because it must decide in linear time (RE2 syntax). Say what is allowed in several authorities instead.',
      ],
    ],
    [
      'methods as one text',
      'gateway',
      'POST /manage/roles',
      { body: { name: 'r', authorities: [{ regex: '/a', methods: 'GET' }] } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/authorities/0/methods A list is expected here, and a text was sent.',
      ],
    ],
    [
      'permissions in place of authorities',
      'gateway',
      'POST /manage/roles',
      { body: { name: 'r', permissions: [] } },
      422,
      'DOCUMENT_INVALID',
      [
        'There are 2 mistakes; "errors" says where.',
        '/authorities A list is required here.',
        '/permissions The key "permissions" is not known here. Known keys are name, authorities, gives, limits, targets.',
      ],
    ],
    [
      'a role that exists',
      'gateway',
      'POST /manage/roles',
      { body: { name: 'reader', authorities: [] } },
      409,
      'NAME_TAKEN',
      ['Another role is named "reader" already. Choose another name, or change the one there is.'],
    ],
    [
      'a role in use is deleted',
      'gateway',
      'DELETE /manage/roles/reader',
      {},
      409,
      'IN_USE',
      ['1 account has the role "reader". Give them another role, or delete them, first.'],
    ],
    [
      'an account with a role that does not exist',
      'gateway',
      'POST /manage/accounts',
      { body: { username: 'bob', password: 'a long pass phrase', role: 'raeder' } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/role There is no role named "raeder". Create it first, at /manage/roles.',
      ],
    ],
    [
      'an account with a short password',
      'gateway',
      'POST /manage/accounts',
      { body: { username: 'bob', password: '123', role: 'reader' } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/password A password has 8 to 1,024 characters, and this one has 3.',
      ],
    ],
    [
      'an account that exists',
      'gateway',
      'POST /manage/accounts',
      { body: { username: 'ada', password: 'a long pass phrase', role: 'reader' } },
      409,
      'NAME_TAKEN',
      ['Another account is named "ada" already. Choose another name, or change the one there is.'],
    ],
    [
      'roles in place of role',
      'gateway',
      'POST /manage/accounts',
      { body: { username: 'bob', password: 'a long pass phrase', roles: ['reader'] } },
      422,
      'DOCUMENT_INVALID',
      [
        'There are 2 mistakes; "errors" says where.',
        '/role A text or a list is required here.',
        '/roles The key "roles" is not known here; did you mean "role". Known keys are username, password, role, expire_days, metadata, disabled, limits.',
      ],
    ],
    [
      'a lifetime that is no number',
      'gateway',
      'POST /manage/accounts',
      { body: { username: 'bob', password: 'a long pass phrase', role: 'reader', expire_days: 'thirty' } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/expire_days A number is expected here, and a text was sent.',
      ],
    ],
    [
      'the last administrator is deleted',
      'gateway',
      'DELETE /manage/accounts/admin',
      {},
      409,
      'LAST_ADMINISTRATOR',
      [
        'No administrator would be left who may change roles and accounts. Create another one first: an enabled account that does not expire, with an API key that does not expire.',
      ],
    ],
    [
      'an account that is not there',
      'gateway',
      'GET /manage/accounts/bob',
      {},
      404,
      'RECORD_NOT_FOUND',
      ['There is no account named "bob".'],
    ],
  ],
  Entities: [
    [
      'an unknown field type',
      'gateway',
      'POST /manage/entities',
      { body: entity({ local_fields: [field({ field_type: 'int' })] }) },
      422,
      'ENTITY_DEFINITION_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/attributes/local_fields/0/field_type This must be one of "string", "text", "integer", "float", "decimal", "boolean", "DateTime", "Date", "array", "object".',
      ],
    ],
    [
      'a default that is a value',
      'gateway',
      'POST /manage/entities',
      { body: entity({ local_fields: [field({ field_type: 'boolean', field_default: false })] }) },
      422,
      'ENTITY_DEFINITION_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/attributes/local_fields/0/field_default An expression in a text is expected here: write "false", not the value itself.',
      ],
    ],
    [
      'a default without its quotes',
      'gateway',
      'POST /manage/entities',
      { body: entity({ local_fields: [field({ field_default: 'normal' })] }) },
      422,
      'ENTITY_DEFINITION_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/attributes/local_fields/0/field_default At character 1: "normal" is not known; a text is written in quotes. As a text: "field_default": "\'normal\'". What works: a text in quotes such as \'new\', a number, true, false, null (or True, False, None), a list such as [], an object such as {}, now(), utcnow(), datetime.utcnow(), datetime.now(timezone.utc), uuid(), str(uuid.uuid4()).',
      ],
    ],
    [
      'a default that is code',
      'gateway',
      'POST /manage/entities',
      { body: entity({ local_fields: [field({ field_default: "os.getenv('HOME')" })] }) },
      422,
      'ENTITY_DEFINITION_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/attributes/local_fields/0/field_default At character 1: "os.getenv" is not known; a text is written in quotes. What works: a text in quotes such as \'new\', a number, true, false, null (or True, False, None), a list such as [], an object such as {}, now(), utcnow(), datetime.utcnow(), datetime.now(timezone.utc), uuid(), str(uuid.uuid4()).',
      ],
    ],
    [
      'a default of another type',
      'gateway',
      'POST /manage/entities',
      { body: entity({ local_fields: [field({ field_type: 'boolean', field_default: '1' })] }) },
      422,
      'ENTITY_DEFINITION_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/attributes/local_fields/0/field_default The default does not fit type boolean: true or false is expected here, and 1 was sent.',
      ],
    ],
    [
      'a reference to nothing',
      'gateway',
      'POST /manage/entities',
      {
        body: entity({
          ref_fields: [{ ...field({ field_name: 'tenantId' }), ref_class: 'Tennant', ref_class_field: 'id' }],
        }),
      },
      422,
      'ENTITY_DEFINITION_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/attributes/ref_fields/0/ref_class There is no entity "Tennant"; did you mean "Tenant".',
      ],
    ],
    [
      'a field twice',
      'gateway',
      'POST /manage/entities',
      { body: entity({ local_fields: [field({}), field({})] }) },
      422,
      'ENTITY_DEFINITION_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/attributes/local_fields/1/field_name There is a field "size" already, at /attributes/local_fields/0.',
      ],
    ],
    [
      'no attributes',
      'gateway',
      'POST /manage/entities',
      { body: { name: 'Cable' } },
      422,
      'ENTITY_DEFINITION_INVALID',
      ['There is one mistake; "errors" says where.', '/attributes A JSON object is required here.'],
    ],
    [
      'an entity that is not there',
      'gateway',
      'DELETE /manage/entities/Cable',
      {},
      404,
      'RECORD_NOT_FOUND',
      ['There is no entity named "Cable".'],
    ],
  ],
  Records: [
    [
      'a field that does not exist',
      'gateway',
      'POST /apis/ports',
      { body: { ...port, nmae: 'x' } },
      422,
      'RECORD_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/nmae There is no field "nmae"; did you mean "name". Fields are id, name, isActivated, vlanRanges, portType, operationStatus, tenantId.',
      ],
    ],
    [
      'a field that is missing',
      'gateway',
      'POST /apis/ports',
      { body: { id: 'p2' } },
      422,
      'RECORD_INVALID',
      [
        'There are 2 mistakes; "errors" says where.',
        '/name This field is required: it is not nullable and has no default.',
        '/portType This field is required: it is not nullable and has no default.',
      ],
    ],
    [
      'a text for a boolean',
      'gateway',
      'POST /apis/ports',
      { body: { ...port, isActivated: 'yes' } },
      422,
      'RECORD_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/isActivated true or false is expected here, and "yes" was sent.',
      ],
    ],
    [
      'a value outside of the enum',
      'gateway',
      'POST /apis/ports',
      { body: { ...port, operationStatus: 'Done' } },
      422,
      'RECORD_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/operationStatus This must be one of "Processing", "Completed", "Cancelled".',
      ],
    ],
    [
      'a reference to no record',
      'gateway',
      'POST /apis/ports',
      { body: { ...port, tenantId: 't9' } },
      422,
      'RECORD_INVALID',
      ['There is one mistake; "errors" says where.', '/tenantId There is no Tenant whose id is "t9".'],
    ],
    [
      'an identifier that is taken',
      'gateway',
      'POST /apis/ports',
      { body: { ...port, id: 'p1' } },
      409,
      'VALUE_NOT_UNIQUE',
      ['There is one mistake; "errors" says where.', '/id Another Port has the id "p1" already.'],
    ],
    [
      'an immutable field is changed',
      'gateway',
      'PATCH /apis/ports/p1',
      { body: { portType: 'other' } },
      422,
      'RECORD_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/portType This field cannot be changed after the record is created; it is "lan".',
      ],
    ],
    [
      'a record that is not there',
      'gateway',
      'GET /apis/ports/p9',
      {},
      404,
      'RECORD_NOT_FOUND',
      ['There is no Port whose id is "p9".'],
    ],
    [
      'an old tag',
      'gateway',
      'PATCH /apis/ports/p1',
      { body: { name: 'x' }, headers: { 'if-match': '"old"' } },
      412,
      'PRECONDITION_FAILED',
      ['Read the record again, and send the change with its new ETag.'],
    ],
    [
      'a parameter that does not exist',
      'gateway',
      'GET /apis/ports?limt=1',
      {},
      400,
      'PARAMETER_INVALID',
      [
        'There is no parameter "limt" here; did you mean "limit". Parameters are filters, asc, desc, offset, limit, first, last, after, before, count, fields, instance, xid, xname, id, name, isActivated, vlanRanges, portType, operationStatus, tenantId.',
      ],
    ],
    [
      'a limit below zero',
      'gateway',
      'GET /apis/ports?limit=-1',
      {},
      400,
      'PARAMETER_INVALID',
      ['limit takes a whole number from 0 up, not "-1".'],
    ],
    [
      'a list sorted by no field',
      'gateway',
      'GET /apis/ports?asc=nmae',
      {},
      400,
      'PARAMETER_INVALID',
      ['asc[0] names the unknown field "nmae"; did you mean "name".'],
    ],
    [
      'a body without a content type',
      'gateway',
      'POST /apis/ports',
      { body: JSON.stringify(port), headers: { 'content-type': 'text/plain' } },
      415,
      'MEDIA_TYPE_UNSUPPORTED',
      ['Send the body as application/json.'],
    ],
    [
      'no body',
      'gateway',
      'POST /apis/ports',
      { headers: { 'content-type': 'application/json' } },
      400,
      'BODY_UNREADABLE',
      ['The body is empty; a JSON document is expected.'],
    ],
  ],
  GraphQL: [
    [
      'no query',
      'gateway',
      'POST /graphql',
      { body: { qurey: '{ Port { totalCount } }' } },
      400,
      'PARAMETER_INVALID',
      ['"query" must be a text: the GraphQL document.'],
    ],
    [
      'an entity that does not exist',
      'gateway',
      'POST /graphql',
      { body: { query: '{ Ports { totalCount } }' } },
      200,
      'GRAPHQL_VALIDATION_FAILED',
      ['Cannot query field "Ports" on type "Query". Did you mean "Port"?'],
    ],
    [
      'a field that does not exist',
      'gateway',
      'POST /graphql',
      { body: { query: '{ Port { edges { node { nmae } } } }' } },
      200,
      'GRAPHQL_VALIDATION_FAILED',
      ['Cannot query field "nmae" on type "Port_". Did you mean "name" or "xname"?'],
    ],
    [
      'a query that is not closed',
      'gateway',
      'POST /graphql',
      { body: { query: '{ Port { totalCount }' } },
      200,
      'GRAPHQL_PARSE_FAILED',
      ['Syntax Error: Expected Name, found <EOF>.'],
    ],
    [
      'an unknown operator',
      'gateway',
      'POST /graphql',
      { body: { query: '{ Port(filters: [{key: "id", op: "like", val: "p"}]) { totalCount } }' } },
      200,
      'PARAMETER_INVALID',
      [
        'filters[0].op takes one of ==, !=, <=, >=, >, <, starts, ends, contains, iequals, istarts, iends, icontains, in, not in, between, isnull, some, every, none, not "like".',
      ],
    ],
    [
      'a filter of an unknown field',
      'gateway',
      'POST /graphql',
      { body: { query: '{ Port(filters: [{key: "nmae", op: "==", val: "p"}]) { totalCount } }' } },
      200,
      'PARAMETER_INVALID',
      ['filters[0] names the unknown field "nmae"; did you mean "name".'],
    ],
    [
      'a negative page',
      'gateway',
      'POST /graphql',
      { body: { query: '{ Port(first: -1) { totalCount } }' } },
      200,
      'PARAMETER_INVALID',
      ['first takes a whole number from 0 up, not -1.'],
    ],
    [
      'a cursor of another list',
      'gateway',
      'POST /graphql',
      { body: { query: '{ Port(after: "x") { edges { cursor } } }' } },
      200,
      'PARAMETER_INVALID',
      ['after takes a cursor as this API gave it.'],
    ],
  ],
  Routes: [
    [
      'a target that is no address',
      'gateway',
      'POST /manage/routes',
      { body: { name: 'r', path: '/up', methods: ['GET'], target: 'upstream:80' } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/target A target is an address that starts with http:// or https://, as in http://127.0.0.1:3000.',
      ],
    ],
    [
      'a target inside a cloud',
      'gateway',
      'POST /manage/routes',
      { body: { name: 'r', path: '/up', methods: ['GET'], target: 'http://169.254.169.254' } },
      422,
      'DOCUMENT_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/target No route may lead to "169.254.169.254": it is link-local, or the metadata service of a cloud. The operator of the gateway can allow it with --target_allow.',
      ],
    ],
    [
      'a scope that does not exist',
      'gateway',
      'POST /manage/routes',
      { body: { name: 'r', path: '/graphql', methods: ['GET'], scope: 'open' } },
      422,
      'DOCUMENT_INVALID',
      ['There is one mistake; "errors" says where.', '/scope This must be one of "public", "protected".'],
    ],
    [
      'a path without a slash',
      'gateway',
      'POST /manage/routes',
      { body: { name: 'r', path: 'up', methods: ['GET'], target: 'http://127.0.0.1:1' } },
      422,
      'DOCUMENT_INVALID',
      ['There is one mistake; "errors" says where.', '/path A path starts with a slash.'],
    ],
  ],
  'The web front': [
    [
      'a session without a login',
      'closed',
      'GET /session',
      {},
      401,
      'LOGIN_REQUIRED',
      ['Log in at /auth/gateway; with the parameter returnTo you come back to a page.'],
    ],
    [
      'a parameter of the session',
      'open',
      'GET /session?refresh=perhaps',
      {},
      400,
      'PARAMETER_INVALID',
      ['The parameter "refresh" takes true or false.'],
    ],
    [
      'a login that does not exist',
      'closed',
      'GET /auth/gogle',
      {},
      404,
      'NOT_FOUND',
      ['There is nothing at this path. Logins begin at /auth/gateway.'],
    ],
    [
      'a callback that nobody began',
      'closed',
      'GET /auth/gateway/callback?code=x&state=y',
      {},
      404,
      'NOT_FOUND',
      ['There is nothing at this path. Logins begin at /auth/gateway.'],
    ],
    [
      'a template that does not exist',
      'open',
      'GET /echo?template=leter',
      {},
      404,
      'TEMPLATE_UNKNOWN',
      [
        'There is no template "leter"; did you mean "letter". Templates are the keys under echo.templates in the configuration.',
      ],
    ],
    [
      'no template',
      'open',
      'GET /echo',
      {},
      400,
      'PARAMETER_INVALID',
      ['There is one mistake; "errors" says where.', '/template The name of a template is required here.'],
    ],
    [
      'params that are no JSON',
      'open',
      'GET /echo?template=letter&params=a',
      {},
      400,
      'PARAMETER_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/params The text is not valid JSON: Unexpected token \'a\', "a" is not valid JSON.',
      ],
    ],
    [
      'a name with another extension',
      'open',
      'GET /echo?template=letter&filename=a.docx',
      {},
      400,
      'PARAMETER_INVALID',
      [
        'There is one mistake; "errors" says where.',
        '/filename The ending has to be one of .html, .htm, .pdf, .png, .jpeg, .jpg.',
      ],
    ],
    [
      'a path that does not exist',
      'open',
      'GET /nowhere',
      {},
      404,
      'NOT_FOUND',
      ['There is nothing at this path.'],
    ],
    [
      'a log-out from another site',
      'closed',
      'POST /logout',
      { headers: { 'sec-fetch-site': 'cross-site' } },
      403,
      'CROSS_SITE_REFUSED',
      [
        'By its headers Sec-Fetch-Site and Origin another site sent it. Call from a page of the web front itself.',
      ],
    ],
  ],
}

/** The sentences of a problem document, of a GraphQL response, or of neither. */
function sentencesOf(body: unknown): readonly string[] {
  const { detail, errors = [] } = body as {
    readonly detail?: string
    readonly errors?: readonly {
      readonly pointer?: string
      readonly detail?: string
      readonly message?: string
    }[]
  }
  return [
    ...(detail === undefined ? [] : [detail]),
    ...errors.map((error) => error.message ?? `${error.pointer} ${error.detail}`),
  ]
}

function codeOf(body: unknown): string {
  const { code, errors } = body as {
    readonly code?: string
    readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[]
  }
  return code ?? errors?.[0]?.extensions?.code ?? ''
}

const [product] = products

describe.each(Object.entries(mistakes))('%s', (_area, rows) => {
  test.each(rows)('%s', async (_what, service, request, options, status, code, sentences) => {
    const [method = '', path = ''] = request.split(' ')
    const { status: sent, headers, body } = await send(service, method, path, options)
    expect({ status: sent, code: codeOf(body), sentences: sentencesOf(body) }).toEqual({
      status,
      code,
      sentences,
    })
    const isGraphql = path.startsWith('/graphql')
    if (!isGraphql) expect(headers.get('content-type')).toBe('application/problem+json')
    // The same sentences are on the page that `type` leads to, or more of them.
    const { type } = body as { readonly type?: string }
    if (type !== undefined) expect((await fetch(gateway.url + type)).status).toBe(200)
  })
})

let gateway: TestGateway
const fronts = new Map<string, TestFront>()

async function send(service: Mistake[1], method: string, path: string, options: RequestOptions) {
  if (service === 'gateway') return gateway.request(method, path, options)
  const { headers = {} } = options
  const response = await fetch(`${fronts.get(service)?.url}${path}`, { method, headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
}

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product, undefined, { guideFolder })
  const definitions = JSON.parse(readFileSync('examples/tenants-and-ports.json', 'utf8')) as object
  const post = (path: string, body: object) => gateway.request('POST', path, { body })
  await post('/manage/entities', definitions)
  await post('/apis/tenants', { id: 't1' })
  await post('/apis/ports', { ...port, id: 'p1' })
  await post('/manage/roles', { name: 'reader', authorities: [{ regex: '/apis/.*', methods: ['GET'] }] })
  await post('/manage/accounts', { username: 'ada', password: 'a long pass phrase', role: 'reader' })
  const echo = echoOf({ templates: { letter: { format: 'html', text: '<p>{{a}}</p>' } } })
  fronts.set('open', await startTestFront({ echo }))
  const provider = {
    name: 'gateway',
    label: 'Staff',
    strategy: { kind: 'gateway' },
    transparentTokens: false,
  } as const
  fronts.set('closed', await startTestFront({ providers: [provider], gateway: { address: gateway.url } }))
})
afterAll(async () => {
  for (const front of fronts.values()) await front.close()
  await gateway?.close()
})
