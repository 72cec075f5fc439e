import type { FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { RoleManagement } from '../../access/administration/manage-roles.ts'
import type { KnownCall, RoleChange } from '../../access/administration/role-effects.ts'
import type { Role } from '../../access/authorization/role.ts'
import { oneOf, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import { clientOf } from '../../http/client-gone.ts'
import type { Route } from '../../http/routes.ts'
import { actorOf } from '../protect.ts'
import type { EffectsAsker, RecordEffects } from '../rights/record-effects.ts'
import { clientNameOf } from './client-name.ts'
import { createdAt, parameterOf, sendListPage } from './record-request.ts'
import { preconditionIn, sendTagged, withTag } from './record-tag.ts'

/** `/manage/roles`. */
export function roleRoutes({
  roles,
  calls,
  recordEffects,
  baseUrl = '',
}: {
  readonly roles: RoleManagement
  /** The calls that a dry run looks at; only called for requests. */
  readonly calls: () => Iterable<KnownCall>
  /** What a change does to records, for an account that may be named. */
  readonly recordEffects: (
    change: RoleChange,
    account: string | undefined,
    asker: EffectsAsker,
  ) => Promise<RecordEffects>
  readonly baseUrl?: string
}): readonly Route[] {
  /** What a change would do. */
  function plan(
    name: string | undefined,
    account: string | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const cause = `${request.method} /manage/roles`
    const asker = {
      roles: request.caller?.roles ?? [],
      cancellation: clientOf(reply, clientNameOf(request), cause),
    }
    return roles.plan(name, request.body, actorOf(request), {
      calls: calls(),
      precondition: preconditionIn(request),
      more: (change) => recordEffects(change, account, asker),
    })
  }

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
          const { isDryRun, account } = changeQueryOf(request)
          if (isDryRun) return plan(undefined, account, request, reply)
          const role = await roles.create(request.body, actorOf(request))
          return createdAt(withTag(reply, role), location(role.name), await shown(role))
        },
      },
    },
    {
      path: '/manage/roles/:name',
      methods: {
        GET: async (request, reply) =>
          sendTagged(request, reply, await roles.find(parameterOf(request, 'name'))),
        async PUT(request, reply) {
          const name = parameterOf(request, 'name')
          const { isDryRun, account } = changeQueryOf(request)
          if (isDryRun) return plan(name, account, request, reply)
          const precondition = preconditionIn(request)
          const { role, created } = await roles.put(name, request.body, actorOf(request), precondition)
          const answer = await shown(role)
          withTag(reply, role)
          return created ? createdAt(reply, location(role.name), answer) : answer
        },
        async DELETE(request, reply) {
          const name = parameterOf(request, 'name')
          await roles.remove(name, actorOf(request), preconditionIn(request))
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
  account: v.pipe(
    v.optional(v.string()),
    v.description(
      'With `dry_run`: the account for which records are counted, as if it had the role; without it, the first three that have it.',
    ),
  ),
})

function changeQueryOf({ query }: FastifyRequest) {
  const sent = { ...(query as object) }
  const { dry_run: dryRun, account } = parseDocument(roleChangeQuery, sent, 'PARAMETER_INVALID')
  const isDryRun = dryRun !== 'false'
  if (account !== undefined && !isDryRun)
    throw new AppError('PARAMETER_INVALID', { detail: '"account" is for a dry run: add dry_run=true.' })
  return { isDryRun, account }
}
