import { invariant } from '../../errors/invariant.ts'
import { LevelDraft } from '../../query/levels/level-draft.ts'
import { globalIdFilter, isTypeOf } from '../../query/read-filters.ts'
import { globalIdField } from '../model/naming.ts'
import type { SelectedField } from './collect-fields.ts'
import { argumentOf } from './document-argument.ts'
import type { RootContent } from './operation-plan.ts'
import type { PlanContext } from './plan-context.ts'
import { planObject } from './plan-object.ts'

/** Plans `node` or `customNode`, whose fields are selected through the interface `on`. */
export function planNode(
  fields: readonly SelectedField[],
  on: 'Node' | 'CustomNode',
  context: PlanContext,
): RootContent {
  const field = fields[0]?.node
  invariant(field !== undefined, 'a response key has at least one field')
  const id = argumentOf(field, globalIdField, context)
  const typeName = id.ask('globalIdType')
  const entity = [...context.model.entities.values()].find(
    ({ filterable: { globalId } }) => globalId !== undefined && isTypeOf(globalId, typeName ?? ''),
  )
  if (entity?.filterable.globalId === undefined) return { kind: 'null' }

  const draft = new LevelDraft()
  const object = planObject(fields, entity, draft, context, on)
  const select = {
    table: entity.table,
    rights: entity.rights,
    columns: draft.columns,
    filter: globalIdFilter(entity.filterable.globalId, id),
    orderBy: [],
    page: {},
    wanted: { rows: true, total: false, hasNextPage: false, hasPreviousPage: false },
  }
  return { kind: 'node', level: { select, timesShown: 1, relations: draft.relations }, object }
}
