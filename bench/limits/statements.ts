/** The hand-written statements of the servers with flat rows. */
import type { QueryName } from '../compare/queries.ts'

const q = (names: string, alias = '') =>
  names
    .split(' ')
    .map((name) => `${alias}"${name}"`)
    .join(', ')

const all = 'id tenantId name status portType vlanRanges speed isActivated description createdAt'

export const postgresqlStatements = {
  Q1: `select ${q('id name status tenantId')} from "Port" where id = $1`,
  Q2: `select ${q(all)} from "Port" order by id limit 101`,
  Q6: `select ${q(all)} from "Port" order by id limit 10000`,
  Q5: `select ${q('id name status')} from "Port" where status = any($1::text[]) and name >= $2 and name < $3 order by name desc, id desc limit 50 offset 1000`,
  tenants50: `select ${q('id name')} from "Tenant" order by id limit 50`,
  tenants10: `select id from "Tenant" order by id limit 10`,
  portsOfTenants: `select k.p::integer, x.* from unnest($1::text[]) with ordinality k(v, p) cross join lateral (select ${q('id name status portType speed createdAt')} from "Port" where "tenantId" = k.v order by id limit 10) x`,
  portsWithTenant: `select k.p::integer, x.* from unnest($1::text[]) with ordinality k(v, p) cross join lateral (select ${q('id name tenantId')} from "Port" where "tenantId" = k.v order by id limit 10) x`,
  tenantsByKeys: `select id, name from "Tenant" where id = any($1::text[])`,
  fewPortsOfTenants: `select k.p::integer, x.* from unnest($1::text[]) with ordinality k(v, p) cross join lateral (select id, name from "Port" where "tenantId" = k.v order by id limit 5) x`,
} as const

export type StatementName = keyof typeof postgresqlStatements

/** The same with one statement that answers with the JSON text of the whole, as the database builds it. */
const object = (names: string, alias: string) =>
  `json_build_object(${names
    .split(' ')
    .map((name) => `'${name}', ${alias}."${name}"`)
    .join(', ')})`

const nodes = (inner: string, from: string) =>
  `(select coalesce(json_agg(json_build_object('node', ${inner})), '[]') from (${from}) t)`

export const jsonStatements: Readonly<Record<QueryName, string>> = {
  Q1: `select json_build_object('data', json_build_object('Port', json_build_object('edges', ${nodes(object('id name status tenantId', 't'), 'select * from "Port" where id = $1')})))::text`,
  Q2: `select json_build_object('data', json_build_object('Port', json_build_object('edges', json_agg(json_build_object('node', ${object(all, 't')})), 'pageInfo', json_build_object('hasNextPage', (select count(*) > 100 from (select 1 from "Port" limit 101) m)))))::text from (select * from "Port" order by id limit 100) t`,
  Q3: `select json_build_object('data', json_build_object('Tenant', json_build_object('edges', json_agg(json_build_object('node', json_build_object('id', o.id, 'name', o.name, 'portCollection', json_build_object('edges', ${nodes(object('id name status portType speed createdAt', 't'), 'select * from "Port" where "tenantId" = o.id order by id limit 10')})))))))::text from (select id, name from "Tenant" order by id limit 50) o`,
  Q4: `select json_build_object('data', json_build_object('Tenant', json_build_object('edges', json_agg(json_build_object('node', json_build_object('id', o.id, 'portCollection', json_build_object('edges', ${nodes(
    `json_build_object('id', t.id, 'name', t.name, 'tenant', (select json_build_object('id', n.id, 'name', n.name, 'portCollection', json_build_object('edges', ${nodes(object('id name', 't'), 'select * from "Port" where "tenantId" = n.id order by id limit 5')})) from "Tenant" n where n.id = t."tenantId"))`,
    'select * from "Port" where "tenantId" = o.id order by id limit 10',
  )})))))))::text from (select id from "Tenant" order by id limit 10) o`,
  Q5: `select json_build_object('data', json_build_object('Port', json_build_object('edges', ${nodes(object('id name status', 't'), 'select * from "Port" where status = any($1::text[]) and name >= $2 and name < $3 order by name desc, id desc limit 50 offset 1000')})))::text`,
  Q6: `select json_build_object('data', json_build_object('Port', json_build_object('edges', ${nodes(object(all, 't'), 'select * from "Port" order by id limit 10000')})))::text`,
}
