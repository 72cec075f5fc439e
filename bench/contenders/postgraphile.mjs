/** PostGraphile 5 on the bench's database. */
import { createServer } from 'node:http'
import { PgAggregatesPreset } from '@graphile/pg-aggregates'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { makeV4Preset } from 'postgraphile/presets/v4'
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter'

const { host, port, user, name } = JSON.parse(process.env.DATABASE)
const preset = {
  extends: [makeV4Preset({ dynamicJson: true }), PostGraphileConnectionFilterPreset, PgAggregatesPreset],
  schema: { connectionFilterRelations: true },
  pgServices: [
    makePgService({
      connectionString: `postgres://${user}@${host}:${port}/${name}`,
      schemas: ['public'],
      poolConfig: { max: 10 },
    }),
  ],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
}
const service = postgraphile(preset).createServ(grafserv)
const server = createServer()
await service.addTo(server)
server.listen(Number(process.env.PORT), '127.0.0.1')
