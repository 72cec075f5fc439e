import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { RoleManagement } from '../../access/administration/manage-roles.ts'
import type { KnownCall } from '../../access/administration/role-effects.ts'
import type { Role } from '../../access/authorization/role.ts'
import { oneOf, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'
import { createdAt, parameterOf, sendListPage } from './record-request.ts'

/** `/manage/roles`. */
export function roleRoutes({
  roles,
  calls,
  baseUrl = '',
}: {
  readonly roles: RoleManagement
  /** The calls that a dry run looks at; only called for requests. */
  readonly calls: () => Iterable<KnownCall>
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
          if (isDryRun(request)) return roles.plan(undefined, request.body, actorOf(request), calls())
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
          if (isDryRun(request)) return roles.plan(name, request.body, actorOf(request), calls())
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

/** The query of a change of a role. */
export const roleChangeQuery = strictObject({
  dry_run: v.pipe(
    v.optional(oneOf(['true', 'false', '']), 'false'),
    v.description('Whether to say what would be opened and closed, and to change nothing.'),
  ),
})

function isDryRun({ query }: FastifyRequest): boolean {
  const sent = { ...(query as object) }
  return parseDocument(roleChangeQuery, sent, 'PARAMETER_INVALID').dry_run !== 'false'
}
