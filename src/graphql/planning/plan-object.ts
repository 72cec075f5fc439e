import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { codecOf } from '../../query/codec/codec-of.ts'
import { columnsForKeysOf } from '../../query/key-columns.ts'
import { LevelDraft } from '../../query/levels/level-draft.ts'
import type { SelectPlan } from '../../query/select-plan.ts'
import type { EntityField, EntityType } from '../model/model.ts'
import { globalIdField, objectTypeName } from '../model/naming.ts'
import { collectFields, locationsOf, type SelectedField, selectionSetsOf } from './collect-fields.ts'
import type { FieldShape, ObjectShape } from './operation-plan.ts'
import { planConnection } from './plan-connection.ts'
import type { PlanContext } from './plan-context.ts'

const nodeInterfaces = ['Node', 'CustomNode']

/** Plans the fields selected on an entity's type; `on` is the interface through which it was reached, if any. */
export function planObject(
  fields: readonly SelectedField[],
  entity: EntityType,
  draft: LevelDraft,
  context: PlanContext,
  on?: string,
): ObjectShape {
  const typeName = objectTypeName(entity.name)
  const implemented = entity.key.length > 0 ? nodeInterfaces : []
  const selected = collectFields(selectionSetsOf(fields), typeName, implemented, context, on)
  return {
    members: [...selected].map(([key, subfields]) => ({
      key,
      shape: planField(subfields, entity, draft, context),
    })),
  }
}

function planField(
  fields: readonly SelectedField[],
  entity: EntityType,
  draft: LevelDraft,
  context: PlanContext,
): FieldShape {
  const selected = fields[0]
  invariant(selected !== undefined, 'a response key has at least one field')
  const name = selected.node.name.value
  const typeName = objectTypeName(entity.name)
  if (name === '__typename') return { kind: 'typeName', name: typeName }
  // `id` of the interface Node is the global id, even if the table has a column `id`.
  if (name === globalIdField || (name === 'id' && selected.on === 'Node')) {
    const { rowNumber } = entity.filterable.globalId ?? {}
    return {
      kind: 'globalId',
      typeName,
      positions: entity.key.map((column) => draft.storedPositionOf(column)),
      columns: entity.key,
      ...(rowNumber && { rowNumber: draft.positionOf(rowNumber) }),
    }
  }
  const field = entity.fields.get(name)
  invariant(field !== undefined, `${name} is a field of ${typeName}`)
  if (field.kind === 'scalar') {
    return { kind: 'column', position: draft.positionOf(field.column), codec: codecOf(field.column) }
  }
  const locations = locationsOf(fields)
  try {
    return { ...planRelation(fields, field, draft, context), locations }
  } catch (error) {
    if (error instanceof AppError) return { kind: 'failed', error, locations }
    throw error
  }
}

type RelationShape = Extract<FieldShape, { relation: number }>
type UnlocatedShape =
  | Omit<Extract<RelationShape, { kind: 'reference' }>, 'locations'>
  | Omit<Extract<RelationShape, { kind: 'collection' }>, 'locations'>

function planRelation(
  fields: readonly SelectedField[],
  { kind, target, link }: Exclude<EntityField, { kind: 'scalar' }>,
  draft: LevelDraft,
  context: PlanContext,
): UnlocatedShape {
  const entity = context.model.entities.get(target)
  invariant(entity !== undefined, `${target} is an entity`)
  const keyPositions = link.own.map((column) => draft.positionOf(column))
  const keyColumns = columnsForKeysOf(link.own, link.other)
  if (kind === 'collection') {
    const { level, connection } = planConnection(fields, { entity, keyColumns }, planObject, context)
    return { kind, relation: draft.addRelation({ keyPositions, cardinality: 'many', level }), connection }
  }
  const below = new LevelDraft()
  const object = planObject(fields, entity, below, context)
  const select: SelectPlan = {
    table: entity.table,
    rights: entity.rights,
    columns: below.columns,
    orderBy: [],
    page: {},
    wanted: { rows: true, total: false, hasNextPage: false, hasPreviousPage: false },
    keyColumns,
  }
  return {
    kind,
    relation: draft.addRelation({
      keyPositions,
      cardinality: 'one',
      level: { select, timesShown: 1, relations: below.relations },
    }),
    object,
  }
}
