/** Which version of the schema a node serves: `/manage/schema`, and a header of every answer. */
import type { FastifyInstance } from 'fastify'
import type { Route } from '../../http/routes.ts'
import { type SchemaVersion, schemaVersionText } from '../schema-version.ts'

export function schemaRoutes({ version }: { readonly version: () => SchemaVersion }): readonly Route[] {
  return [
    {
      path: '/manage/schema',
      methods: {
        async GET() {
          const { number, hash } = version()
          return { version: schemaVersionText({ number, hash }), number, hash }
        },
      },
    },
  ]
}

/** Names the version in every answer of the gateway's own to a request that was let in. To be called before it listens. */
export function tellSchemaVersion(server: FastifyInstance, version: () => SchemaVersion): void {
  server.addHook('onSend', async (request, reply) => {
    if (request.isAdmitted) reply.header('x-gatehouse-schema', schemaVersionText(version()))
  })
}
