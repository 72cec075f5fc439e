/** Introspection is answered by a writer of our own, in time slices: byte by byte what graphql-js would answer. */
import {
  buildSchema,
  execute,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionOptions,
  introspectionTypes,
  isObjectType,
  parse,
  printSchema,
  validate,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executeGraphql } from '../../src/graphql/execute-graphql.ts'
import { defaultResponseLimits } from '../../src/graphql/execution/response-limits.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import type { SchemaView } from '../../src/graphql/schema-view.ts'
import { snapshotOf } from '../../src/graphql/snapshot.ts'
import { fc, seed } from '../support/fast-check.ts'
import { anyProduct, products } from '../support/products.ts'
import {
  answerText,
  openSampleDatabase,
  portTable,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'

/** What tables never make, and introspection tells of all the same. */
const oddSchema = buildSchema(`
  "Marks \\"things\\"\\n and more."
  directive @mark(old: Int = 1 @deprecated, new: [In!] = [{ a: "ü\\u0001" }]) repeatable on FIELD | QUERY
  directive @plain on OBJECT
  scalar Day @specifiedBy(url: "https://example.com/day")
  enum Size { small large @deprecated(reason: "grown") middle }
  input In { a: String = "é" b: Int! c: Size = small d: [Int] @deprecated(reason: "") }
  input One @oneOf { a: Int b: String }
  interface Node { id: ID! }
  interface Named implements Node { id: ID! name: String }
  type Thing implements Node & Named {
    id: ID! name: String size(in: In, old: Int @deprecated): Size gone: [[Day!]!]! @deprecated
  }
  type Other { id: ID }
  union Any = Thing | Other
  type Query { thing: Thing any: Any one(a: One): Int }
`)

const everything: IntrospectionOptions = {
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
}

const documents: Readonly<Record<string, readonly [query: string, variables?: Record<string, unknown>]>> = {
  "GraphiQL's": [getIntrospectionQuery({ ...everything, descriptions: true })],
  "Relay's": [getIntrospectionQuery({ descriptions: false })],
  "the code generator's": [getIntrospectionQuery({ schemaDescription: true, specifiedByUrl: true })],
  'some types': [
    '{a: __type(name: "Port_") {...F} b: __type(name: "Nothing") {...F} __type(name: "Query") {...F}} fragment F on __Type {__typename n: name ... on __Type {fields {__typename name}} ofType {name}}',
  ],
  conditions: [
    'query ($on: Boolean!, $off: Boolean = false, $name: String!) {__schema @include(if: $on) {__typename queryType @skip(if: $off) {name} types @include(if: $off) {name}} none: __schema @skip(if: $on) {types {name}} __type(name: $name) {name fields(includeDeprecated: $on) {name args(includeDeprecated: $off) {name}} enumValues(includeDeprecated: $on) {name}}}',
    { on: true, name: 'Thing' },
  ],
  'fields selected twice': [
    '{__schema {types {name}} ... on Query {__schema {types {kind fields {name}} queryType {name}}} ...Q} fragment Q on Query {__schema {types {fields {type {ofType {name}}}} queryType {kind}} __typename}',
  ],
  'absent and null arguments': [
    'query ($absent: Boolean, $null: Boolean) {__schema {types {a: fields(includeDeprecated: $absent) {name} b: fields(includeDeprecated: $null) {name} c: fields(includeDeprecated: null) {name}}}}',
    { null: null },
  ],
}

interface Tree {
  readonly pick: number
  readonly chance: number
  readonly below: readonly Tree[]
}

const treesOf = (depth: number): fc.Arbitrary<readonly Tree[]> =>
  depth === 0 ? fc.constant([]) : fc.array(treeOf(depth), { minLength: 1, maxLength: 4 })
const treeOf = (depth: number): fc.Arbitrary<Tree> =>
  fc.record({ pick: fc.nat(1000), chance: fc.nat(11), below: treesOf(depth - 1) })

const typeNamed = new Map(introspectionTypes.map((type) => [type.name, type]))

/** Any selection on a type of introspection, as a text: with aliases, conditions, fragments and arguments. */
function selectionOf(typeName: string, trees: readonly Tree[], depth = 0): string {
  const type = typeNamed.get(typeName)
  const fields = isObjectType(type) ? Object.values(type.getFields()) : []
  const texts = trees.map(({ pick, chance, below }, index) => {
    if (chance === 0) return '__typename'
    if (chance === 1) return `... on ${typeName} ${selectionOf(typeName, below, depth + 1)}`
    const field = fields[pick % fields.length]
    if (field === undefined) return '__typename'
    const inner = getNamedType(field.type)
    if (isObjectType(inner) && below.length === 0) return '__typename'
    const alias = chance === 2 ? `a${depth}${index}: ` : ''
    const given =
      field.args.length > 0 && chance % 2 === 0
        ? `(includeDeprecated: ${['true', 'false', '$on', '$off'][chance % 4]})`
        : ''
    const condition = ['', '', '', ' @skip(if: $off)', ' @include(if: $on)', ' @include(if: $off)'][
      chance % 6
    ]
    const selection = isObjectType(inner) ? ` ${selectionOf(inner.name, below, depth + 1)}` : ''
    return `${alias}${field.name}${given}${condition}${selection}`
  })
  return `{${texts.length === 0 ? '__typename' : texts.join(' ')}}`
}

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let sample: SampleDatabase
  const views = new Map<string, SchemaView>()

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([tenantTable, portTable])
    const whole = await sample.snapshot()
    views.set('all entities', whole)
    views.set('some entities', await whole.only(['Port']))
    views.set('another schema', { ...whole, graphqlSchema: oddSchema })
  })
  afterAll(() => sample.close())

  const viewOf = (name: string): SchemaView => {
    const view = views.get(name)
    if (view === undefined) throw new Error(`There is no view of ${name}.`)
    return view
  }
  const answerOf = async (view: SchemaView, query: string, variables: Record<string, unknown> = {}) => {
    const failed = (error: unknown) => {
      throw error
    }
    return answerText(
      await executeGraphql({ query, variables }, view, sample.database, { onFailure: failed }),
    )
  }
  const expectedOf = (graphqlSchema: GraphQLSchema, query: string, variableValues = {}) =>
    JSON.stringify(execute({ schema: graphqlSchema, document: parse(query), variableValues }))

  describe.each(['all entities', 'some entities', 'another schema'])('%s', (name) => {
    test.each(Object.entries(documents))('%s introspection', async (_name, [query, variables]) => {
      const view = viewOf(name)
      expect(await answerOf(view, query, variables)).toBe(expectedOf(view.graphqlSchema, query, variables))
    })

    // It reads nothing of the database.
    if (product === products[0])
      test('any introspection', async () => {
        const view = viewOf(name)
        let compared = 0
        const property = fc.asyncProperty(treesOf(7), async (trees) => {
          const query = `query ($on: Boolean!, $off: Boolean!) {__schema ${selectionOf('__Schema', trees)} used: __typename @skip(if: $on) or: __typename @skip(if: $off)}`
          const variables = { on: true, off: false }
          if (validate(view.graphqlSchema, parse(query)).length > 0) return
          const answer = await answerOf(view, query, variables)
          if (answer.includes('GRAPHQL_LIMIT_EXCEEDED')) return
          compared += 1
          expect(answer).toBe(expectedOf(view.graphqlSchema, query, variables))
        })
        await fc.assert(property, { seed, numRuns: 300 })
        expect(compared).toBeGreaterThan(100)
      })
  })

  test.each(['all entities', 'some entities'])('the text of %s is what graphql-js prints', async (name) => {
    const { graphqlSchema, sdl } = viewOf(name)
    expect(await sdl).toBe(`schema {\n  query: Query\n}\n\n${printSchema(graphqlSchema)}\n`)
  })

  test('data and the schema in one answer', async () => {
    const view = viewOf('all entities')
    const answer = await answerOf(
      view,
      '{a: Port {totalCount} __schema {queryType {name}} Tenant {totalCount}}',
    )
    expect(answer).toBe(
      '{"data":{"a":{"totalCount":0},"__schema":{"queryType":{"name":"Query"}},"Tenant":{"totalCount":0}}}',
    )
  })

  test('an argument that must not be null fails its field alone', async () => {
    const query = 'query ($name: String = "Port_") {__type(name: $name) {name} __typename}'
    const view = viewOf('all entities')
    expect(JSON.parse(await answerOf(view, query, { name: null }))).toEqual({
      data: { __type: null, __typename: 'Query' },
      errors: [
        {
          message: '"name" must not be null.',
          locations: [{ line: 1, column: 34 }],
          path: ['__type'],
          extensions: { code: 'PARAMETER_INVALID' },
        },
      ],
    })
    expect(await answerOf(view, query)).toBe('{"data":{"__type":{"name":"Port_"},"__typename":"Query"}}')
  })

  test('an answer has no more bytes than answers may have', async () => {
    const { dialect, driver } = sample.database
    const limited = await snapshotOf(
      await driver.read((connection) => dialect.introspect(connection)),
      dialect,
      {
        limits: defaultOperationLimits,
        responseLimits: { ...defaultResponseLimits, bytes: 10_000 },
        naming: 'verbatim',
      },
    )
    const answer = await answerOf(limited, getIntrospectionQuery())
    expect(JSON.parse(answer)).toMatchObject({
      data: { __schema: null },
      errors: [{ path: ['__schema'], extensions: { code: 'ANSWER_TOO_LARGE', limit: 'bytes' } }],
    })
  })
})
