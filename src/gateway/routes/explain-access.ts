import type { Access } from '../../access/access.ts'
import type { OwnPaths } from '../../access/authorization/explain-access.ts'
import type { Route, RouteIndex } from '../../http/routes.ts'
import type { Clock } from '../../util/clock.ts'
import { allowedCalls } from '../allowed-calls.ts'
import { type ExplainRowParts, explainRow } from '../rights/explain-row.ts'

export interface ExplainAccessParts {
  readonly access: Pick<Access, 'admit' | 'attributesOf' | 'authenticate' | 'explain' | 'explainOwn'>
  /** The gateway's own routes; only called for requests. */
  readonly index: () => RouteIndex
  /** Where records are found. */
  readonly rows: ExplainRowParts & { readonly now: Clock }
}

/**
 * `/manage/explain-access`: why an account may or may not make a request; `/whoami/explain-access` says it to the owner of
 * a token, whatever the role allows, and `/whoami/access` says of many requests at once which ones are allowed.
 */
export function explainAccessRoutes({ access, index, rows }: ExplainAccessParts): readonly Route[] {
  const own: OwnPaths = {
    isOwn: (path) => index().isServed(path),
    partsAt: (path) => index().partsAt(path),
  }
  return [
    {
      path: '/manage/explain-access',
      methods: {
        async GET({ query }) {
          const explanation = await access.explain(query, own)
          const { account, row } = query as Readonly<Record<string, string | undefined>>
          if (row === undefined || account === undefined) return explanation
          return explainRow(explanation, row, await access.attributesOf(account), rows.now(), rows)
        },
      },
    },
    {
      path: '/whoami/explain-access',
      access: 'open',
      bodySize: 'form',
      methods: {
        GET: async ({ headers, query }) => access.explainOwn(await access.authenticate(headers), query, own),
      },
    },
    {
      path: '/whoami/access',
      access: 'open',
      bodySize: 'document',
      methods: {
        async POST({ headers, body }) {
          await access.authenticate(headers)
          return allowedCalls(body, headers, { access, index: index() })
        },
      },
    },
  ]
}
