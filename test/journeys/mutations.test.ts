/** Records written by GraphQL: the same rules, rights and errors as by the published APIs. */
import { buildSchema, type GraphQLNamedType, printType } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { makeForeignTables } from '../support/foreign-tables.ts'
import { anyProduct, products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { runStatements } from '../support/run-statements.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tenant = definition('Tenant', { local: [field('name', 'string')] })
const port = definition('Port', {
  local: [
    field('name', 'string', { field_nullable: false }),
    field('isActivated', 'boolean', { field_nullable: false, field_default: 'True' }),
    field('vlanRanges', 'array', { field_default: '[]' }),
    field('portType', 'string', { field_immutable: true }),
    field('operationStatus', 'string', { field_enum: ['Processing', 'Completed', 'Cancelled'] }),
    field('serial', 'string', { field_unique: true }),
  ],
  refs: [reference('tenantId', 'Tenant')],
})

const part = definition('Part', { refs: [reference('parentId', 'Part')] })

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway

  const send = async (query: string, variables?: object, token?: string | null) =>
    (
      await gateway.request('POST', '/graphql', {
        body: { query, variables },
        ...(token === undefined ? {} : { token }),
      })
    ).body as Json
  const records = async (resource: string) =>
    ((await gateway.request('GET', `/apis/${resource}?asc=id`)).body as Json[]).map(
      ({ instance, xid, ...record }) => record,
    )

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const uploaded = await gateway.request('POST', '/manage/entities', { body: [tenant, port, part] })
    expect(uploaded.status).toBe(201)
  })
  afterAll(() => gateway.close())

  beforeEach(async () => {
    const cleared = await send(
      'mutation { deleteAll_Port(where: {}) { count } deleteAll_Tenant(where: {}) { count } }',
    )
    expect(cleared.errors).toBeUndefined()
    await gateway.request('POST', '/apis/tenants', { body: [{ id: 't1', name: 'One' }, { id: 't2' }] })
    await gateway.request('POST', '/apis/ports', {
      body: ['p1', 'p2', 'p3'].map((id) => ({ id, name: id, serial: `s-${id}`, tenantId: 't1' })),
    })
  })

  test('the schema has the mutations of the entities and their inputs', async () => {
    const { body } = await gateway.request('GET', '/graphql')
    const schema = buildSchema((body as Json).schema)
    const { query, ...config } = schema.toConfig()
    const isOfMutations = ({ name }: GraphQLNamedType) =>
      name === 'Mutation' || /_(CreateInput|UpdateInput|Changes|Enum|KeyInput|ReferenceInput)$/.test(name)
    const shown = config.types.filter(isOfMutations).map(printType)
    await expect(`${shown.join('\n\n')}\n`).toMatchFileSnapshot('../golden/mutations.sdl')
  })

  test('a record is created, and shown with what it refers to', async () => {
    const answer = await send(
      `mutation ($input: Port_CreateInput!) {
        made: create_Port(input: $input) { id name isActivated vlanRanges operationStatus xname tenant { id name portCollection { totalCount } } __typename }
        __typename
      }`,
      {
        input: { id: 'p4', name: 'new', vlanRanges: ['1-5'], operationStatus: 'Processing', tenantId: 't1' },
      },
    )
    expect(answer).toEqual({
      data: {
        made: {
          id: 'p4',
          name: 'new',
          isActivated: 1,
          vlanRanges: '["1-5"]',
          operationStatus: 'Processing',
          xname: 'POST /graphql',
          tenant: { id: 't1', name: 'One', portCollection: { totalCount: 4 } },
          __typename: 'Port_',
        },
        __typename: 'Mutation',
      },
    })
  })

  test('a record that gets another id is shown by it', async () => {
    expect(
      await send('mutation { update_Port(id: "p1", input: { id: "p9", name: "moved" }) { id name serial } }'),
    ).toEqual({ data: { update_Port: { id: 'p9', name: 'moved', serial: 's-p1' } } })
    expect((await records('ports')).map(({ id }) => id)).toEqual(['p2', 'p3', 'p9'])
  })

  test('a record is changed and deleted by its key or its GlobalId', async () => {
    expect(
      await send(
        'mutation { update_Port(id: "p1", input: { name: "b", isActivated: false }) { id name isActivated portType } }',
      ),
    ).toEqual({ data: { update_Port: { id: 'p1', name: 'b', isActivated: 0, portType: null } } })
    const { data } = await send('{ Port(id: "p2") { edges { node { GlobalId } } } }')
    const { GlobalId } = data.Port.edges[0].node
    expect(
      await send(
        'mutation ($id: ID) { update_Port(GlobalId: $id, input: { tenantId: "t2" }) { id tenant { id } } }',
        {
          id: GlobalId,
        },
      ),
    ).toEqual({ data: { update_Port: { id: 'p2', tenant: { id: 't2' } } } })
    expect(
      await send('mutation ($id: ID) { delete_Port(GlobalId: $id) { id tenant { id } GlobalId } }', {
        id: GlobalId,
      }),
    ).toEqual({ data: { delete_Port: { id: 'p2', tenant: { id: 't2' }, GlobalId } } })
    expect((await records('ports')).map(({ id, name }) => [id, name])).toEqual([
      ['p1', 'b'],
      ['p3', 'p3'],
    ])
  })

  test('lists are created, changed and deleted as a whole', async () => {
    expect(
      await send('mutation ($inputs: [Port_CreateInput!]!) { createAll_Port(inputs: $inputs) { id name } }', {
        inputs: [
          { id: 'p9', name: 'nine' },
          { id: 'p4', name: 'four', tenantId: 't2' },
        ],
      }),
    ).toEqual({
      data: {
        createAll_Port: [
          { id: 'p9', name: 'nine' },
          { id: 'p4', name: 'four' },
        ],
      },
    })
    const changed = await send(
      'mutation { updateAll_Port(where: { tenant: { id: { eq: "t1" } } }, input: { operationStatus: Completed }) { count records { id operationStatus } } }',
    )
    expect(byId(changed.data.updateAll_Port.records)).toEqual(
      ['p1', 'p2', 'p3'].map((id) => ({ id, operationStatus: 'Completed' })),
    )
    expect(changed.data.updateAll_Port.count).toBe(3)
    const deleted = await send(
      'mutation { deleteAll_Port(where: { operationStatus: { eq: "Completed" } }) { records { id tenant { id } } count __typename } }',
    )
    expect({ ...deleted.data.deleteAll_Port, records: byId(deleted.data.deleteAll_Port.records) }).toEqual({
      records: ['p1', 'p2', 'p3'].map((id) => ({ id, tenant: { id: 't1' } })),
      count: 3,
      __typename: 'Port_Changes',
    })
    expect(
      await send('mutation { deleteAll_Port(where: { id: { eq: "none" } }) { count records { id } } }'),
    ).toEqual({
      data: { deleteAll_Port: { count: 0, records: [] } },
    })
    expect((await records('ports')).map(({ id }) => id)).toEqual(['p4', 'p9'])
  })

  test('records are changed and deleted in the order of their keys, whichever was written last', async () => {
    await send('mutation { update_Port(id: "p1", input: { name: "later" }) { id } }')
    const ids = ['p1', 'p2', 'p3'].map((id) => ({ id }))
    expect(
      await send('mutation { updateAll_Port(where: {}, input: { name: "all" }) { records { id } } }'),
    ).toEqual({ data: { updateAll_Port: { records: ids } } })
    await send('mutation { update_Port(id: "p2", input: { name: "later" }) { id } }')
    expect(await send('mutation { deleteAll_Port(where: {}) { records { id } } }')).toEqual({
      data: { deleteAll_Port: { records: ids } },
    })
  })

  test('an upsert creates a record, or changes the one that is there', async () => {
    const upsert = (input: object) =>
      send(
        'mutation ($input: Port_CreateInput!) { upsert_Port(input: $input) { id name serial tenantId } }',
        { input },
      )
    expect(await upsert({ id: 'p8', name: 'new' })).toEqual({
      data: { upsert_Port: { id: 'p8', name: 'new', serial: null, tenantId: null } },
    })
    expect(await upsert({ id: 'p1', name: 'known' })).toEqual({
      data: { upsert_Port: { id: 'p1', name: 'known', serial: 's-p1', tenantId: 't1' } },
    })
    expect(await upsert({ name: 'no key' })).toEqual({
      data: null,
      errors: [
        {
          message: '/input/id: This field is required: it says which record is meant.',
          locations: [{ line: 1, column: 40 }],
          path: ['upsert_Port'],
          extensions: {
            code: 'RECORD_INVALID',
            errors: [
              { pointer: '/input/id', detail: 'This field is required: it says which record is meant.' },
            ],
          },
        },
      ],
    })
  })

  test('an upsert with a key that no record can have is a mistake of its input', async () => {
    const detail = 'No record of Port can have this key.'
    for (const id of ['', '..', 'a/b', 'a\tb']) {
      const upsert = 'mutation ($id: String) { upsert_Port(input: { id: $id, name: "x" }) { id } }'
      expect(await send(upsert, { id })).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'RECORD_INVALID', errors: [{ pointer: '/input/id', detail }] } }],
      })
    }
  })

  test('upserts of the same new record at the same moment all succeed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send(`mutation { upsert_Port(input: { id: "many", name: "n${index}" }) { id } }`),
      ),
    )
    for (const answer of answers) expect(answer).toEqual({ data: { upsert_Port: { id: 'many' } } })
  })

  describe('all or nothing', () => {
    const unchanged = async (answer: Json) => {
      expect(answer.data).toBeNull()
      expect((await records('ports')).map(({ id, name }) => [id, name])).toEqual(
        ['p1', 'p2', 'p3'].map((id) => [id, id]),
      )
    }

    test('an error of a later field undoes the earlier ones', async () => {
      const answer = await send(`mutation {
        one: update_Port(id: "p1", input: { name: "changed" }) { id }
        two: delete_Port(id: "p2") { id }
        three: create_Port(input: { name: "x", tenantId: "none" }) { id }
      }`)
      await unchanged(answer)
      expect(answer.errors).toEqual([
        {
          message: '/input/tenantId: There is no Tenant whose id is "none".',
          locations: [{ line: 4, column: 9 }],
          path: ['three'],
          extensions: {
            code: 'RECORD_INVALID',
            errors: [{ pointer: '/input/tenantId', detail: 'There is no Tenant whose id is "none".' }],
          },
        },
      ])
    })

    test('a unique value that is taken in the middle of a list undoes the list', async () => {
      const inputs = Array.from({ length: 20 }, (_, index) => ({
        name: `n${index}`,
        serial: `s-p${index - 8}`,
      }))
      const answer = await send(
        'mutation ($inputs: [Port_CreateInput!]!) { createAll_Port(inputs: $inputs) { id } }',
        { inputs },
      )
      await unchanged(answer)
      expect(answer.errors[0].extensions).toEqual({
        code: 'VALUE_NOT_UNIQUE',
        errors: [1, 2, 3].map((number) => ({
          pointer: `/inputs/${number + 8}/serial`,
          detail: `Another Port has the serial "s-p${number}" already.`,
        })),
      })
      expect(answer.errors[0].path).toEqual(['createAll_Port'])
    })

    test('a field that fails inside of a result undoes everything', async () => {
      const answer = await send(
        'mutation { update_Port(id: "p1", input: { name: "x" }) { id tenant { portCollection(asc: "nope") { totalCount } } } }',
      )
      await unchanged(answer)
      expect(answer.errors).toEqual([
        {
          message: 'asc names the unknown field "nope".',
          locations: [{ line: 1, column: 70 }],
          path: ['update_Port', 'tenant', 'portCollection'],
          extensions: { code: 'PARAMETER_INVALID' },
        },
      ])
    })

    test('a record that others refer to is not deleted', async () => {
      const answer = await send('mutation { a: delete_Port(id: "p1") { id } delete_Tenant(id: "t1") { id } }')
      await unchanged(answer)
      expect(answer.errors[0]).toMatchObject({ path: ['delete_Tenant'], extensions: { code: 'IN_USE' } })
    })

    test('a record that is not there', async () => {
      await unchanged(
        await send(
          'mutation { a: delete_Port(id: "p1") { id } update_Port(id: "p9", input: { name: "x" }) { id } }',
        ),
      )
      const { data } = await send('{ Tenant { edges { node { GlobalId } } } }')
      const unknown = btoa('Port_:p9')
      const refusals = [
        ['delete_Port(id: "p9")', 'RECORD_NOT_FOUND', 'There is no Port whose id is "p9".'],
        ['delete_Port(id: "a/../p1")', 'RECORD_NOT_FOUND', 'There is no Port whose id is "a/../p1".'],
        ['delete_Port', 'PARAMETER_INVALID', 'Name the record either by GlobalId, or by id.'],
        ['delete_Port(id: null)', 'PARAMETER_INVALID', 'Name the record either by GlobalId, or by id.'],
        [
          `delete_Port(id: "p1", GlobalId: "x")`,
          'PARAMETER_INVALID',
          'Name the record either by GlobalId, or by id.',
        ],
        ['delete_Port(GlobalId: "nonsense")', 'PARAMETER_INVALID', 'GlobalId takes the GlobalId of a Port.'],
        [
          `delete_Port(GlobalId: "${data.Tenant.edges[0].node.GlobalId}")`,
          'PARAMETER_INVALID',
          'GlobalId takes the GlobalId of a Port.',
        ],
        [
          `delete_Port(GlobalId: "${unknown}")`,
          'RECORD_NOT_FOUND',
          `There is no Port whose GlobalId is "${unknown}".`,
        ],
      ]
      for (const [call, code, message] of refusals) {
        expect(await send(`mutation { ${call} { id } }`)).toMatchObject({
          data: null,
          errors: [{ message, path: ['delete_Port'], extensions: { code } }],
        })
      }
    })

    test('values of other types and unknown fields are refused before anything begins', async () => {
      const refused = async (field: string, variables?: object) => {
        const head = variables === undefined ? '' : '($input: Port_CreateInput!)'
        const answer = await send(
          `mutation ${head} { update_Port(id: "p1", input: { name: "x" }) { id } ${field} { id } }`,
          variables,
        )
        expect(answer.data).toBeUndefined()
        return [answer.errors[0].extensions.code, answer.errors[0].message]
      }
      expect(await refused('create_Port(input: { name: 5 })')).toEqual([
        'GRAPHQL_VALIDATION_FAILED',
        'String cannot represent a non string value: 5',
      ])
      expect(await refused('create_Port(input: { name: "x", isActivated: 1 })')).toEqual([
        'GRAPHQL_VALIDATION_FAILED',
        'Boolean cannot represent a non boolean value: 1',
      ])
      expect(await refused('create_Port(input: { nam: "x" })')).toEqual([
        'GRAPHQL_VALIDATION_FAILED',
        'Field "Port_CreateInput.name" of required type "String!" was not provided.',
      ])
      expect(
        await refused('create_Port(input: $input)', { input: { name: 'x', operationStatus: 'Gone' } }),
      ).toEqual([
        'BAD_USER_INPUT',
        'Variable "$input" got invalid value "Gone" at "input.operationStatus"; Value "Gone" does not exist in "Port_operationStatus_Enum" enum.',
      ])
      expect(await refused('create_Port(input: $input)', { input: { name: 'x', xid: 'mine' } })).toEqual([
        'BAD_USER_INPUT',
        expect.stringContaining('Field "xid" is not defined by type "Port_CreateInput".'),
      ])
      await unchanged({ data: null })
    })

    test('too many inputs', async () => {
      const inputs = Array.from({ length: 10_001 }, () => ({ name: 'x' }))
      const answer = await send(
        'mutation ($inputs: [Port_CreateInput!]!) { createAll_Port(inputs: $inputs) { id } }',
        { inputs },
      )
      await unchanged(answer)
      expect(answer.errors[0]).toMatchObject({
        message: '/inputs: Send one record, or a list of 1 to 10000; this list has 10001.',
        path: ['createAll_Port'],
        extensions: { code: 'RECORD_INVALID' },
      })
      await unchanged(await send('mutation { createAll_Port(inputs: []) { id } }'))
    })
  })

  test('of many changes with the same ETag exactly one is made', async () => {
    const { headers } = await gateway.request('GET', '/apis/ports/p1')
    const ifMatch = headers.get('etag')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send(
          'mutation ($tag: String, $name: String) { update_Port(id: "p1", ifMatch: $tag, input: { name: $name }) { name } }',
          { tag: ifMatch, name: `n${index}` },
        ),
      ),
    )
    expect(answers.filter(({ data }) => data !== null)).toHaveLength(1)
    for (const { data, errors } of answers) {
      if (data === null)
        expect(errors).toMatchObject([{ path: ['update_Port'], extensions: { code: 'PRECONDITION_FAILED' } }])
    }
  })

  test('the ETag of an error is one that the record has', async () => {
    const tagOf = async () => (await gateway.request('GET', '/apis/ports/p1')).headers.get('etag')
    const update = (name: string, tag: string) =>
      `update_Port(id: "p1", ifMatch: ${JSON.stringify(tag)}, input: { name: "${name}" }) { id }`
    const single = await send(`mutation { ${update('x', '"old"')} }`)
    expect(single.errors[0].extensions).toEqual({ code: 'PRECONDITION_FAILED', etag: await tagOf() })
    const tag = (await tagOf()) ?? ''
    const twice = await send(`mutation { a: ${update('x', tag)} b: ${update('y', tag)} }`)
    // What the first one had made of it was undone.
    expect([twice.data, twice.errors[0].extensions]).toEqual([null, { code: 'PRECONDITION_FAILED' }])
    expect(await tagOf()).toBe(tag)
  })

  test('a record that is gone does not meet an ETag, however it is named', async () => {
    const { data } = await send('{ Port(id: "p1") { edges { node { GlobalId } } } }')
    const { GlobalId } = data.Port.edges[0].node
    await send('mutation { delete_Port(id: "p1") { id } }')
    for (const name of ['id: "p1"', 'id: "a/b"', `GlobalId: "${GlobalId}"`]) {
      const answers = [
        await send(`mutation { update_Port(${name}, ifMatch: "x", input: { name: "x" }) { id } }`),
        await send(`mutation { delete_Port(${name}, ifMatch: "x") { id } }`),
      ]
      expect(answers.map(({ errors }) => errors[0].extensions.code)).toEqual([
        'PRECONDITION_FAILED',
        'PRECONDITION_FAILED',
      ])
    }
  })

  test('of many changes where a record is as it was read exactly one is made', async () => {
    const { data } = await send('{ Port(id: "p1") { edges { node { xid } } } }')
    const { xid } = data.Port.edges[0].node
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send(
          'mutation ($xid: String, $name: String) { updateAll_Port(where: { id: { eq: "p1" }, xid: { eq: $xid } }, input: { name: $name }) { count } }',
          { xid, name: `n${index}` },
        ),
      ),
    )
    expect(answers.map((answer) => answer.data.updateAll_Port.count).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
  })

  test('a mutation is not carried out by GET', async () => {
    const query = 'mutation { delete_Port(id: "p1") { id } }'
    const { status, headers, body } = await gateway.request(
      'GET',
      `/graphql?query=${encodeURIComponent(query)}`,
    )
    expect([status, headers.get('allow'), (body as Json).errors[0].extensions.code]).toEqual([
      405,
      'POST',
      'OPERATION_RESOLUTION_FAILURE',
    ])
    expect(await records('ports')).toHaveLength(3)
  })

  test('each entry of a batch is a mutation of its own', async () => {
    const { body } = await gateway.request('POST', '/graphql', {
      body: [
        { query: 'mutation { delete_Port(id: "p1") { id } }' },
        { query: 'mutation { delete_Port(id: "p2") { id } delete_Port2: delete_Port(id: "p9") { id } }' },
        { query: '{ Port { totalCount } }' },
      ],
    })
    expect(body).toMatchObject([
      { data: { delete_Port: { id: 'p1' } } },
      { data: null, errors: [{ path: ['delete_Port2'] }] },
      { data: { Port: { totalCount: 2 } } },
    ])
  })

  test('headers say what is stored of the call', async () => {
    const { body } = await gateway.request('POST', '/graphql', {
      body: { query: 'mutation { update_Port(id: "p1", input: { name: "b" }) { xid xname } }' },
      headers: { 'x-xaas-xid': 'call-7', 'x-xaas-xname': 'my script' },
    })
    expect(body).toEqual({ data: { update_Port: { xid: 'call-7', xname: 'my script' } } })
  })

  describe('an Idempotency-Key', () => {
    const query = 'mutation ($name: String!) { create_Tenant(input: { name: $name }) { id name } }'
    const post = async (body: unknown, key: string) => {
      const answer = await gateway.request('POST', '/graphql', { body, headers: { 'idempotency-key': key } })
      return { ...(answer.body as Json), replayed: answer.headers.get('idempotent-replayed') }
    }

    test('lets a mutation be carried out once', async () => {
      const first = await post({ query, variables: { name: 'once' } }, 'key-1')
      expect(first).toEqual({
        data: { create_Tenant: { id: expect.any(String), name: 'once' } },
        replayed: null,
      })
      const again = await post({ query, variables: { name: 'once' } }, 'key-1')
      expect(again).toEqual({ ...first, replayed: 'true' })
      expect(await post({ query, variables: { name: 'other' } }, 'key-1')).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }],
      })
      expect((await records('tenants')).filter(({ name }) => name === 'once')).toHaveLength(1)
    })

    test('is free again after a mutation that was refused', async () => {
      const failing = { query: 'mutation { create_Tenant(input: { id: "t1" }) { id } }' }
      for (const _ of [1, 2]) {
        expect(await post(failing, 'key-2')).toMatchObject({
          data: null,
          errors: [{ path: ['create_Tenant'], extensions: { code: 'VALUE_NOT_UNIQUE' } }],
        })
      }
      expect(await post({ query, variables: { name: 'then' } }, 'key-2')).toMatchObject({
        data: { create_Tenant: { name: 'then' } },
      })
    })

    test('makes no difference to a query, and is not for batches', async () => {
      for (const _ of [1, 2]) {
        expect(await post({ query: '{ Tenant { totalCount } }' }, 'key-3')).toEqual({
          data: { Tenant: { totalCount: 2 } },
          replayed: null,
        })
      }
      const { body } = await gateway.request('POST', '/graphql', {
        body: [{ query, variables: { name: 'x' } }],
        headers: { 'idempotency-key': 'key-4' },
      })
      expect(body).toMatchObject([{ data: null, errors: [{ extensions: { code: 'PARAMETER_INVALID' } }] }])
    })
  })

  describe('references in place', () => {
    test('a record is created with the one that it refers to', async () => {
      expect(
        await send(
          `mutation { create_Port(input: { id: "p4", name: "new", tenant: { create: { id: "t3", name: "Three" } } }) {
            id tenantId tenant { name xname portCollection { totalCount } }
          } }`,
        ),
      ).toEqual({
        data: {
          create_Port: {
            id: 'p4',
            tenantId: 't3',
            tenant: { name: 'Three', xname: 'POST /graphql', portCollection: { totalCount: 1 } },
          },
        },
      })
    })

    test('or with one that is there, by its key or GlobalId', async () => {
      const { data } = await send('{ Tenant(id: "t2") { edges { node { GlobalId instance } } } }')
      const { GlobalId, instance } = data.Tenant.edges[0].node
      for (const connect of [{ id: 't2' }, { GlobalId }, { instance }, { id: 't2', instance }]) {
        expect(
          await send(
            'mutation ($to: Tenant_KeyInput) { update_Port(id: "p1", input: { tenant: { connect: $to } }) { tenantId } }',
            {
              to: connect,
            },
          ),
        ).toEqual({ data: { update_Port: { tenantId: 't2' } } })
        expect(
          await send('mutation { update_Port(id: "p1", input: { tenant: null }) { tenantId } }'),
        ).toEqual({
          data: { update_Port: { tenantId: null } },
        })
      }
    })

    test('each record of a list has its own, and an update of many one for all', async () => {
      const inputs = [
        { name: 'a', tenant: { create: { id: 'ta' } } },
        { name: 'b', tenant: { connect: { id: 't1' } } },
        { name: 'c', tenantId: 't2' },
        { name: 'd', tenant: { create: { name: 'd' } } },
        { name: 'e' },
      ]
      const created = await send(
        'mutation ($inputs: [Port_CreateInput!]!) { createAll_Port(inputs: $inputs) { name tenant { id name } } }',
        { inputs },
      )
      expect(created).toEqual({
        data: {
          createAll_Port: [
            { name: 'a', tenant: { id: 'ta', name: null } },
            { name: 'b', tenant: { id: 't1', name: 'One' } },
            { name: 'c', tenant: { id: 't2', name: null } },
            { name: 'd', tenant: { id: expect.any(String), name: 'd' } },
            { name: 'e', tenant: null },
          ],
        },
      })
      const updated = await send(
        'mutation { updateAll_Port(where: { name: { in: ["a", "b"] } }, input: { tenant: { create: { id: "tb" } } }) { count records { tenantId } } }',
      )
      expect(updated).toEqual({
        data: { updateAll_Port: { count: 2, records: [{ tenantId: 'tb' }, { tenantId: 'tb' }] } },
      })
    })

    test('an upsert takes them, too', async () => {
      const upsert = (id: string, tenant: string) =>
        send(
          `mutation { upsert_Port(input: { id: "${id}", name: "x", tenant: { ${tenant} } }) { id tenantId } }`,
        )
      expect(await upsert('p9', 'create: { id: "t9" }')).toEqual({
        data: { upsert_Port: { id: 'p9', tenantId: 't9' } },
      })
      expect(await upsert('p1', 'connect: { id: "t9" }')).toEqual({
        data: { upsert_Port: { id: 'p1', tenantId: 't9' } },
      })
    })

    test('mistakes have their places, and nothing is kept', async () => {
      const refused = async (inputs: readonly object[]) => {
        const answer = await send(
          'mutation ($inputs: [Port_CreateInput!]!) { createAll_Port(inputs: $inputs) { name } }',
          { inputs },
        )
        expect([answer.data, await records('ports'), await records('tenants')]).toEqual([
          null,
          expect.objectContaining({ length: 3 }),
          expect.objectContaining({ length: 2 }),
        ])
        const { code, errors } = answer.errors[0].extensions
        return [code, ...errors.map(({ pointer, detail }: Json) => `${pointer} ${detail}`)]
      }
      const fine = { name: 'x', tenant: { create: { id: 't3' } } }
      expect(await refused([fine, { name: 'y', tenant: { create: { id: 't1' } } }])).toEqual([
        'VALUE_NOT_UNIQUE',
        '/inputs/1/tenant/create/id Another Tenant has the id "t1" already.',
      ])
      expect(await refused([fine, { name: 'y', tenant: { connect: { id: 'none' } } }])).toEqual([
        'RECORD_INVALID',
        '/inputs/1/tenant/connect There is no Tenant with this key.',
      ])
      expect(await refused([fine, { name: 'y', tenant: { connect: {} } }])).toEqual([
        'RECORD_INVALID',
        '/inputs/1/tenant/connect Name the Tenant by instance or id or GlobalId.',
      ])
      const { data } = await send('{ Port(first: 1) { edges { node { GlobalId } } } }')
      const ofPort = data.Port.edges[0].node.GlobalId
      for (const GlobalId of ['abc', Buffer.from('Tenant_[1,2,3]').toString('base64')]) {
        expect(await refused([fine, { name: 'y', tenant: { connect: { GlobalId } } }])).toEqual([
          'RECORD_INVALID',
          '/inputs/1/tenant/connect/GlobalId Give a GlobalId as this API gave it.',
        ])
      }
      expect(await refused([fine, { name: 'y', tenant: { connect: { GlobalId: ofPort } } }])).toEqual([
        'RECORD_INVALID',
        '/inputs/1/tenant/connect There is no Tenant with this key.',
      ])
      expect(
        await refused([
          fine,
          { name: 'y', tenant: { connect: { id: 'none' } } },
          { name: 'z', tenant: { connect: { GlobalId: 'abc' } } },
          { name: 'z', tenant: { connect: { id: 't1' } } },
          { name: 'z', tenant: { connect: { id: 'none2' } } },
        ]),
      ).toEqual([
        'RECORD_INVALID',
        '/inputs/1/tenant/connect There is no Tenant with this key.',
        '/inputs/2/tenant/connect/GlobalId Give a GlobalId as this API gave it.',
        '/inputs/4/tenant/connect There is no Tenant with this key.',
      ])
      expect(await refused([{ name: 'x', tenant: {} }, fine, { name: 'y', tenant: {} }])).toEqual([
        'RECORD_INVALID',
        '/inputs/0/tenant Give either create or connect.',
        '/inputs/2/tenant Give either create or connect.',
      ])
      const many = await refused(
        Array.from({ length: 30 }, (_, index) => ({
          name: 'y',
          tenant: { connect: { id: `none${index}` } },
        })),
      )
      expect([many.length, many[20]]).toEqual([
        21,
        '/inputs/19/tenant/connect There is no Tenant with this key.',
      ])
      expect(await refused([fine, { name: 'y', tenant: {} }])).toEqual([
        'RECORD_INVALID',
        '/inputs/1/tenant Give either create or connect.',
      ])
      expect(
        await refused([fine, { name: 'y', tenant: { create: { id: 'a' }, connect: { id: 't1' } } }]),
      ).toEqual(['RECORD_INVALID', '/inputs/1/tenant Give either create or connect.'])
      expect(await refused([fine, { name: 'y', tenantId: 't1', tenant: { connect: { id: 't1' } } }])).toEqual(
        ['RECORD_INVALID', '/inputs/1/tenant Give either tenant or tenantId.'],
      )
      expect(await refused([fine, { name: 'y', serial: 's-p1' }])).toEqual([
        'VALUE_NOT_UNIQUE',
        '/inputs/1/serial Another Port has the serial "s-p1" already.',
      ])
    })

    test('a record that refers to itself is deleted, but not while others refer to it', async () => {
      for (const id of ['own1', 'own2']) {
        await gateway.request('POST', '/apis/parts', { body: [{ id, parentId: id }] })
      }
      const other = { id: 'other', parentId: 'own1' }
      await gateway.request('POST', '/apis/parts', { body: [other] })
      expect((await gateway.request('DELETE', '/apis/parts/own1')).status).toBe(409)
      expect(await send('mutation { delete_Part(id: "own1") { id } }')).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'IN_USE' } }],
      })
      expect(await send('{ Part(asc: "id") { edges { node { id parentId } } } }')).toEqual({
        data: {
          Part: {
            edges: [other, { id: 'own1', parentId: 'own1' }, { id: 'own2', parentId: 'own2' }].map(
              (node) => ({
                node,
              }),
            ),
          },
        },
      })
      await gateway.request('DELETE', '/apis/parts/other')
      expect((await gateway.request('DELETE', '/apis/parts/own1')).status).toBe(204)
      expect(await send('mutation { delete_Part(id: "own2") { id parentId } }')).toEqual({
        data: { delete_Part: { id: 'own2', parentId: 'own2' } },
      })
    })

    test('records that refer to records of their own entity', async () => {
      const deep = (depth: number): object =>
        depth === 0 ? { id: 'n0' } : { id: `n${depth}`, part: { create: deep(depth - 1) } }
      const create = (input: object) =>
        send('mutation ($input: Part_CreateInput!) { create_Part(input: $input) { id parentId } }', { input })
      expect(await create(deep(9))).toEqual({ data: { create_Part: { id: 'n9', parentId: 'n8' } } })
      expect(await create({ id: 'm', part: { create: { id: 'm' } } })).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'VALUE_NOT_UNIQUE' } }],
      })
      expect(await create(deep(11))).toMatchObject({
        data: null,
        errors: [
          {
            message: expect.stringContaining('Records are created in each other to a depth of 10 at most.'),
            extensions: { code: 'RECORD_INVALID' },
          },
        ],
      })
    })
  })

  describe('rights', () => {
    const join = async (authorities: readonly object[], metadata: object = {}) => {
      people += 1
      const account = await createAccount(gateway, `person-${people}`, authorities, { metadata })
      const token = await logonAs(gateway, account)
      return {
        token,
        graphql: (query: string, variables?: object) => send(query, variables, token),
        sdl: async () =>
          ((await gateway.request('GET', '/graphql', { token })).body as Json).schema as string,
      }
    }
    let people = 0
    const refused = (method: string, path: string, field: string, record?: string) => ({
      data: null,
      errors: [
        {
          message: `The role does not allow ${method} on ${path}.`,
          locations: [expect.anything()],
          path: [field],
          extensions: { code: 'ROLE_NOT_ALLOWED', ...(record !== undefined && { record }) },
        },
      ],
    })

    test('who may write nothing has no mutations', async () => {
      const reader = await join([
        { regex: '/graphql|/apis/.*', methods: ['GET'] },
        { regex: '/graphql', methods: ['POST'] },
      ])
      expect(await reader.sdl()).not.toMatch(/Mutation|CreateInput/)
      expect(await reader.graphql('mutation { delete_Port(id: "p1") { id } }')).toMatchObject({
        errors: [
          {
            message: 'The schema has no mutations, only queries.',
            extensions: { code: 'OPERATION_RESOLUTION_FAILURE' },
          },
        ],
      })
      const writer = await join([
        { regex: '/apis/.*', methods: ['POST', 'PATCH'] },
        { regex: '/graphql', methods: ['GET'] },
      ])
      expect(await writer.sdl()).not.toMatch(/Mutation/)
    })

    test('each mutation needs the right to its call', async () => {
      const one = await join([
        { regex: '/graphql', methods: ['GET', 'POST'] },
        { regex: '/apis/ports/p1', methods: ['PATCH', 'DELETE'] },
        { regex: '/apis/tenants', methods: ['POST'] },
      ])
      const { data } = await one.graphql('{ __schema { mutationType { fields { name } } } }')
      expect(data.__schema.mutationType.fields.map(({ name }: Json) => name)).toEqual([
        'update_Port',
        'updateAll_Port',
        'delete_Port',
        'deleteAll_Port',
        'create_Tenant',
        'createAll_Tenant',
      ])
      expect(await one.graphql('mutation { update_Port(id: "p1", input: { name: "b" }) { name } }')).toEqual({
        data: { update_Port: { name: 'b' } },
      })
      expect(await one.graphql('mutation { update_Port(id: "p2", input: { name: "b" }) { name } }')).toEqual(
        refused('PATCH', '/apis/ports/p2', 'update_Port'),
      )
      expect(
        await one.graphql('mutation { updateAll_Port(where: {}, input: { name: "c" }) { count } }'),
      ).toMatchObject({
        data: null,
        errors: [{ path: ['updateAll_Port'], extensions: { code: 'ROLE_NOT_ALLOWED' } }],
      })
      expect(await one.graphql('mutation { deleteAll_Port(where: { id: { eq: "p3" } }) { count } }')).toEqual(
        refused('DELETE', '/apis/ports/p3', 'deleteAll_Port', 'p3'),
      )
      expect((await records('ports')).map(({ name }) => name)).toEqual(['b', 'p2', 'p3'])
    })

    test('who may not give the key has no upsert', async () => {
      const person = await join([
        { regex: '/graphql/Port', methods: ['POST'] },
        { regex: '/apis/ports(/.*)?', methods: ['POST', 'PATCH'], fields: { write: ['name'] } },
      ])
      const { data } = await person.graphql('{ __schema { mutationType { fields { name } } } }')
      expect(data.__schema.mutationType.fields.map(({ name }: Json) => name)).toEqual([
        'create_Port',
        'createAll_Port',
        'update_Port',
        'updateAll_Port',
      ])
    })

    test('a right to one entity in GraphQL gives its mutations alone', async () => {
      const person = await join([
        { regex: '/graphql/Port', methods: ['POST'] },
        { regex: '/apis/.*', methods: ['POST', 'DELETE'] },
      ])
      const { data } = await person.graphql('{ __schema { mutationType { fields { name } } } }')
      expect(data.__schema.mutationType.fields.map(({ name }: Json) => name)).toEqual([
        'create_Port',
        'createAll_Port',
        'delete_Port',
        'deleteAll_Port',
      ])
      expect(await person.graphql('mutation { delete_Port(id: "p1") { id } }')).toEqual({
        data: { delete_Port: { id: 'p1' } },
      })
    })

    test('a record is created in place only with the right to create it, and connected only if it may be read', async () => {
      const person = await join([
        { regex: '/graphql', methods: ['GET', 'POST'], rows: [{ key: 'id', op: '!=', val: 't2' }] },
        { regex: '/apis/ports(/.*)?', methods: ['GET', 'POST'] },
      ])
      expect((await person.sdl()).match(/^input Tenant_ReferenceInput \{[^}]*\}/m)?.[0]).not.toContain(
        'create',
      )
      expect(
        await person.graphql(
          'mutation { create_Port(input: { name: "x", tenant: { connect: { id: "t1" } } }) { tenantId } }',
        ),
      ).toEqual({
        data: { create_Port: { tenantId: 't1' } },
      })
      for (const id of ['t2', 't0']) {
        expect(
          await person.graphql(
            `mutation { create_Port(input: { name: "x", tenant: { connect: { id: "${id}" } } }) { id } }`,
          ),
        ).toMatchObject({
          data: null,
          errors: [{ message: '/input/tenant/connect: There is no Tenant with this key.' }],
        })
      }
    })

    test('records whose identifier is hidden are changed and deleted, too', async () => {
      const person = await join([
        { regex: '/graphql/Port', methods: ['POST'], fields: { read: ['name'] } },
        { regex: '/graphql/Port', methods: ['POST'], rows: [{ key: 'id', op: '==', val: 'p2' }] },
        { regex: '/apis/ports(/.*)?', methods: ['PATCH', 'DELETE'] },
      ])
      expect(
        await person.graphql(
          'mutation { updateAll_Port(where: {}, input: { name: "x" }) { records { id name } } }',
        ),
      ).toEqual({
        data: { updateAll_Port: { records: [null, 'p2', null].map((id) => ({ id, name: 'x' })) } },
      })
      const { data } = await person.graphql('{ Port { edges { node { GlobalId } } } }')
      const { GlobalId } = data.Port.edges[0].node
      expect(
        await person.graphql('mutation ($id: ID) { delete_Port(GlobalId: $id) { id name } }', {
          id: GlobalId,
        }),
      ).toEqual({ data: { delete_Port: { id: null, name: 'x' } } })
      expect(await person.graphql('mutation { deleteAll_Port(where: {}) { records { id } } }')).toEqual({
        data: { deleteAll_Port: { records: [{ id: 'p2' }, { id: null }] } },
      })
    })

    test('errors do not tell a key that may not be read', async () => {
      const person = await join([
        { regex: '/graphql/Port', methods: ['POST'], fields: { read: ['name'] } },
        { regex: '/apis/ports/none', methods: ['PATCH'] },
      ])
      const { data } = await send('{ Port(id: "p1") { edges { node { GlobalId } } } }')
      const { GlobalId } = data.Port.edges[0].node
      const answers = [
        await person.graphql(
          'mutation ($id: ID) { update_Port(GlobalId: $id, input: { name: "x" }) { name } }',
          { id: GlobalId },
        ),
        await person.graphql(
          'mutation { updateAll_Port(where: { name: { eq: "p1" } }, input: { name: "x" }) { count } }',
        ),
      ]
      expect(answers.map(({ errors }) => [errors[0].extensions, errors[0].message])).toEqual([
        [{ code: 'ROLE_NOT_ALLOWED' }, `The role does not allow PATCH on /apis/ports/${GlobalId}.`],
        [{ code: 'ROLE_NOT_ALLOWED', record: '…' }, 'The role does not allow PATCH on /apis/ports/….'],
      ])
    })

    test('a record that may be read and not changed is named as it was found', async () => {
      const open = { regex: '/graphql/Port', methods: ['POST'] }
      const named = [{ key: 'name', op: '==', val: 'nobody' }]
      const change = { regex: '/apis/ports/.*', methods: ['PATCH'], rows: named }
      const { data } = await send('{ Port(id: "p1") { edges { node { GlobalId } } } }')
      const { GlobalId } = data.Port.edges[0].node
      const call = `mutation { update_Port(GlobalId: "${GlobalId}", input: { name: "x" }) { name } }`
      const messageFor = async (authorities: readonly object[]) =>
        (await (await join(authorities)).graphql(call)).errors[0].message
      expect(await messageFor([{ ...open, fields: { read: ['name'] } }, change])).toBe(
        `There is no Port whose GlobalId is "${GlobalId}".`,
      )
      expect(await messageFor([open, change])).toBe('There is no Port whose id is "p1".')
    })

    test('a public way to GraphQL alone gives none', async () => {
      const route = { name: 'open', path: '/graphql', methods: ['GET', 'POST'], scope: 'public' }
      expect((await gateway.request('POST', '/manage/routes', { body: route })).status).toBe(201)
      try {
        const anyone = await send('{ __schema { mutationType { name } } }', undefined, null)
        expect(anyone).toEqual({ data: { __schema: { mutationType: null } } })
        const create = { name: 'add', path: '/apis/tenants', methods: ['POST'], scope: 'public' }
        await gateway.request('POST', '/manage/routes', { body: create })
        const created = await send('mutation { create_Tenant(input: { id: "t3" }) { id } }', undefined, null)
        expect(created).toEqual({ data: { create_Tenant: { id: 't3' } } })
        // A token gives the rights of its account, too.
        expect(await send('mutation { delete_Tenant(id: "t3") { id } }')).toEqual({
          data: { delete_Tenant: { id: 't3' } },
        })
      } finally {
        for (const name of ['open', 'add']) await gateway.request('DELETE', `/manage/routes/${name}`)
      }
    })

    test('rows, fields and set hold before and after a change', async () => {
      const rights = {
        regex: '/apis/ports(/.*)?|/graphql/Port',
        methods: ['GET', 'POST', 'PATCH', 'DELETE'],
        rows: [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }],
        fields: { read: ['id', 'name', 'tenantId'], write: ['id', 'name'] },
        set: { tenantId: { account: 'metadata.tenant' } },
      }
      const member = await join([rights], { tenant: 't2' })
      const sdl = await member.sdl()
      expect(sdl.match(/^input Port_CreateInput \{[^}]*\}/m)?.[0]).toBe(
        `input Port_CreateInput {
  """Its value, as in the published API."""
  id: String

  """Its value, as in the published API."""
  name: String!
}`,
      )
      expect(
        await member.graphql(
          'mutation { createAll_Port(inputs: [{ id: "p7", name: "mine" }]) { id tenantId } }',
        ),
      ).toEqual({ data: { createAll_Port: [{ id: 'p7', tenantId: 't2' }] } })
      expect(
        await member.graphql('mutation { update_Port(id: "p7", input: { name: "b" }) { id name } }'),
      ).toEqual({
        data: { update_Port: { id: 'p7', name: 'b' } },
      })
      const hidden = await member.graphql('mutation { update_Port(id: "p1", input: { name: "b" }) { id } }')
      const absent = await member.graphql('mutation { update_Port(id: "p0", input: { name: "b" }) { id } }')
      expect(hidden.errors[0].extensions.code).toBe('RECORD_NOT_FOUND')
      expect(JSON.stringify(hidden).replaceAll('p1', 'p0')).toBe(JSON.stringify(absent))
      expect(
        await member.graphql(
          'mutation { updateAll_Port(where: {}, input: { name: "all" }) { count records { id } } }',
        ),
      ).toEqual({ data: { updateAll_Port: { count: 1, records: [{ id: 'p7' }] } } })
      expect(await member.graphql('mutation { deleteAll_Port(where: {}) { count } }')).toEqual({
        data: { deleteAll_Port: { count: 1 } },
      })
      expect((await records('ports')).map(({ name }) => name)).toEqual(['p1', 'p2', 'p3'])
    })

    test('rows that may be read and not written', async () => {
      const reading = { regex: '/apis/ports(/.*)?|/graphql/Port', methods: ['GET', 'POST'] }
      const writing = {
        regex: '/apis/ports/.*',
        methods: ['PATCH', 'DELETE'],
        rows: [{ key: 'name', op: 'starts', val: 'p' }],
      }
      const person = await join([reading, writing])
      expect(
        await person.graphql(
          'mutation { a: update_Port(id: "p2", input: { name: "pp" }) { id } b: update_Port(id: "p1", input: { name: "x" }) { id } }',
        ),
      ).toMatchObject({ data: null, errors: [{ path: ['b'], extensions: { code: 'ROW_NOT_ALLOWED' } }] })
      expect((await records('ports')).map(({ name }) => name)).toEqual(['p1', 'p2', 'p3'])
    })

    test('of several rights that set a field, the first that lets the record through is used', async () => {
      const setting = (tenantId: string, name: string) => ({
        regex: '/apis/ports(/.*)?|/graphql/Port',
        methods: ['POST'],
        rows: [{ key: 'name', op: 'starts', val: name }],
        set: { tenantId },
      })
      const person = await join([
        setting('t1', 'a'),
        setting('t2', 'b'),
        { regex: '/graphql/Port', methods: ['POST'] },
      ])
      const answer = await person.graphql(
        'mutation { createAll_Port(inputs: [{ name: "b1" }, { name: "a1" }, { name: "b2" }]) { name tenantId } }',
      )
      expect(answer).toEqual({
        data: {
          createAll_Port: [
            { name: 'b1', tenantId: 't2' },
            { name: 'a1', tenantId: 't1' },
            { name: 'b2', tenantId: 't2' },
          ],
        },
      })
      const refusedOnes = await person.graphql(
        'mutation { createAll_Port(inputs: [{ name: "b3" }, { name: "c" }]) { name } }',
      )
      expect(refusedOnes).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'ROW_NOT_ALLOWED', errors: [{ pointer: '/inputs/1' }] } }],
      })
    })

    describe('a field that only some of the rights set', () => {
      const writing = (tenantId: string, more: object) => ({
        regex: '/apis/ports',
        methods: ['POST'],
        rows: [{ key: 'tenantId', op: '==', val: tenantId }],
        ...more,
      })
      const asking = { regex: '/graphql/Port|/graphql/Tenant', methods: ['GET', 'POST'] }
      const create =
        'mutation ($input: Port_CreateInput!) { create_Port(input: $input) { id name tenantId } }'
      const nameIn = (sdl: string) => /^input Port_CreateInput \{[^}]*^ {2}name: (\S+)/m.exec(sdl)?.[1]

      const isFilledFor = async (person: Awaited<ReturnType<typeof join>>) => {
        expect(nameIn(await person.sdl())).toBe('String')
        expect(await person.graphql(create, { input: { id: 'p4', tenantId: 't1' } })).toEqual({
          data: { create_Port: { id: 'p4', name: 'given', tenantId: 't1' } },
        })
        expect(await person.graphql(create, { input: { id: 'p5', tenantId: 't2', name: 'own' } })).toEqual({
          data: { create_Port: { id: 'p5', name: 'own', tenantId: 't2' } },
        })
        expect(await person.graphql(create, { input: { id: 'p6' } })).toMatchObject({
          data: null,
          errors: [{ path: ['create_Port'], extensions: { code: 'ROW_NOT_ALLOWED' } }],
        })
        expect((await records('ports')).map(({ id }) => id)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5'])
      }

      test('may be left out, whichever right comes first', async () => {
        const setting = writing('t1', { set: { name: 'given' } })
        const plain = writing('t2', {})
        await isFilledFor(await join([setting, plain, asking]))
        await gateway.request('DELETE', '/apis/ports/p4')
        await gateway.request('DELETE', '/apis/ports/p5')
        await isFilledFor(await join([plain, setting, asking]))
      })

      test('may be left out where a public route sets it', async () => {
        const { regex: path, methods, ...conditions } = writing('t1', { set: { name: 'given' } })
        const route = { name: 'setting', path, methods, scope: 'public', ...conditions }
        expect((await gateway.request('POST', '/manage/routes', { body: route })).status).toBe(201)
        try {
          await isFilledFor(await join([writing('t2', {}), asking]))
        } finally {
          await gateway.request('DELETE', '/manage/routes/setting')
        }
      })

      test('is required where none of them sets it', async () => {
        const others = [writing('t1', {}), writing('t2', { set: { serial: 's' } })]
        const person = await join([...others, asking])
        expect(nameIn(await person.sdl())).toBe('String!')
        // An authority that names a value which the account lacks admits nothing, and sets nothing.
        const lacking = writing('t3', { set: { name: { account: 'metadata.name' } } })
        const [without, having] = [
          await join([...others, lacking, asking]),
          await join([...others, lacking, asking], { name: 'n' }),
        ]
        expect([nameIn(await without.sdl()), nameIn(await having.sdl())]).toEqual(['String!', 'String'])
      })
    })
  })
})

test.each(products)(
  '$name: the limits of one mutation',
  async (product) => {
    const limited = await startTestGateway(product, undefined, {
      graphql: {
        limits: defaultOperationLimits,
        naming: 'verbatim',
        responseLimits: { rows: 10_000, bytes: 1_000_000, heldRows: 20_000 },
      },
    })
    onTestFinished(() => limited.close())
    await limited.request('POST', '/manage/entities', { body: [tenant, port] })
    const count = async () =>
      ((await limited.graphql('{ Port { totalCount } }')) as Json).data.Port.totalCount
    const createAll = 'mutation ($inputs: [Port_CreateInput!]!) { createAll_Port(inputs: $inputs) { id } }'
    const inputs = Array.from({ length: 10_000 }, (_, index) => ({ id: `m${index}`, name: 'x' }))
    const made = (await limited.graphql(createAll, { inputs })) as Json
    expect(made.errors).toBeUndefined()
    expect(made.data.createAll_Port).toEqual(inputs.map(({ id }) => ({ id })))

    const tooMany = (await limited.graphql('mutation { deleteAll_Port(where: {}) { count } }')) as Json
    expect(tooMany).toMatchObject({
      data: null,
      errors: [
        {
          message:
            '/where: More than 1000 records meet the conditions, and one mutation changes so many at most. Use narrower conditions, several times.',
          path: ['deleteAll_Port'],
          extensions: { code: 'RECORD_INVALID' },
        },
      ],
    })

    await limited.graphql(
      'mutation { create_Tenant(input: { id: "t" }) { id } updateAll_Port(where: { id: { startsWith: "m99" } }, input: { tenantId: "t" }) { count } }',
    )
    const tooLong = (await limited.graphql(
      'mutation { updateAll_Port(where: { id: { startsWith: "m99" } }, input: { name: "y" }) { records { tenant { portCollection { edges { node { id } } } } } } }',
    )) as Json
    expect(tooLong).toMatchObject({
      data: null,
      errors: [{ path: ['updateAll_Port'], extensions: { code: 'ANSWER_TOO_LARGE', limit: 'rows' } }],
    })
    const { data } = (await limited.graphql('{ Port(name: "y") { totalCount } }')) as Json
    expect([await count(), data.Port.totalCount]).toEqual([10_000, 0])
  },
  60_000,
)

const byId = (rows: readonly Json[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))

test.each(products)('$name: tables that other programs made', async (product) => {
  const gateway = await startTestGateway(product, async (options) => {
    await makeForeignTables(options)
    await runStatements(options, [
      'create table event (day date not null, place integer not null, label varchar(9), primary key (day, place))',
    ])
  })
  onTestFinished(() => gateway.close())
  const tables = ['artist', 'albums', 'track', 'genre', 'event']
  const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables } })
  expect(adopted.status).toBe(201)
  const send = async (query: string, variables?: Record<string, unknown>) =>
    (await gateway.graphql(query, variables)) as Json

  // The database numbers the rows, and supplies what is left out.
  expect(
    await send(`mutation {
      create_albums(input: {
        title: "Balls", artist: { create: { name: "New" } }, price: "9.9", sold: 9007199254740995, cover: "AAEC"
      }) { album_id title state sold cover artist { artist_id name } }
    }`),
  ).toEqual({
    data: {
      create_albums: {
        album_id: 2,
        title: 'Balls',
        state: 'draft',
        sold: '9007199254740995',
        cover: 'AAEC',
        artist: { artist_id: 3, name: 'New' },
      },
    },
  })

  // Keys of several columns.
  expect(
    await send('mutation { create_track(input: { album_id: 1, place: 2, albums: null }) { place } }'),
  ).toMatchObject({
    data: null,
    errors: [{ message: '/input/albums: Give either albums or album_id.' }],
  })
  expect(
    await send(
      `mutation {
        create_track(input: { album_id: 1, place: 2, seconds: 5 }) { album_id place albums { title } }
        update_track(album_id: 1, place: 2, input: { seconds: 6 }) { album_id place seconds GlobalId }
      }`,
    ),
  ).toEqual({
    data: {
      create_track: { album_id: 1, place: 2, albums: { title: 'Restless' } },
      update_track: {
        ...{ album_id: 1, place: 2, seconds: 6 },
        GlobalId: Buffer.from('track_:["1","2"]').toString('base64'),
      },
    },
  })
  expect(
    await send('mutation { upsert_track(input: { album_id: 1, place: 2, seconds: 7 }) { seconds } }'),
  ).toEqual({
    data: { upsert_track: { seconds: 7 } },
  })
  // Of a key that no record can have, the mistakes say which value is wrong.
  const upsertEvent = 'mutation { upsert_event(input: { place: 1, day: "no day" }) { place } }'
  expect(await send(upsertEvent)).toMatchObject({
    data: null,
    errors: [
      {
        extensions: { errors: [{ pointer: '/input/day', detail: 'No record of event can have this key.' }] },
      },
    ],
  })
  expect(await send('mutation { delete_track(album_id: 1) { place } }')).toMatchObject({
    data: null,
    errors: [
      { message: 'Name the record either by GlobalId, or by album_id and place.', path: ['delete_track'] },
    ],
  })
  expect(
    await send('mutation { deleteAll_track(where: { seconds: { gte: 7 } }) { records { place seconds } } }'),
  ).toMatchObject({
    data: { deleteAll_track: { records: expect.arrayContaining([{ place: 2, seconds: 7 }]) } },
  })

  // What the database refuses is refused with its place, and undoes the rest.
  const refused = await send(
    `mutation {
      update_albums(album_id: 1, input: { title: "Undone" }) { title }
      createAll_artist(inputs: [{ name: "a" }, { name: "AC/DC" }, { name: "b" }]) { name }
    }`,
  )
  expect(refused).toMatchObject({
    data: null,
    errors: [
      {
        path: ['createAll_artist'],
        extensions: { code: 'VALUE_NOT_UNIQUE', errors: [{ pointer: '/inputs/1/name' }] },
      },
    ],
  })
  const rating = await send('mutation { updateAll_albums(where: {}, input: { rating: 11 }) { count } }')
  expect(rating).toMatchObject({
    data: null,
    errors: [{ path: ['updateAll_albums'], extensions: { code: 'RECORD_INVALID', record: '1' } }],
  })
  expect(await send('{ albums { edges { node { title } } } artist { totalCount } }')).toEqual({
    data: {
      albums: { edges: [{ node: { title: 'Restless' } }, { node: { title: 'Balls' } }] },
      artist: { totalCount: 3 },
    },
  })
})

test.each(products)('$name: errors name records whose key has several columns', async (product) => {
  const gateway = await startTestGateway(product, async (options) => {
    await runStatements(options, [
      'create table item (a integer not null, b varchar(60) not null, qty integer, primary key (a, b))',
      "insert into item (a, b) values (1, 'x'), (1, 'y'), (2, 'z')",
    ])
  })
  onTestFinished(() => gateway.close())
  const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['item'] } })
  expect(adopted.status).toBe(201)
  const account = await createAccount(gateway, 'of-one', [
    { regex: '/apis/items/1,.*', methods: ['GET', 'DELETE', 'PATCH'] },
    { regex: '/graphql/item', methods: ['POST'] },
  ])
  const token = await logonAs(gateway, account)
  const refusal = async (call: string) => {
    const { body } = await gateway.request('POST', '/graphql', {
      body: { query: `mutation { ${call} }` },
      token,
    })
    const [{ message, extensions }] = (body as Json).errors
    return { message, ...extensions }
  }
  const notAllowed = (method: string) => ({
    message: `The role does not allow ${method} on /apis/items/2,z.`,
    code: 'ROLE_NOT_ALLOWED',
    record: '2,z',
  })
  expect(await refusal('updateAll_item(where: {}, input: { qty: 9 }) { count }')).toEqual(notAllowed('PATCH'))
  expect(await refusal('deleteAll_item(where: {}) { count }')).toEqual(notAllowed('DELETE'))

  const unknown = btoa('item_:["1","none"]')
  expect(await refusal(`delete_item(GlobalId: "${unknown}") { a }`)).toEqual({
    message: `There is no item whose GlobalId is "${unknown}".`,
    code: 'RECORD_NOT_FOUND',
  })
})

test.each(products)('$name: a record that nothing can refer to', async (product) => {
  const cable = definition('Cable', { refs: [reference('portSerial', 'Port', 'serial')] })
  const gateway = await startTestGateway(product, withEntities([tenant, port, cable]))
  onTestFinished(() => gateway.close())
  await gateway.request('POST', '/apis/ports', { body: [{ id: 'p1', name: 'without a serial' }] })
  const refused = async (reference: string, place: string) => {
    const detail = 'This record of Port has no serial, by which it would be referred to.'
    expect(
      await gateway.graphql(`mutation { create_Cable(input: { port: { ${reference} } }) { id } }`),
    ).toMatchObject({
      data: null,
      errors: [
        { extensions: { code: 'RECORD_INVALID', errors: [{ pointer: `/input/port/${place}`, detail }] } },
      ],
    })
  }
  await refused('connect: { id: "p1" }', 'connect')
  await refused('create: { name: "new" }', 'create')
  expect(await gateway.graphql('{ Cable { totalCount } Port { totalCount } }')).toEqual({
    data: { Cable: { totalCount: 0 }, Port: { totalCount: 1 } },
  })
})

const withServer = products.filter(({ name }) => name === 'PostgreSQL')

test.each(withServer)('$name: a connection that is lost at the commit', async (product) => {
  let options: DatabaseOptions | undefined
  const entities = withEntities([tenant, port])
  const gateway = await startTestGateway(product, async (prepared) => {
    options = prepared
    await entities(prepared)
  })
  onTestFinished(() => gateway.close())
  const run = async (...statements: readonly string[]) => {
    if (options !== undefined) await runStatements(options, statements)
  }
  const change = () =>
    gateway.request('POST', '/graphql', {
      body: {
        query:
          'mutation { a: create_Tenant(input: { id: "t1" }) { id } b: create_Tenant(input: { id: "t2" }) { id } }',
      },
    })
  await run(
    `create function lose() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
    'create constraint trigger lost after insert on "Tenant" deferrable initially deferred for each row execute function lose()',
  )
  const lost = await change()
  expect([lost.status, (lost.body as Json).code]).toEqual([503, 'DATABASE_UNAVAILABLE'])
  expect(await gateway.graphql('{ Tenant { totalCount } }')).toEqual({ data: { Tenant: { totalCount: 0 } } })

  // What a rule refuses at the commit is told, too.
  await run(
    'drop trigger lost on "Tenant"',
    `create or replace function lose() returns trigger language plpgsql as $$ begin if new.id = 't2' then raise exception 'Not this one.'; end if; return null; end $$`,
    'create constraint trigger late after insert on "Tenant" deferrable initially deferred for each row execute function lose()',
  )
  const refused = await change()
  expect([refused.status, refused.body]).toEqual([
    200,
    {
      data: null,
      errors: [{ message: expect.any(String), extensions: { code: 'RECORD_INVALID' } }],
    },
  ])
  await run('drop trigger late on "Tenant"')
  expect((await change()).body).toEqual({ data: { a: { id: 't1' }, b: { id: 't2' } } })
})

test.each(products)(
  '$name: as many records as one mutation takes, of a table with a key of several columns',
  async (product) => {
    const values = Array.from({ length: 1000 }, (_, place) => `('2026-01-0${(place % 7) + 1}', ${place})`)
    const gateway = await startTestGateway(product, async (options) => {
      await runStatements(options, [
        'create table event (day date not null, place integer not null, label varchar(9), primary key (day, place))',
        `insert into event (day, place) values ${values.join(', ')}`,
      ])
    })
    onTestFinished(() => gateway.close())
    await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['event'] } })
    const change = 'mutation { updateAll_event(where: {}, input: { label: "all" }) { count } }'
    expect(await gateway.graphql(change)).toEqual({ data: { updateAll_event: { count: 1000 } } })
    const remove = 'mutation { deleteAll_event(where: { label: { eq: "all" } }) { count } }'
    expect(await gateway.graphql(remove)).toEqual({ data: { deleteAll_event: { count: 1000 } } })
    const inputs = Array.from({ length: 1500 }, (_, place) => ({
      day: '2026-02-01',
      place,
      label: `${place}`,
    }))
    const create =
      'mutation ($inputs: [event_CreateInput!]!) { createAll_event(inputs: $inputs) { day place label } }'
    expect(await gateway.graphql(create, { inputs })).toEqual({
      data: { createAll_event: inputs },
    })
  },
)
