/** The six queries, as the product is asked, with variables that differ from request to request. */
import { portKey, portsOfTenant, tenantCount } from './data.ts'

export const queryNames = ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6'] as const
export type QueryName = (typeof queryNames)[number]

export const descriptions: Readonly<Record<QueryName, string>> = {
  Q1: 'one port by id, 4 fields',
  Q2: 'a page of 100 ports, all 10 fields, cursors and pageInfo',
  Q3: '50 tenants with their first 10 ports, 6 fields',
  Q4: '10 tenants, 10 ports of each, their tenant, its first 5 ports',
  Q5: 'two statuses and a prefix, sorted by name, 50 rows from the 1,000th on',
  Q6: '10,000 ports, all 10 fields',
}

export type Variables = Readonly<Record<string, unknown>>

/** The variables of a query's request with this number. */
export function variablesOf(name: QueryName, number: number): Variables {
  switch (name) {
    case 'Q1':
      return { id: portKey((number * 7919) % (tenantCount * portsOfTenant)) }
    case 'Q5':
      return { statuses: ['UP', 'DOWN'], prefix: 'al' }
    default:
      return {}
  }
}

const allFields = 'id tenantId name status portType vlanRanges speed isActivated description createdAt'

/** The documents for the product; the answers of the others have the same keys. */
export const documents: Readonly<Record<QueryName, string>> = {
  Q1: 'query ($id: GenericScalar) { Port(id: $id) { edges { node { id name status tenantId } } } }',
  Q2: `{ Port(first: 100) { edges { cursor node { ${allFields} } } pageInfo { hasNextPage endCursor } } }`,
  Q3: '{ Tenant(first: 50) { edges { node { id name portCollection(first: 10) { edges { node { id name status portType speed createdAt } } } } } } }',
  Q4: '{ Tenant(first: 10) { edges { node { id portCollection(first: 10) { edges { node { id name tenant { id name portCollection(first: 5) { edges { node { id name } } } } } } } } } } }',
  Q5: 'query ($statuses: GenericScalar, $prefix: GenericScalar) { Port(filters: [{ key: "status", op: "in", val: $statuses }, { key: "name", op: "starts", val: $prefix }], desc: ["name"], offset: 1000, limit: 50) { edges { node { id name status } } } }',
  Q6: `{ Port(first: 10000) { edges { node { ${allFields} } } } }`,
}

/**
 * The rows of an answer, whatever its form: connections become lists of their nodes, cursors go, and so does what
 * only some tell of a page; moments are written with a blank and without zeros at the end.
 */
export function rowsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rowsOf)
  if (typeof value === 'string')
    return value.replace(/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.0+)?Z?$/, '$1 $2')
  if (typeof value !== 'object' || value === null) return value
  const record = value as Record<string, unknown>
  if (Array.isArray(record.edges)) return record.edges.map((edge) => rowsOf((edge as { node: unknown }).node))
  if (Array.isArray(record.nodes)) return record.nodes.map(rowsOf)
  return Object.fromEntries(
    Object.keys(record)
      .toSorted()
      .map((key) => [key, rowsOf(record[key])]),
  )
}
