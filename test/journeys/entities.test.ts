import { readFile } from 'node:fs/promises'
import { buildSchema, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const example = new URL('../../examples/tenants-and-ports.json', import.meta.url)
const golden = new URL('../golden/tenants-and-ports.graphql', import.meta.url)

/** Every type, with its interfaces, and every field and argument, with its type. */
function describeSchema(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const described = new Map<string, string>([['query', String(schema.getQueryType())]])
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    described.set(type.name, type.constructor.name)
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    described.set(`${type.name} implements`, type.getInterfaces().join(' & '))
    for (const field of Object.values(type.getFields())) {
      described.set(`${type.name}.${field.name}`, String(field.type))
      for (const argument of field.args) {
        described.set(`${type.name}.${field.name}(${argument.name}:)`, String(argument.type))
      }
    }
  }
  return described
}

describe.each(products)('$name', (product) => {
  let running: TestGateway
  let definitions: unknown[]

  beforeAll(async () => {
    running = await startTestGateway(product)
    definitions = JSON.parse(await readFile(example, 'utf8')) as unknown[]
  })
  afterAll(() => running.close())

  test('the definitions of tenants and ports make the schema that was promised, and additions to it', async () => {
    expect((await running.request('POST', '/manage/entities', { body: definitions })).status).toBe(201)
    const { body } = await running.request('GET', '/graphql')
    const served = describeSchema(buildSchema((body as { schema: string }).schema))
    const promised = describeSchema(buildSchema(await readFile(golden, 'utf8')))
    const kept = Object.fromEntries([...promised.keys()].map((name) => [name, served.get(name)]))
    expect(kept).toEqual(Object.fromEntries(promised))

    const added = [...served.keys()].filter((name) => !promised.has(name))
    const isListArgumentOfCollection = (name: string) => name.startsWith('Tenant_.portCollection(')
    const isOfMutations = (name: string) =>
      /^Mutation|_(CreateInput|UpdateInput|ReferenceInput|KeyInput|Changes|Enum)\b/.test(name)
    const isOfAggregates = (name: string) =>
      /_(Aggregates|Field|Counts|Sums|Averages|Extremes|Group|GroupKeys|GroupBy|\w*Having|\w+OrderBy)\b|\.(aggregates|groups)\b/.test(
        name,
      )
    const others = added.filter(
      (name) => !isListArgumentOfCollection(name) && !isOfMutations(name) && !isOfAggregates(name),
    )
    expect(new Set(others)).toEqual(
      new Set([
        'Node.GlobalId',
        'Query.customNode',
        'Query.customNode(GlobalId:)',
        'Query.Port(where:)',
        'Query.Port(orderBy:)',
        'Query.Tenant(where:)',
        'Query.Tenant(orderBy:)',
        'Port_Connection.totalCount',
        'Float',
        'BigInt',
        'Tenant_Connection.totalCount',
        'OrderDirection',
        'TimeUnit',
        'ID_Comparison',
        'Text_Comparison',
        'Json_Comparison',
        'Int_Comparison',
        'BigInt_Comparison',
        'Float_Comparison',
        'DateTime_Comparison',
        'Port_Where',
        'Port_ListWhere',
        'Port_OrderBy',
        'Tenant_Where',
        'Tenant_ListWhere',
        'Tenant_OrderBy',
      ]),
    )
  })

  test('with the profile “seed” the schema is exactly the promised one', async () => {
    const limits = defaultOperationLimits
    const plain = await startTestGateway(product, undefined, {
      graphql: { limits, naming: 'verbatim', profile: 'seed' },
    })
    try {
      expect((await plain.request('POST', '/manage/entities', { body: definitions })).status).toBe(201)
      const { body } = await plain.request('GET', '/graphql')
      const { schema } = body as { schema: string }
      expect(describeSchema(buildSchema(schema))).toEqual(
        describeSchema(buildSchema(await readFile(golden, 'utf8'))),
      )
    } finally {
      await plain.close()
    }
  })

  test('the same upload again changes nothing', async () => {
    const before = await running.request('GET', '/manage/entities')
    const again = await running.request('POST', '/manage/entities', { body: definitions })
    const byName = (list: unknown) =>
      (list as { name: string }[]).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect({ status: again.status, body: byName(again.body) }).toEqual({ status: 201, body: before.body })
    const plan = await running.request('POST', '/manage/entities?dry_run=true', { body: definitions })
    expect(plan.body).toMatchObject({
      entities: [
        { name: 'Tenant', steps: [{ kind: 'none', sql: [] }] },
        { name: 'Port', steps: [{ kind: 'none', sql: [] }] },
      ],
    })
  })

  test('an added field is a column, a GraphQL field and a value at once', async () => {
    await running.request('POST', '/apis/tenants', { body: { id: 'before' } })
    const tenant = structuredClone(definitions[0]) as { attributes: { local_fields: object[] } }
    const level = { field_name: 'level', field_type: 'integer', field_nullable: false, field_default: '3' }
    tenant.attributes.local_fields.push(level)
    expect((await running.request('POST', '/manage/entities', { body: tenant })).status).toBe(201)
    await running.request('POST', '/apis/tenants', { body: { id: 'after', level: 5 } })
    expect(await running.graphql('{ Tenant(asc: "id") { edges { node { id level } } } }')).toEqual({
      data: {
        Tenant: { edges: [{ node: { id: 'after', level: 5 } }, { node: { id: 'before', level: 3 } }] },
      },
    })
  })

  test('an upload of which one definition is wrong leaves nothing', async () => {
    const before = await running.request('GET', '/manage/entities')
    const good = {
      name: 'Good',
      attributes: {
        identifier: { field_name: 'id', field_type: 'string' },
        local_fields: [],
        ref_fields: [],
      },
    }
    const bad = {
      name: 'Bad',
      attributes: {
        identifier: { field_name: 'id', field_type: 'string' },
        local_fields: [{ field_name: 'size', field_type: 'intger' }],
        ref_fields: [
          { field_name: 'ownerId', field_type: 'string', ref_class: 'Nobody', ref_class_field: 'id' },
        ],
      },
    }
    const { status, body } = await running.request('POST', '/manage/entities', { body: [good, bad] })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'ENTITY_DEFINITION_INVALID',
      errors: [
        { pointer: '/1/attributes/local_fields/0/field_type' },
        { pointer: '/1/attributes/ref_fields/0/ref_class' },
      ],
    })
    expect((await running.request('GET', '/manage/entities')).body).toEqual(before.body)
    expect((await running.request('GET', '/apis/goods')).status).toBe(404)
    expect(await running.graphql('{ Good { totalCount } }')).toMatchObject({
      errors: [{ message: expect.stringContaining('Good') }],
    })
  })

  test('a name cannot become SQL', async () => {
    for (const name of [
      'x"; drop table "Port',
      "x'--",
      'x`y',
      '__proto__',
      'Query',
      'a b',
      'ü',
      '',
      'x'.repeat(200),
    ]) {
      const definition = {
        name,
        attributes: {
          identifier: { field_name: 'id', field_type: 'string' },
          local_fields: [],
          ref_fields: [],
        },
      }
      expect((await running.request('POST', '/manage/entities', { body: definition })).status).toBe(422)
    }
    expect((await running.request('GET', '/apis/ports')).status).toBe(200)
  })

  test('an entity goes only when nothing refers to it and, without leave, nothing is in it', async () => {
    expect((await running.request('DELETE', '/manage/entities/Tenant')).body).toMatchObject({
      code: 'IN_USE',
    })
    await running.request('POST', '/apis/ports', { body: { id: 'last', name: 'x', portType: 'y' } })
    expect((await running.request('DELETE', '/manage/entities/Port')).body).toMatchObject({ status: 409 })
    expect((await running.request('DELETE', '/manage/entities/Port?allow_destructive=true')).status).toBe(204)
    expect((await running.request('GET', '/apis/ports')).status).toBe(404)
    expect((await running.request('DELETE', '/manage/entities/Tenant?allow_destructive=true')).status).toBe(
      204,
    )
    expect((await running.request('GET', '/manage/entities')).body).toEqual([])
  })
})
