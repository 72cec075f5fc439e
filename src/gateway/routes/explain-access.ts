import type { Access } from '../../access/access.ts'
import type { Route } from '../../http/routes.ts'

export interface ExplainAccessParts {
  readonly access: Pick<Access, 'explain'>
  /** Whether the gateway itself answers at a path. */
  readonly isOwn: (path: string) => boolean
}

/** `/manage/explain-access`: why an account may make a request, or may not. */
export function explainAccessRoutes({ access, isOwn }: ExplainAccessParts): readonly Route[] {
  return [
    {
      path: '/manage/explain-access',
      methods: { GET: (request) => access.explain(request.query, isOwn) },
    },
  ]
}
