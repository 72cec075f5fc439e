import type { RoleManagement } from '../../access/administration/manage-roles.ts'
import type { Role } from '../../access/authorization/role.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'
import { createdAt, parameterOf, sendListPage } from './record-request.ts'

/** `/manage/roles`. */
export function roleRoutes({
  roles,
  baseUrl = '',
}: {
  readonly roles: RoleManagement
  readonly baseUrl?: string
}): readonly Route[] {
  /** The role as it was written, with warnings. */
  async function shown(role: Role): Promise<Role & { readonly warnings?: readonly string[] }> {
    const warnings = await roles.warningsOf(role)
    return warnings.length === 0 ? role : { ...role, warnings }
  }
  const location = (name: string) => `${baseUrl}/manage/roles/${encodeURIComponent(name)}`
  return [
    {
      path: '/manage/roles',
      methods: {
        GET: async (request, reply) => sendListPage(request, reply, await roles.list(request.query), baseUrl),
        async POST(request, reply) {
          const role = await roles.create(request.body, actorOf(request))
          return createdAt(reply, location(role.name), await shown(role))
        },
      },
    },
    {
      path: '/manage/roles/:name',
      methods: {
        GET: (request) => roles.find(parameterOf(request, 'name')),
        async PUT(request, reply) {
          const name = parameterOf(request, 'name')
          const { role, created } = await roles.put(name, request.body, actorOf(request))
          const answer = await shown(role)
          return created ? createdAt(reply, location(role.name), answer) : answer
        },
        async DELETE(request, reply) {
          await roles.remove(parameterOf(request, 'name'), actorOf(request))
          return reply.status(204).send()
        },
      },
    },
  ]
}
