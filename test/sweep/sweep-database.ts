/**
 * Asks everything of a database that its GraphQL schema offers, and compares the answers with each
 * other and with the rows: for any database, without knowing what is in it.
 */
import type { Database } from '../../src/database/dialect.ts'
import { withSortOrder } from '../../src/database/table-order.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { snapshotOf } from '../../src/graphql/snapshot.ts'
import { checkAggregates } from './check-aggregates.ts'
import { checkFilters } from './check-filters.ts'
import { checkOrder } from './check-order.ts'
import { checkRelations } from './check-relations.ts'
import { checkSchema } from './check-schema.ts'
import { sampleEntity } from './sampled-entity.ts'
import { SweepContext, type SweepReport } from './sweep-context.ts'

/** Sweeps the whole database. Whatever is wrong is in the report; only a failure of the sweep itself is thrown. */
export async function sweepDatabase(
  database: Database,
  /** Looks at each entity of so many, where there are too many for all. `start` says which one is the first. */
  { every = 1, start = 0 }: { readonly every?: number; readonly start?: number } = {},
): Promise<SweepReport> {
  const { dialect, driver } = database
  const schema = await driver.read((connection) => dialect.introspect(connection))
  const limits = { ...defaultOperationLimits, fields: 100_000, tokens: 100_000, cost: 1e12 }
  const context = new SweepContext(
    database,
    await snapshotOf(withSortOrder(schema, new Set(), 'portable'), dialect, { limits, naming: 'verbatim' }),
  )
  await checkSchema(context)
  const { entities } = context.snapshot.model
  for (const [position, entity] of [...entities.values()].entries()) {
    if (position % every !== start % every) continue
    const sampled = await sampleEntity(context, entity)
    if (sampled === undefined) continue
    await checkRelations(context, sampled)
    await checkFilters(context, sampled)
    await checkOrder(context, sampled)
    await checkAggregates(context, sampled)
  }
  return { entities: entities.size, queries: context.queries, failures: context.failures }
}
