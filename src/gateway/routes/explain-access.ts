import type { Access } from '../../access/access.ts'
import type { OwnPaths } from '../../access/authorization/explain-access.ts'
import type { Route } from '../../http/routes.ts'

export interface ExplainAccessParts {
  readonly access: Pick<Access, 'explain'>
  readonly own: OwnPaths
}

/** `/manage/explain-access`: why an account may or may not make a request. */
export function explainAccessRoutes({ access, own }: ExplainAccessParts): readonly Route[] {
  return [
    {
      path: '/manage/explain-access',
      methods: { GET: (request) => access.explain(request.query, own) },
    },
  ]
}
