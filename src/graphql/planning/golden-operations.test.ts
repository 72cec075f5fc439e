/**
 * Each file of test/golden/operations shows the stages of one operation: document, plan, the statements of each
 * product, and the JSON of the rows that its case gives. `npm test -- golden-operations -u` rewrites the files.
 */
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { ownTables, type ProductName } from '../../../test/support/own-tables.ts'
import { recordedDatabase } from '../../../test/support/recorded-database.ts'
import { answerText, portTable, tenantTable } from '../../../test/support/sample-database.ts'
import { serverOf } from '../../database/dialects/mysql/server.ts'
import { mysqlSyntax } from '../../database/dialects/mysql/syntax.ts'
import { postgresqlSyntax } from '../../database/dialects/postgresql/syntax.ts'
import { sqliteSyntax } from '../../database/dialects/sqlite/syntax.ts'
import type { Row } from '../../database/sql-value.ts'
import type { Syntax } from '../../database/syntax.ts'
import type { AggregatePlan } from '../../query/aggregate-plan.ts'
import { encodeCursor } from '../../query/cursor.ts'
import type { Filter } from '../../query/filter.ts'
import { encodeGlobalId } from '../../query/global-id.ts'
import type { LevelPlan } from '../../query/levels/level-plan.ts'
import type { SelectPlan } from '../../query/select-plan.ts'
import { inSlices } from '../../util/time-slices.ts'
import { executeGraphql } from '../execute-graphql.ts'
import { snapshotOf } from '../snapshot.ts'

interface Case {
  readonly document: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** The rows that the statements return, one after the other. */
  readonly rows: readonly (readonly Row[])[]
}

const tenantId = encodeGlobalId('Tenant_', ['tenant-1'])

const cases: Readonly<Record<string, Case>> = {
  list: {
    document: '{ Port { edges { node { instance id name isActivated rate } } } }',
    rows: [
      [
        ['port-1', '1', 'uplink', 1, '10.5'],
        ['port-2', null, 'with " and \n', 0, null],
      ],
    ],
  },
  'first-page': {
    document:
      '{ Port(first: 1) { totalCount edges { cursor node { GlobalId id name } } pageInfo { hasNextPage hasPreviousPage endCursor } } }',
    rows: [
      [
        ['port-1', '1', 'uplink'],
        ['port-2', '2', 'leased line'],
      ],
      [[2]],
    ],
  },
  'next-page': {
    document:
      'query ($after: String) { Port(desc: "name", first: 2, after: $after) { edges { node { name } } pageInfo { hasNextPage hasPreviousPage } } }',
    variables: { after: encodeCursor('vNVjRR', ['uplink', 'port-1']) },
    rows: [[['leased line']], [[1]]],
  },
  'last-page': {
    document: '{ Port(last: 2) { edges { node { id name } } pageInfo { hasPreviousPage } } }',
    rows: [
      [
        ['2', 'leased line'],
        ['1', 'uplink'],
      ],
    ],
  },
  'part-of-a-list': {
    document: '{ Port(offset: 1, limit: 5, asc: ["rate"]) { edges { node { id rate } } } }',
    rows: [[['1', '10.5']]],
  },
  filters: {
    document:
      'query ($name: GenericScalar) { Port(filters: [{ key: "name", op: "starts", val: $name }, [{ key: "isActivated", op: "==", val: 1 }, { key: "rate", op: ">=", val: "10.50" }], { key: "id", op: "not in", val: ["7"] }]) { edges { node { id } } } }',
    variables: { name: 'up' },
    rows: [[['1']]],
  },
  'filters-on-related-rows': {
    document:
      'query ($name: GenericScalar) { Tenant(filters: [{ key: "portCollection", op: "some", val: [{ key: "name", op: "==", val: $name }] }, { key: "portCollection", op: "every", val: [{ key: "tenant.id", op: "!=", val: "9" }] }]) { edges { node { id } } } }',
    variables: { name: 'uplink' },
    rows: [[['t1']]],
  },
  'order-by-a-related-row': {
    document: '{ Port(desc: "tenant.createdAt", first: 1) { edges { cursor node { id } } } }',
    rows: [[['2', '2026-11-21 06:00:00', 'port-2']]],
  },
  'values-of-fields': {
    document: '{ Port(id: ["1", "2"], tenantId: null) { totalCount } }',
    rows: [[[2]]],
  },
  reference: {
    document: '{ Port { edges { node { id tenant { GlobalId id } } } } }',
    rows: [
      [
        ['1', 't1'],
        ['2', null],
      ],
      [[0, 'tenant-1', 't1']],
    ],
  },
  collection: {
    document: '{ Tenant { edges { node { id portCollection(first: 1) { edges { node { name } } } } } } }',
    rows: [[['t1']], [[0, 'uplink']]],
  },
  aggregates: {
    document:
      '{ Port(filters: [{ key: "isActivated", op: "==", val: 1 }], first: 1) { aggregates { count sum { rate } } more: aggregates { avg { rate } countDistinct { name } } edges { node { name } } } }',
    rows: [[['uplink']], [['2', '12.5', 6.25, '2']]],
  },
  'groups-of-collections': {
    document:
      'query ($least: Int) { Tenant { edges { node { id portCollection { groups(by: [{ field: operationStatus }], having: { count: { gte: $least }, max: { rate: { lt: "9" } } }) { keys { operationStatus } count } byState: groups(by: { field: isActivated }) { count(field: name) } } } } } }',
    variables: { least: 2 },
    rows: [
      [['t1'], ['t2']],
      [[0, 'Completed', '3', '8.5']],
      [
        [0, 0, '1'],
        [1, 1, '2'],
      ],
    ],
  },
  'groups-in-an-order': {
    document:
      'query ($most: Int) { Tenant(first: 1) { groups(by: [{ field: createdAt, every: YEAR }], orderBy: [{ count: DESC }, { min: { id: ASC } }], offset: 1, limit: $most) { count } edges { node { portCollection { groups(by: { field: operationStatus }, orderBy: [{ sum: { rate: DESC } }, { keys: { operationStatus: DESC } }], limit: 2) { keys { operationStatus } } } } } } }',
    variables: { most: 3 },
    rows: [
      [['t1']],
      [['2026-01-01 00:00:00', '4', '1']],
      [
        [0, 'Completed', '8.5'],
        [0, 'Cancelled', null],
      ],
    ],
  },
  node: {
    document:
      'query ($id: ID!) { node(GlobalId: $id) { id ... on Tenant_ { createdAt } } customNode(GlobalId: "nonsense") { GlobalId } }',
    variables: { id: tenantId },
    rows: [[['tenant-1', '2026-11-21 06:00:00']]],
  },
  'view-without-key': {
    document: '{ Report(first: 1, asc: "day") { edges { node { day ports } } pageInfo { hasNextPage } } }',
    rows: [
      [
        ['2026-11-21', 3],
        ['2026-11-22', 4],
      ],
    ],
  },
}

const reportView = {
  ...{ name: 'Report', primaryKey: [], uniqueKeys: [], foreignKeys: [], indexes: [] },
  columns: [
    { name: 'day', type: 'date', nullable: true },
    { name: 'ports', type: 'integer', nullable: true },
  ],
} as const

const syntaxes: Readonly<Record<ProductName, Syntax>> = {
  SQLite: sqliteSyntax,
  PostgreSQL: postgresqlSyntax,
  MariaDB: mysqlSyntax(serverOf('11.4.2-MariaDB')),
}

test.each(Object.entries(cases))('%s', async (name, { document, variables = {}, rows }) => {
  const parts = [`# ${name}`, block('graphql', document)]
  if (Object.keys(variables).length > 0) parts.push(block('json', JSON.stringify(variables)))
  const answers = new Set<string>()
  for (const [product, syntax] of Object.entries(syntaxes) as [ProductName, Syntax][]) {
    const { database, statements } = recordedDatabase(syntax, rows)
    const schema = ownTables(product, [tenantTable, portTable], [reportView])
    const snapshot = await snapshotOf(schema, database.dialect)
    const { roots } = await inSlices(snapshot.operations.prepare({ query: document, variables }))
    if (parts.length < 4) {
      const plans = roots.map(({ plan }) => ({
        [plan.key]: 'level' in plan ? shownLevel(plan.level) : plan.kind,
      }))
      parts.push('## Plan', block('yaml', stringify(plans).trim()))
    }
    const failures: unknown[] = []
    const answer = await executeGraphql({ query: document, variables }, snapshot, database, {
      onFailure: (error) => failures.push(error),
    })
    answers.add(await answerText(answer))
    expect(failures).toEqual([])
    expect(statements.length).toBe(rows.length)
    parts.push(`## ${product}`)
    for (const { sql, parameters } of statements) {
      parts.push(block('sql', [sql, ...parameters.map((value) => `-- ${JSON.stringify(value)}`)].join('\n')))
    }
  }
  expect(answers.size).toBe(1)
  parts.push('## Answer', block('json', JSON.stringify(JSON.parse([...answers].join()), null, 2)))
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot(`../../../test/golden/operations/${name}.md`)
})

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

/** A level with the names of its tables and columns. */
function shownLevel({ select, relations }: LevelPlan): object {
  const { table, columns, orderBy, numberedBy, keyColumns, filter, page, wanted, aggregates } = select
  const order = (terms: SelectPlan['orderBy']) =>
    terms.map(({ column, direction }) => `${column.name} ${direction}`).join(', ')
  return {
    table: table.id,
    columns: columns.map(({ name }) => name).join(', '),
    ...(keyColumns && { 'for keys of': keyColumns.map(({ name }) => name).join(', ') }),
    ...(hasConditions(filter) && { filter: withNames(filter) }),
    ...(orderBy.length > 0 && { order: order(orderBy) }),
    ...(numberedBy && { 'numbered by': order(numberedBy) }),
    ...(Object.keys(page).length > 0 && { page: withNames(page) }),
    wanted: Object.entries(wanted)
      .flatMap(([what, isWanted]) => (isWanted ? [what] : []))
      .join(', '),
    ...(aggregates && { aggregates: aggregates.map(shownAggregate) }),
    ...(relations.length > 0 && {
      relations: relations.map(({ cardinality, keyPositions, level }) => ({
        [cardinality]: { 'keys at': keyPositions.join(', '), ...shownLevel(level) },
      })),
    }),
  }
}

/** An aggregate with the names of its columns. */
function shownAggregate({ by, values, having, orderBy, part }: AggregatePlan): object {
  return {
    ...(by && {
      by: by.map(({ column, every }) => [column.name, every].filter(Boolean).join(' ')).join(', '),
    }),
    values: values.map(({ fn, column }) => [fn, column?.name].filter(Boolean).join(' ')).join(', '),
    ...(having && { having: withNames(having) }),
    ...(orderBy && {
      order: orderBy.map(({ of, index, direction }) => `${of} ${index} ${direction}`).join(', '),
    }),
    ...((part?.offset ?? part?.limit) && { part: withNames(part) }),
  }
}

/** Whether the filter has conditions: an `and` of nothing has none. */
function hasConditions(filter: SelectPlan['filter']): filter is Filter {
  return filter !== undefined && !('filters' in filter && filter.filters.length === 0)
}

/** Plain data in which each column and each table is replaced by its name. */
function withNames(value: object): unknown {
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => nameOf(part) ?? part))
}

function nameOf(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('name' in part)) return undefined
  return 'nativeType' in part || 'primaryKey' in part ? part.name : undefined
}
