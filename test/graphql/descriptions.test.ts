/** Everything in the schema that clients see is described. */
import { readFile } from 'node:fs/promises'
import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { makeForeignTables } from '../support/foreign-tables.ts'
import { anyProduct } from '../support/products.ts'
import {
  openSampleDatabase,
  portTable,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'
import { startTestGateway } from '../support/test-gateway.ts'

const example = new URL('../../examples/tenants-and-ports.json', import.meta.url)

interface Described {
  readonly name: string
  readonly description?: string | null | undefined
}

/** Each thing in a schema with its place: `Port_.name`, `Query.Port(first)`. */
function everythingIn(schema: GraphQLSchema): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const note = (place: string, { description }: Described) => found.set(place, description ?? '')
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue
    note(type.name, type)
    for (const member of membersOf(type)) {
      note(`${type.name}.${member.name}`, member)
      for (const argument of member.args ?? [])
        note(`${type.name}.${member.name}(${argument.name})`, argument)
    }
  }
  return found
}

function membersOf(
  type: GraphQLNamedType,
): readonly (Described & { readonly args?: readonly Described[] })[] {
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    return Object.values(type.getFields())
  // The values of a field's own enum are told by its definition.
  return isEnumType(type) && !type.name.endsWith('_Enum') ? type.getValues() : []
}

function undescribedIn(schema: GraphQLSchema): readonly string[] {
  const everything = everythingIn(schema)
  expect(everything.size).toBeGreaterThan(200)
  return [...everything].flatMap(([place, description]) => (description === '' ? [place] : []))
}

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([tenantTable, portTable])
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  test('each type, field, argument and value of the schema has a description', () => {
    expect(undescribedIn(snapshot.graphqlSchema)).toEqual([])
  })

  test('so it is for published entities, with what changes them', async () => {
    const gateway = await startTestGateway(product)
    const definitions: unknown = JSON.parse(await readFile(example, 'utf8'))
    await gateway.request('POST', '/manage/entities', { body: definitions })
    const { body } = await gateway.request('GET', '/graphql')
    const schema = buildSchema((body as { schema: string }).schema)
    expect(schema.getMutationType()?.getFields()).toHaveProperty('create_Port')
    expect(undescribedIn(schema)).toEqual([])
    await gateway.close()
  })

  test('with the profile “seed” only comments of the database are told, and names that differ', async () => {
    const gateway = await startTestGateway(product, makeForeignTables, {
      graphql: { limits: defaultOperationLimits, naming: 'verbatim', profile: 'seed' },
    })
    const { body } = await gateway.request('GET', '/graphql')
    const printed = everythingIn(buildSchema((body as { schema: string }).schema))
    const differing = ['albums_.unit_price', 'Column "unit price".'] as const
    for (const name of ['GenericScalar', 'DateTime', 'BigInt', 'Query.node', 'albums_.cover'])
      expect(printed.keys()).toContain(name)
    expect([...printed].filter(([, description]) => description !== '')).toEqual([differing])

    const query =
      '{ __schema { types { name description fields { name description args { name description } } } } }'
    const { data } = (await gateway.graphql(query)) as { data: { __schema: { types: Described[] } } }
    const isOfGraphql = ({ name }: Described) => /^(__.*|String|Int|Float|Boolean|ID)$/.test(name)
    const told = data.__schema.types.filter((type) => !isOfGraphql(type)).flatMap(descriptionsIn)
    expect(told).toEqual([differing[1]])
    // Documents of the replaced system declare such variables, whichever types the columns have.
    expect(
      await gateway.graphql(
        'query ($id: Int) { artist(artist_id: $id, first: $id) { edges { node { name } } } }',
        {
          id: 1,
        },
      ),
    ).toMatchObject({ data: { artist: { edges: [{ node: { name: 'AC/DC' } }] } } })
    await gateway.close()
  })
})

/** All descriptions in an answer to a question about the schema. */
function descriptionsIn(answer: unknown): readonly unknown[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).flatMap(([key, value]) =>
    key === 'description' && value !== null ? [value] : descriptionsIn(value),
  )
}
