/** `/manage/schema`: the version of the served schema, and reading the tables again; `/manage/tables`: what it holds. */
import type { Route } from '../../http/routes.ts'
import type { TableList } from '../list-tables.ts'
import type { SchemaDifference } from '../schema-difference.ts'
import type { SchemaVersion } from '../schema-version.ts'
import { parameterOf, sendListPage } from './record-request.ts'

export interface SchemaRouteParts {
  readonly version: () => SchemaVersion
  /** Throws if the tables cannot be read. */
  readonly reload: () => Promise<SchemaDifference>
  readonly tables: TableList
  /** Where clients reach the gateway; '' for addresses relative to it. */
  readonly baseUrl?: string
}

export function schemaRoutes({ version, reload, tables, baseUrl = '' }: SchemaRouteParts): readonly Route[] {
  const shown = () => {
    const { number, hash, text } = version()
    return { version: text, number, hash }
  }
  return [
    {
      path: '/manage/tables',
      methods: {
        GET: async (request, reply) =>
          sendListPage(request, reply, await tables.list(request.query), baseUrl),
      },
    },
    {
      path: '/manage/tables/:name',
      methods: { GET: (request) => tables.find(parameterOf(request, 'name')) },
    },
    { path: '/manage/schema', methods: { GET: async () => shown() } },
    {
      path: '/manage/schema/reload',
      methods: {
        async POST() {
          const difference = await reload()
          return { ...shown(), ...difference }
        },
      },
    },
  ]
}
