import type { Access } from '../../access/access.ts'
import type { Route } from '../../http/routes.ts'

/** `/manage/audit`. */
export function auditRoutes({ access }: { readonly access: Pick<Access, 'readAudit'> }): readonly Route[] {
  return [{ path: '/manage/audit', methods: { GET: (request) => access.readAudit(request.query) } }]
}
