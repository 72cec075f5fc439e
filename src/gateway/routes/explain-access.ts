import type { Access } from '../../access/access.ts'
import type { OwnPaths } from '../../access/authorization/explain-access.ts'
import type { Route } from '../../http/routes.ts'

export interface ExplainAccessParts {
  readonly access: Pick<Access, 'authenticate' | 'explain' | 'explainOwn'>
  readonly own: OwnPaths
}

/**
 * `/manage/explain-access`: why an account may or may not make a request; `/whoami/explain-access` says it to the owner of
 * a token, whatever the role allows.
 */
export function explainAccessRoutes({ access, own }: ExplainAccessParts): readonly Route[] {
  return [
    {
      path: '/manage/explain-access',
      methods: { GET: (request) => access.explain(request.query, own) },
    },
    {
      path: '/whoami/explain-access',
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: async ({ headers, query }) => access.explainOwn(await access.authenticate(headers), query, own),
      },
    },
  ]
}
