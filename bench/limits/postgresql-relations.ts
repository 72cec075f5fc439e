/** The questions of `relations-and-writes.ts` as SQL by hand: `node:http` and `pg`, without GraphQL, accounts and limits. */
import { createServer } from 'node:http'
import pg from 'pg'

const { name: database, ...server } = JSON.parse(process.env.DATABASE ?? '{}')
const pool = new pg.Pool({ ...server, database, max: 10 })

interface Statement {
  readonly text: string
  readonly values: (variables: Readonly<Record<string, unknown>>) => readonly unknown[]
}

const statements: Readonly<Record<string, Statement>> = {
  related: {
    text: 'select p.id, p.name from "Port" p where exists (select 1 from "Tenant" t where t.id = p."tenantId" and t.name = $1) order by p.id',
    values: ({ tenant }) => [tenant],
  },
  some: {
    text: 'select t.id, t.name from "Tenant" t where exists (select 1 from "Port" p where p."tenantId" = t.id and p.name = $1) order by t.id',
    values: ({ port }) => [port],
  },
  groups: {
    text: 'select status, sum(speed)::text, max(speed) from "Port" group by status order by status',
    values: () => [],
  },
  groupsOfTenant: {
    text: 'select status, sum(speed)::text, max(speed) from "Port" where "tenantId" = $1 group by status order by status',
    values: ({ tenant }) => [tenant],
  },
  collections: {
    text: 'select t.id, a.count::text, a.sum::text from (select id from "Tenant" order by id limit 50) t cross join lateral (select count(*), sum(speed) from "Port" p where p."tenantId" = t.id) a order by t.id',
    values: () => [],
  },
  sorted: {
    text: 'select p.id, p.name, t.name as tenant from "Port" p join "Tenant" t on t.id = p."tenantId" where p.speed = $1 order by t.name desc, p.id limit 20',
    values: () => [100_000],
  },
  create: {
    text: 'insert into "Port" values ($1, $2, $3, $4, $5, $6, $7, $8, null, $9) returning id, name',
    values: ({ id, tenantId }) => [
      id,
      tenantId,
      'new',
      'UP',
      'ethernet',
      '1-2',
      1000,
      1,
      '2026-01-01 09:00:00',
    ],
  },
  update: {
    text: 'update "Port" set name = $2 where id = $1 returning id, name',
    values: ({ id, name }) => [id, name],
  },
}

createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', async () => {
    const { query, variables } = JSON.parse(String(Buffer.concat(pieces)) || '{}')
    const statement = statements[query as string]
    try {
      const rows =
        statement &&
        (
          await pool.query({
            name: query,
            text: statement.text,
            values: [...statement.values(variables ?? {})],
            rowMode: 'array',
          })
        ).rows
      const body = JSON.stringify({ data: rows ?? [] })
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      })
      response.end(body)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
