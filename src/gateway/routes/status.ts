/** `/manage/status`, `/manage/statements` and `/manage/configuration`: how this node is doing, and what it was told. */
import type { DescribedSetting } from '../../config/describe-settings.ts'
import type { Route } from '../../http/routes.ts'
import type { SlowStatements } from '../../observe/slow-statements.ts'
import type { Status } from '../status.ts'

export interface StatusRouteParts {
  readonly status: Pick<Status, 'show'>
  readonly slowStatements: SlowStatements
  readonly configuration: readonly DescribedSetting[]
}

export function statusRoutes({ status, slowStatements, configuration }: StatusRouteParts): readonly Route[] {
  return [
    { path: '/manage/configuration', methods: { GET: async () => ({ options: configuration }) } },
    { path: '/manage/status', methods: { GET: () => status.show() } },
    {
      path: '/manage/statements',
      methods: {
        GET: async () => ({
          threshold_ms: slowStatements.thresholdMs,
          statements: slowStatements.list().map((statement) => ({
            sql: statement.sql,
            cause: statement.cause,
            count: statement.count,
            total_ms: statement.totalMs,
            median_ms: statement.medianMs,
            max_ms: statement.maxMs,
            rows: statement.rows,
            last_seen: new Date(statement.lastSeen).toISOString().replace('Z', '+00:00'),
          })),
        }),
        DELETE: async () => ({ removed: slowStatements.clear() }),
      },
    },
  ]
}
