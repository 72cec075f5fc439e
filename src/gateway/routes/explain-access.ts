import type { Access } from '../../access/access.ts'
import type { OwnPaths } from '../../access/authorization/explain-access.ts'
import type { Route, RouteIndex } from '../../http/routes.ts'
import type { Clock } from '../../util/clock.ts'
import { allowedCalls } from '../allowed-calls.ts'
import { type ExplainRowParts, explainRow } from '../rights/explain-row.ts'
import type { RecordAccess } from '../rights/record-access.ts'

export interface ExplainAccessParts {
  readonly access: Pick<
    Access,
    'admit' | 'attributesOf' | 'authenticate' | 'explain' | 'explainOwn' | 'publicRoutes' | 'reachOf'
  >
  /** The gateway's own routes; only called for requests. */
  readonly index: () => RouteIndex
  /** Where records are found. */
  readonly rows: ExplainRowParts & { readonly now: Clock; readonly recordAccess: RecordAccess }
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
          return explainRow(
            explanation,
            row,
            { attributes: await access.attributesOf(account), now: rows.now() },
            rows,
          )
        },
      },
    },
    {
      path: '/whoami/explain-access',
      access: 'open',
      bodySize: 'form',
      methods: {
        async GET({ headers, query }) {
          const caller = await access.authenticate(headers)
          const explanation = await access.explainOwn(caller, query, own)
          const { row } = query as Readonly<Record<string, string | undefined>>
          if (row === undefined) return explanation
          const holder = { caller, publicRoutes: await access.publicRoutes() }
          const reader = { holder, recordAccess: rows.recordAccess, reach: await access.reachOf(caller) }
          return explainRow(
            explanation,
            row,
            { attributes: caller.attributes, now: rows.now() },
            rows,
            reader,
          )
        },
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
