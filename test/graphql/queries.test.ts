import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { readers } from '../support/products.ts'
import {
  openSampleDatabase,
  portTable,
  runGraphql,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'

describe.each(readers)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot
  const run = (query: string, variables: Record<string, unknown> = {}) =>
    runGraphql(sample, snapshot, query, variables)

  /** The ids of the ports that a filter finds, in their usual order. */
  async function ids(
    portArguments: string,
    variables: Record<string, unknown> = {},
    definitions = '',
  ): Promise<unknown> {
    const answer = (await run(
      `query ${definitions} { Port(${portArguments}) { edges { node { id } } } }`,
      variables,
    )) as {
      data: { Port: { edges: { node: { id: string } }[] } | null }
      errors?: { message: string }[]
    }
    return answer.data.Port?.edges.map(({ node }) => node.id) ?? answer.errors?.map(({ message }) => message)
  }

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([tenantTable, portTable])
    await sample.insert('Tenant', [
      ['i1', 't1', '2020-01-01 00:00:00'],
      ['i2', 't2', '2020-01-02 03:04:05.123456'],
      ['i3', 't3', null],
    ])
    await sample.insert('Port', [
      ['p1', 'a', 'alpha', 1, 'Completed', '1.5', 't1'],
      ['p2', 'b', 'Alpha', 0, null, '-2', 't1'],
      ['p3', 'c', '100%_x', 1, 'Processing', '10', 't2'],
      ['p4', 'd', '日本', 0, 'Cancelled', null, null],
      ['p5', 'e', "O'Brien \\", 1, 'Completed', '9.75', 't2'],
    ])
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  describe('equality arguments', () => {
    test.each([
      ['id: "a"', ['a']],
      ['id: ["a", "c", "zz"]', ['a', 'c']],
      ['operationStatus: null', ['b']],
      ['operationStatus: [null, "Cancelled"]', ['b', 'd']],
      ['id: []', []],
      ['operationStatus: [null]', ['b']],
      ['isActivated: 1', ['a', 'c', 'e']],
      ['isActivated: true', ['a', 'c', 'e']],
      ['isActivated: "1", operationStatus: "Completed"', ['a', 'e']],
      ['rate: 10', ['c']],
      ['rate: "1.50"', ['a']],
      ['name: "alpha"', ['a']],
      ['name: "\' OR 1=1 --"', []],
      [`GlobalId: "${btoa('Port_:p3')}"`, ['c']],
      [`GlobalId: ["${btoa('Port_:p3')}", "${btoa('Port_:p1')}", "${btoa('Tenant_:i1')}"]`, ['a', 'c']],
    ])('%s', async (portArguments, expected) => {
      expect(await ids(portArguments)).toEqual(expected)
    })
  })

  describe('filters', () => {
    test.each([
      ['[]', ['a', 'b', 'c', 'd', 'e']],
      ['[{key: "name", op: "==", val: "alpha"}]', ['a']],
      ['{key: "name", op: "==", val: "alpha"}', ['a']],
      ['[{key: "name", op: "!=", val: "alpha"}]', ['b', 'c', 'd', 'e']],
      ['[{key: "operationStatus", op: "!=", val: "Completed"}]', ['c', 'd']],
      ['[{key: "operationStatus", op: "==", val: null}]', ['b']],
      ['[{key: "operationStatus", op: "!=", val: null}]', ['a', 'c', 'd', 'e']],
      ['[{key: "operationStatus", op: ">", val: null}]', []],
      ['[{key: "rate", op: "<", val: 9.75}]', ['a', 'b']],
      ['[{key: "rate", op: "<=", val: "9.75"}]', ['a', 'b', 'e']],
      ['[{key: "rate", op: ">", val: 1.5}]', ['c', 'e']],
      ['[{key: "rate", op: ">=", val: 1.5}]', ['a', 'c', 'e']],
      ['[{key: "name", op: "starts", val: "A"}]', ['b']],
      ['[{key: "name", op: "starts", val: "100%"}]', ['c']],
      ['[{key: "name", op: "starts", val: "100_"}]', []],
      ['[{key: "name", op: "starts", val: ""}]', ['a', 'b', 'c', 'd', 'e']],
      ['[{key: "name", op: "starts", val: "日"}]', ['d']],
      ['[{key: "name", op: "ends", val: "pha"}]', ['a', 'b']],
      ['[{key: "name", op: "ends", val: "_x"}]', ['c']],
      ['[{key: "name", op: "ends", val: "\\\\"}]', ['e']],
      ['[{key: "name", op: "ends", val: ""}]', ['a', 'b', 'c', 'd', 'e']],
      ['[{key: "name", op: "contains", val: "%"}]', ['c']],
      ['[{key: "name", op: "contains", val: "\'"}]', ['e']],
      ['[{key: "name", op: "contains", val: "本"}]', ['d']],
      ['[{key: "name", op: "contains", val: ""}]', ['a', 'b', 'c', 'd', 'e']],
      ['[{key: "name", op: "iequals", val: "ALPHA"}]', ['a', 'b']],
      ['[{key: "name", op: "istarts", val: "aL"}]', ['a', 'b']],
      ['[{key: "name", op: "iends", val: "PHA"}]', ['a', 'b']],
      ['[{key: "name", op: "icontains", val: "lPh"}]', ['a', 'b']],
      ['[{key: "name", op: "icontains", val: "%"}]', ['c']],
      ['[{key: "operationStatus", op: "iequals", val: null}]', []],
      ['[{key: "rate", op: "between", val: ["1.5", 9.75]}]', ['a', 'e']],
      ['[{key: "rate", op: "between", val: [9.75, 1.5]}]', []],
      ['[{key: "operationStatus", op: "isnull", val: true}]', ['b']],
      ['[{key: "operationStatus", op: "isnull", val: false}]', ['a', 'c', 'd', 'e']],
      ['[{key: "id", op: "in", val: ["a", "e"]}]', ['a', 'e']],
      ['[{key: "id", op: "not in", val: ["a", "e"]}]', ['b', 'c', 'd']],
      ['[{key: "operationStatus", op: "not in", val: ["Completed"]}]', ['c', 'd']],
      // A null in a list equals nothing, and nothing is known to be unlike it.
      ['[{key: "operationStatus", op: "in", val: [null]}]', []],
      ['[{key: "operationStatus", op: "in", val: [null, "Completed"]}]', ['a', 'e']],
      ['[{key: "operationStatus", op: "not in", val: [null]}]', []],
      ['[{key: "operationStatus", op: "not in", val: [null, "Completed"]}]', []],
      [
        '[[{key: "operationStatus", op: "in", val: ["Cancelled", null]}, {key: "operationStatus", op: "==", val: null}]]',
        ['b', 'd'],
      ],
      ['[{key: "id", op: "in", val: []}]', []],
      ['[{key: "id", op: "not in", val: []}]', ['a', 'b', 'c', 'd', 'e']],
      ['[{key: "isActivated", op: "==", val: 1}, {key: "tenantId", op: "==", val: "t2"}]', ['c', 'e']],
      ['[[{key: "id", op: "==", val: "a"}, {key: "id", op: "==", val: "d"}]]', ['a', 'd']],
      // AND of nothing is true, OR of nothing is false.
      ['[[]]', []],
      ['[[[]]]', ['a', 'b', 'c', 'd', 'e']],
      ['[[[], {key: "id", op: "==", val: "a"}]]', ['a', 'b', 'c', 'd', 'e']],
      ['[[[[]], {key: "id", op: "==", val: "a"}]]', ['a']],
      [
        '[{key: "isActivated", op: "==", val: 1}, [{key: "id", op: "==", val: "a"}, {key: "id", op: "==", val: "d"}]]',
        ['a'],
      ],
      [
        '[[{key: "id", op: "==", val: "d"}, [{key: "isActivated", op: "==", val: 1}, {key: "tenantId", op: "==", val: "t1"}]]]',
        ['a', 'd'],
      ],
    ])('%s', async (filters, expected) => {
      expect(await ids(`filters: ${filters}`)).toEqual(expected)
      expect(
        await ids('filters: $filters', { filters: fromDocument(filters) }, '($filters: GenericScalar)'),
      ).toEqual(expected)
    })

    /** The same value as JSON. */
    function fromDocument(text: string): unknown {
      return JSON.parse(text.replace(/(key|op|val):/g, '"$1":'))
    }

    test('hold variables in any place', async () => {
      const definitions = '($key: String, $op: String, $value: GenericScalar, $one: String)'
      const filters =
        'filters: [{key: $key, op: $op, val: $value}, {key: "id", op: "in", val: [$one, "d", "e"]}]'
      const variables = { key: 'isActivated', op: '==', value: 1, one: 'a' }
      expect(await ids(filters, variables, definitions)).toEqual(['a', 'e'])
      expect(
        await ids(filters, { ...variables, key: 'tenantId', op: 'in', value: ['t1', 't2'] }, definitions),
      ).toEqual(['a', 'e'])
      expect(await ids(filters, { ...variables, op: 'starts' }, definitions)).toEqual([
        'filters[0].val: "starts" works on texts, and "isActivated" is not one.',
      ])
    })
  })

  describe('a mistake in an argument is reported with its place, and the other fields are answered', () => {
    test.each([
      [
        'filters: [{key: "nam", op: "==", val: 1}]',
        'filters[0] names the unknown field "nam"; did you mean "name".',
      ],
      [
        'filters: [{key: "rate", op: "between", val: 1}]',
        'filters[0].val takes a list of two values, because the operator is "between".',
      ],
      [
        'filters: [{key: "rate", op: "between", val: [1, null]}]',
        'filters[0].val takes a list of two values, because the operator is "between".',
      ],
      [
        'filters: [{key: "rate", op: "isnull", val: "no"}]',
        'filters[0].val takes true or false, because the operator is "isnull".',
      ],
      [
        'filters: [{key: "rate", op: "icontains", val: "1"}]',
        'filters[0].val: "icontains" works on texts, and "rate" is not one.',
      ],
      ['filters: [{key: "__proto__", op: "==", val: 1}]', 'filters[0] names the unknown field "__proto__".'],
      ['filters: [{key: 1, op: "==", val: 1}]', 'filters[0].key takes the name of a field.'],
      [
        'filters: [{key: "name", op: "LIKE", val: "x"}]',
        'filters[0].op takes one of ==, !=, <=, >=, >, <, starts, ends, contains, iequals, istarts, iends, icontains, in, not in, between, isnull, some, every, none, not "LIKE".',
      ],
      ['filters: [{key: "name", op: "=="}]', 'filters[0].val is missing.'],
      [
        'filters: [{key: "name", op: "==", value: 1}]',
        'filters[0] has the unknown key "value"; a filter takes key, op and val.',
      ],
      [
        'filters: [{key: "name", op: "in", val: "x"}]',
        'filters[0].val takes a list, because the operator is "in".',
      ],
      [
        'filters: [{key: "name", op: "==", val: ["x"]}]',
        'filters[0].val takes a single value, because the operator is "==".',
      ],
      [
        `filters: [${'{key: "id", op: "==", val: 1} '.repeat(501)}]`,
        'filters has more than 500 conditions, which is the limit; for one of many values use the operator "in".',
      ],
      [
        `filters: [${'[] '.repeat(2000)}]`,
        'filters has more than 500 conditions, which is the limit; for one of many values use the operator "in".',
      ],
      [
        `filters: [{key: "${'x'.repeat(1000)}", op: "==", val: 1}]`,
        `filters[0] names the unknown field "${'x'.repeat(200)}…".`,
      ],
      [`GlobalId: [${'"UG9ydF86MQ==" '.repeat(501)}]`, 'GlobalId takes at most 500 values.'],
      ['filters: "name"', 'filters takes a list of filters such as [{key: "name", op: "==", val: "x"}].'],
      [
        'filters: [{key: "isActivated", op: "==", val: "yes"}]',
        'filters[0].val: "isActivated" takes a whole number, not "yes".',
      ],
      ['name: {a: 1}', 'name takes a single value, because the operator is "==".'],
      ['name: 1.5', 'name: "name" takes a text, not 1.5.'],
      ['name: "\\u0000"', 'name: "name" takes a text, not "\\u0000".'],
      ['isActivated: 1.5', 'isActivated: "isActivated" takes a whole number, not 1.5.'],
      ['asc: ["id; drop table Port"]', 'asc[0] names the unknown field "id; drop table Port".'],
      ['desc: ["GlobalId"]', 'desc[0] names the unknown field "GlobalId".'],
      ['first: -1', 'first takes a whole number from 0 up, not -1.'],
      ['offset: -1', 'offset takes a whole number from 0 up, not -1.'],
      ['limit: -5', 'limit takes a whole number from 0 up, not -5.'],
      ['after: "nonsense!"', 'after takes a cursor as this API gave it.'],
      [
        `after: "${Buffer.from('["x","p1"]').toString('base64url')}"`,
        'after holds a cursor of another list: use it with the same entity, asc and desc as the query that gave it.',
      ],
      ['GlobalId: "nonsense"', 'GlobalId takes a GlobalId as this API gave it.'],
    ])('%s', async (portArguments, message) => {
      expect(
        await run(`{ Port(${portArguments}) { totalCount edges { node { id } } } Tenant { totalCount } }`),
      ).toEqual({
        data: { Port: null, Tenant: { totalCount: 3 } },
        errors: [
          {
            message,
            locations: [{ line: 1, column: 3 }],
            path: ['Port'],
            extensions: { code: 'PARAMETER_INVALID' },
          },
        ],
      })
    })
  })

  describe('references and collections', () => {
    test('a reference is the row it points to, or null', async () => {
      expect(await run('{ Port(id: ["a", "d"]) { edges { node { id tenant { id createdAt } } } } }')).toEqual(
        {
          data: {
            Port: {
              edges: [
                { node: { id: 'a', tenant: { id: 't1', createdAt: '2020-01-01T00:00:00' } } },
                { node: { id: 'd', tenant: null } },
              ],
            },
          },
        },
      )
    })

    test('a collection holds only the rows that refer to its parent, and takes every list argument', async () => {
      const query = `{ Tenant { edges { node { id
      all: portCollection { totalCount edges { node { id } } }
      active: portCollection(isActivated: 1, desc: "name", first: 1) { pageInfo { hasNextPage } edges { node { name } } }
      last: portCollection(last: 1) { pageInfo { hasPreviousPage } edges { node { id } } }
      cut: portCollection(offset: 1, limit: 1) { edges { node { id } } }
      count: portCollection(filters: [{key: "name", op: "starts", val: "1"}]) { totalCount }
    } } } }`
      expect(await run(query)).toEqual({
        data: {
          Tenant: {
            edges: [
              {
                node: {
                  id: 't1',
                  all: { totalCount: 2, edges: [{ node: { id: 'a' } }, { node: { id: 'b' } }] },
                  active: { pageInfo: { hasNextPage: false }, edges: [{ node: { name: 'alpha' } }] },
                  last: { pageInfo: { hasPreviousPage: true }, edges: [{ node: { id: 'b' } }] },
                  cut: { edges: [{ node: { id: 'b' } }] },
                  count: { totalCount: 0 },
                },
              },
              {
                node: {
                  id: 't2',
                  all: { totalCount: 2, edges: [{ node: { id: 'c' } }, { node: { id: 'e' } }] },
                  active: { pageInfo: { hasNextPage: true }, edges: [{ node: { name: "O'Brien \\" } }] },
                  last: { pageInfo: { hasPreviousPage: true }, edges: [{ node: { id: 'e' } }] },
                  cut: { edges: [{ node: { id: 'e' } }] },
                  count: { totalCount: 1 },
                },
              },
              {
                node: {
                  id: 't3',
                  all: { totalCount: 0, edges: [] },
                  active: { pageInfo: { hasNextPage: false }, edges: [] },
                  last: { pageInfo: { hasPreviousPage: false }, edges: [] },
                  cut: { edges: [] },
                  count: { totalCount: 0 },
                },
              },
            ],
          },
        },
      })
    })
  })

  describe('node', () => {
    const portId = btoa('Port_:p2')
    const tenantId = btoa('Tenant_:i1')

    test('finds any row, whatever its type', async () => {
      const query = `query ($port: ID!, $tenant: ID!) {
      node(GlobalId: $port) { __typename id ... on Port_ { name tenant { id } } ... on Tenant_ { createdAt } }
      customNode(GlobalId: $tenant) { GlobalId ... on Tenant_ { createdAt portCollection(first: 1) { edges { node { id } } } } }
    }`
      expect(await run(query, { port: portId, tenant: tenantId })).toEqual({
        data: {
          node: { __typename: 'Port_', id: portId, name: 'Alpha', tenant: { id: 't1' } },
          customNode: {
            GlobalId: tenantId,
            createdAt: '2020-01-01T00:00:00',
            portCollection: { edges: [{ node: { id: 'a' } }] },
          },
        },
      })
    })

    test.each([btoa('Port_:none'), btoa('Nothing_:p1'), 'nonsense', '', '../../', btoa("Port_:' or 1=1")])(
      'is null for %s',
      async (id) => {
        expect(await run('query ($id: ID!) { node(GlobalId: $id) { id } }', { id })).toEqual({
          data: { node: null },
        })
      },
    )
  })

  describe('the language', () => {
    test('aliases, fragments, directives, variables and __typename', async () => {
      const query = `query Ports($withName: Boolean!, $ids: GenericScalar = ["a"], $first: Int = 1) {
      __typename
      one: Port(id: $ids, first: $first) { __typename edges { __typename node { ...Shown ... @include(if: $withName) { name } } } }
      none: Port(id: "zz") { pageInfo { __typename startCursor endCursor hasNextPage hasPreviousPage } edges { node { id } } }
    }
    fragment Shown on Port_ { key: id ... on CustomNode { GlobalId } isActivated @skip(if: $withName) }`
      const one = (node: object) => ({
        __typename: 'Port_Connection',
        edges: [{ __typename: 'Port_Edge', node }],
      })
      const none = {
        pageInfo: {
          __typename: 'PageInfo',
          startCursor: null,
          endCursor: null,
          hasNextPage: false,
          hasPreviousPage: false,
        },
        edges: [],
      }
      expect(await run(query, { withName: true })).toEqual({
        data: {
          __typename: 'Query',
          one: one({ key: 'a', GlobalId: btoa('Port_:p1'), name: 'alpha' }),
          none,
        },
      })
      expect(await run(query, { withName: false, ids: ['c', 'd'], first: 5 })).toEqual({
        data: {
          __typename: 'Query',
          one: {
            __typename: 'Port_Connection',
            edges: [
              { __typename: 'Port_Edge', node: { key: 'c', GlobalId: btoa('Port_:p3'), isActivated: 1 } },
              { __typename: 'Port_Edge', node: { key: 'd', GlobalId: btoa('Port_:p4'), isActivated: 0 } },
            ],
          },
          none,
        },
      })
    })

    test('selections of one field are merged', async () => {
      const query =
        '{ Port(id: "a") { edges { node { tenant { id } } } edges { node { tenant { createdAt } name } } } }'
      expect(await run(query)).toEqual({
        data: {
          Port: {
            edges: [{ node: { tenant: { id: 't1', createdAt: '2020-01-01T00:00:00' }, name: 'alpha' } }],
          },
        },
      })
    })

    test('introspection is answered beside data', async () => {
      expect(
        await run('{ __type(name: "Tenant_") { kind interfaces { name } } Tenant(id: "t1") { totalCount } }'),
      ).toEqual({
        data: { __type: { kind: 'OBJECT', interfaces: [{ name: 'CustomNode' }] }, Tenant: { totalCount: 1 } },
      })
    })

    test.each([
      ['{ Foo }', 'Cannot query field "Foo" on type "Query".', 'GRAPHQL_VALIDATION_FAILED'],
      [
        '{ Port { edges { node { nam } } } }',
        'Cannot query field "nam" on type "Port_". Did you mean "name"?',
        'GRAPHQL_VALIDATION_FAILED',
      ],
      [
        '{ Port(first: "1") { totalCount } }',
        'Int cannot represent non-integer value: "1"',
        'GRAPHQL_VALIDATION_FAILED',
      ],
      ['mutation { x }', 'The schema has no mutations, only queries.', 'OPERATION_RESOLUTION_FAILURE'],
      ['{ Port ', 'Syntax Error: Expected Name, found <EOF>.', 'GRAPHQL_PARSE_FAILED'],
      ['fragment A on Port_ { id }', 'Fragment "A" is never used.', 'GRAPHQL_VALIDATION_FAILED'],
      [
        'query A { __typename } query B { __typename }',
        'The document holds several operations: "operationName" must say which one to run.',
        'OPERATION_RESOLUTION_FAILURE',
      ],
      [
        'query ($n: Int!) { Port(first: $n) { totalCount } }',
        'Variable "$n" of required type "Int!" was not provided.',
        'BAD_USER_INPUT',
      ],
      [
        `{ ${'__typename '.repeat(20_000)} }`,
        'Syntax Error: Document contains more that 20000 tokens. Parsing aborted.',
        'GRAPHQL_PARSE_FAILED',
      ],
      ['{a'.repeat(9999), 'Syntax Error: The document is nested too deeply.', 'GRAPHQL_PARSE_FAILED'],
    ])('%.60s cannot begin', async (query, message, code) => {
      const answer = (await run(query)) as { errors: { message: string; extensions: { code: string } }[] }
      expect(answer).toEqual({ errors: expect.any(Array) })
      expect(answer.errors.map((error) => [error.message, error.extensions.code])).toContainEqual([
        message,
        code,
      ])
    })
  })

  test('the number of statements does not depend on the number of rows', async () => {
    const query = `{ Tenant { edges { node { id portCollection(first: 2) { totalCount edges { node { id tenant { id } } } } } } } }`
    sample.statements()
    await run(query)
    const forThree = sample.statements()
    expect(forThree).toHaveLength(4)

    const many = Array.from({ length: 297 }, (_, index) => index)
    await sample.insert(
      'Tenant',
      many.map((index) => [`j${index}`, `u${index}`, null]),
    )
    await sample.insert(
      'Port',
      many.map((index) => [`q${index}`, `x${index}`, 'x', 0, null, null, `u${index}`]),
    )
    sample.statements()
    const answer = (await run(query)) as { data: { Tenant: { edges: unknown[] } } }
    expect(answer.data.Tenant.edges).toHaveLength(300)
    expect(sample.statements()).toHaveLength(forThree.length)
  })
})
