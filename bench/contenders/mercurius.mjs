/** Mercurius with graphql-jit and batched loaders, written by hand for the six queries. */
import fastify from 'fastify'
import mercurius from 'mercurius'
import pg from 'pg'

const { host, port, user, name: database } = JSON.parse(process.env.DATABASE)
const pool = new pg.Pool({ host, port, user, database, max: 10 })
const run = async (name, text, values) => (await pool.query({ name, text, values })).rows

const schema = `
  type Tenant { id: String! name: String! country: String portCollection(first: Int!): PortConnection! }
  type Port { id: String! tenantId: String! name: String! status: String! portType: String! vlanRanges: String!
    speed: Int! isActivated: Int! description: String createdAt: String! tenant: Tenant }
  type TenantEdge { node: Tenant! }
  type PortEdge { cursor: String! node: Port! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type TenantConnection { edges: [TenantEdge!]! }
  type PortConnection { edges: [PortEdge!]! pageInfo: PageInfo! }
  type Query {
    port(id: String!): PortConnection!
    ports(first: Int!): PortConnection!
    tenants(first: Int!): TenantConnection!
    search(statuses: [String!]!, prefix: String!, offset: Int!, limit: Int!): PortConnection!
  }`

const columns =
  'id, "tenantId", name, status, "portType", "vlanRanges", speed, "isActivated", description, to_char("createdAt", \'YYYY-MM-DD"T"HH24:MI:SS\') as "createdAt"'
const cursorOf = ({ id }) => Buffer.from(JSON.stringify([id])).toString('base64url')
const connectionOf = (rows, hasNextPage = false) => ({
  edges: rows.map((node) => ({ node, cursor: cursorOf(node) })),
  pageInfo: { hasNextPage, endCursor: rows.length === 0 ? null : cursorOf(rows[rows.length - 1]) },
})
const edgesOf = (rows) => ({ edges: rows.map((node) => ({ node })) })

const resolvers = {
  Query: {
    port: async (_, { id }) =>
      connectionOf(await run('port', `select ${columns} from "Port" where id = $1`, [id])),
    ports: async (_, { first }) => {
      const rows = await run('ports', `select ${columns} from "Port" order by id limit $1`, [first + 1])
      return connectionOf(rows.slice(0, first), rows.length > first)
    },
    tenants: async (_, { first }) =>
      edgesOf(await run('tenants', 'select id, name, country from "Tenant" order by id limit $1', [first])),
    search: async (_, { statuses, prefix, offset, limit }) =>
      connectionOf(
        await run(
          'search',
          `select ${columns} from "Port" where status = any($1::text[]) and name >= $2 and name < $3 order by name desc, id desc offset $4 limit $5`,
          [
            statuses,
            prefix,
            prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1),
            offset,
            limit,
          ],
        ),
      ),
  },
}

const loaders = {
  Tenant: {
    async portCollection(queries) {
      const { first } = queries[0].params
      const rows = await run(
        'portsOfTenants',
        `select k.p::integer - 1 as k, x.* from unnest($1::text[]) with ordinality k(v, p) cross join lateral (select ${columns} from "Port" where "tenantId" = k.v order by id limit $2) x`,
        [queries.map(({ obj }) => obj.id), first],
      )
      const lists = queries.map(() => [])
      for (const row of rows) lists[row.k].push(row)
      return lists.map((list) => connectionOf(list))
    },
  },
  Port: {
    async tenant(queries) {
      const keys = [...new Set(queries.map(({ obj }) => obj.tenantId))]
      const rows = await run('tenantsByKeys', 'select id, name, country from "Tenant" where id = any($1)', [
        keys,
      ])
      const byKey = new Map(rows.map((row) => [row.id, row]))
      return queries.map(({ obj }) => byKey.get(obj.tenantId) ?? null)
    },
  },
}

const app = fastify()
app.register(mercurius, { schema, resolvers, loaders, jit: 1, path: '/graphql' })
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
