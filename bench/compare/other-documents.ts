/** The six queries as other products take them; aliases make the answers' keys the same. */
import type { QueryName } from './queries.ts'

type Documents = Readonly<Record<QueryName, string>>

const all = 'id tenantId name status portType vlanRanges speed isActivated description createdAt'

export const postgraphileDocuments: Documents = {
  Q1: 'query ($id: String!) { Port: allPorts(condition: { id: $id }) { edges { node { id name status tenantId } } } }',
  Q2: `{ Port: allPorts(first: 100, orderBy: [ID_ASC]) { edges { cursor node { ${all} } } pageInfo { hasNextPage endCursor } } }`,
  Q3: '{ Tenant: allTenants(first: 50, orderBy: [ID_ASC]) { edges { node { id name portCollection: portsByTenantId(first: 10, orderBy: [ID_ASC]) { edges { node { id name status portType speed createdAt } } } } } } }',
  Q4: '{ Tenant: allTenants(first: 10, orderBy: [ID_ASC]) { edges { node { id portCollection: portsByTenantId(first: 10, orderBy: [ID_ASC]) { edges { node { id name tenant: tenantByTenantId { id name portCollection: portsByTenantId(first: 5, orderBy: [ID_ASC]) { edges { node { id name } } } } } } } } } } }',
  Q5: 'query ($statuses: [String!], $prefix: String) { Port: allPorts(filter: { status: { in: $statuses }, name: { startsWith: $prefix } }, orderBy: [NAME_DESC, ID_DESC], offset: 1000, first: 50) { edges { node { id name status } } } }',
  Q6: `{ Port: allPorts(first: 10000, orderBy: [ID_ASC]) { edges { node { ${all} } } } }`,
}

export const mercuriusDocuments: Documents = {
  Q1: 'query ($id: String!) { Port: port(id: $id) { edges { node { id name status tenantId } } } }',
  Q2: `{ Port: ports(first: 100) { edges { cursor node { ${all} } } pageInfo { hasNextPage endCursor } } }`,
  Q3: '{ Tenant: tenants(first: 50) { edges { node { id name portCollection(first: 10) { edges { node { id name status portType speed createdAt } } } } } } }',
  Q4: '{ Tenant: tenants(first: 10) { edges { node { id portCollection(first: 10) { edges { node { id name tenant { id name portCollection(first: 5) { edges { node { id name } } } } } } } } } } }',
  Q5: 'query ($statuses: [String!]!, $prefix: String!) { Port: search(statuses: $statuses, prefix: $prefix, offset: 1000, limit: 50) { edges { node { id name status } } } }',
  Q6: `{ Port: ports(first: 10000) { edges { node { ${all} } } } }`,
}
