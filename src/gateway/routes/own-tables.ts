import type { Access } from '../../access/access.ts'
import type { Route } from '../../http/routes.ts'
import type { ReadableTables } from '../readable-tables.ts'
import { parameterOf, sendListPage } from './record-request.ts'

export interface OwnTableParts {
  readonly access: Pick<Access, 'authenticate'>
  readonly tables: ReadableTables
  readonly baseUrl?: string
}

/** `/whoami/tables`: the tables and views that the owner of a token may read. */
export function ownTableRoutes({ access, tables, baseUrl }: OwnTableParts): readonly Route[] {
  return [
    {
      path: '/whoami/tables',
      access: 'open',
      methods: {
        async GET(request, reply) {
          const caller = await access.authenticate(request.headers)
          return sendListPage(request, reply, await tables.list(request.query, caller), baseUrl)
        },
      },
    },
    {
      path: '/whoami/tables/:name',
      access: 'open',
      methods: {
        async GET(request) {
          const caller = await access.authenticate(request.headers)
          return tables.find(parameterOf(request, 'name'), caller)
        },
      },
    },
  ]
}
