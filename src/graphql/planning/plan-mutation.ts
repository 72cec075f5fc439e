import type { FieldNode, GraphQLField } from 'graphql'
import { invariant } from '../../errors/invariant.ts'
import type { Filter } from '../../query/filter.ts'
import { LevelDraft } from '../../query/levels/level-draft.ts'
import { readWhere, refuseEmptyConditions } from '../../query/read-where.ts'
import { addressColumns, isForeign, rowKeyOf } from '../../record/record-rules.ts'
import type { EntityType } from '../model/model.ts'
import { changesTypeName, type WriteKind, writeKinds } from '../model/naming.ts'
import { refuseAbsentVariables } from './absent-variables.ts'
import { argumentReader, type ReadArguments } from './argument-reader.ts'
import { collectFields, type SelectedField, selectionSetsOf } from './collect-fields.ts'
import { argumentOf } from './document-argument.ts'
import { filterableIn } from './filterable-in.ts'
import { unkeptLiterals } from './kept-literals.ts'
import type { ObjectShape, ResultShape, RootContent } from './operation-plan.ts'
import type { PlanContext } from './plan-context.ts'
import { planObject } from './plan-object.ts'

/** Plans a field of `Mutation`: what is written, and what is then read of the written rows, by their keys. */
export function planWrite(fields: readonly SelectedField[], context: PlanContext): RootContent {
  const field = fields[0]?.node
  invariant(field !== undefined, 'a response key has at least one field')
  if (field.name.value === '__typename') return { kind: 'typeName', name: 'Mutation' }
  const kind = writeKinds.find((one) => field.name.value.startsWith(`${one}_`))
  invariant(kind !== undefined, `${field.name.value} is a field of Mutation`)
  const name = field.name.value.slice(kind.length + 1)
  const entity = context.model.entities.get(name)
  const writes = context.writes?.get(name)
  const definition = context.schema.getMutationType()?.getFields()[field.name.value]
  invariant(
    entity !== undefined && writes !== undefined && definition !== undefined,
    `${name} is an entity with mutations`,
  )

  const draft = new LevelDraft()
  const result = planResult(kind, fields, entity, draft, context)
  const select = {
    table: entity.table,
    rights: entity.rights,
    columns: draft.columns,
    orderBy: [],
    page: {},
    wanted: { rows: true, total: false, hasNextPage: false, hasPreviousPage: false },
    keyColumns: rowKeyOf(writes.entity),
  }
  const timesShown = result.kind === 'changes' ? objectsOf(result).length : 1
  return {
    kind: 'write',
    write: {
      kind,
      readArguments: keptArguments(definition, field, context),
      entity: name,
      ...((kind === 'updateAll' || kind === 'deleteAll') && { where: whereOf(field, entity, context) }),
    },
    level: { select, timesShown, relations: draft.relations },
    ...(kind === 'update' && !isForeign(writes.entity) && { addressColumns: addressColumns(writes.entity) }),
    result,
  }
}

function whereOf(field: FieldNode, entity: EntityType, context: PlanContext): Filter {
  refuseAbsentVariables(field, 'where', context)
  const where = argumentOf(field, 'where', context)
  const filterable = filterableIn(context, entity)
  const filter = readWhere(where, filterable)
  refuseEmptyConditions(where, filterable)
  return filter
}

function keptArguments(
  definition: GraphQLField<unknown, unknown>,
  field: FieldNode,
  context: PlanContext,
): ReadArguments {
  const unkept = unkeptLiterals(definition, field, context)
  if (unkept === undefined) return argumentReader(definition, field)
  return () => {
    throw unkept
  }
}

function planResult(
  kind: WriteKind,
  fields: readonly SelectedField[],
  entity: EntityType,
  draft: LevelDraft,
  context: PlanContext,
): ResultShape {
  const objectOf = (selected: readonly SelectedField[]) => planObject(selected, entity, draft, context)
  switch (kind) {
    case 'create':
    case 'update':
    case 'upsert':
    case 'delete':
      return { kind: 'one', object: objectOf(fields) }
    case 'createAll':
      return { kind: 'list', object: objectOf(fields) }
    case 'updateAll':
    case 'deleteAll': {
      const typeName = changesTypeName(entity.name)
      const selected = collectFields(selectionSetsOf(fields), typeName, [], context)
      const members = [...selected].map(([key, subfields]) => {
        switch (subfields[0]?.node.name.value) {
          case 'count':
            return { key, shape: { kind: 'count' } as const }
          case 'records':
            return { key, shape: { kind: 'records', object: objectOf(subfields) } as const }
          default:
            return { key, shape: { kind: 'typeName', name: typeName } as const }
        }
      })
      return { kind: 'changes', members }
    }
  }
}

/** The selections of records in a result. */
function objectsOf(result: ResultShape): readonly ObjectShape[] {
  if (result.kind !== 'changes') return [result.object]
  return result.members.flatMap(({ shape }) => (shape.kind === 'records' ? [shape.object] : []))
}
