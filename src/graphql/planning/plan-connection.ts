import type { Column } from '../../database/database-schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { AggregateDraft } from '../../query/aggregate-plan.ts'
import { isGiven } from '../../query/argument.ts'
import type { Filter } from '../../query/filter.ts'
import type { Filterable } from '../../query/filterable.ts'
import { LevelDraft } from '../../query/levels/level-draft.ts'
import type { LevelPlan } from '../../query/levels/level-plan.ts'
import { orderTag } from '../../query/order-tag.ts'
import type { OrderTerm } from '../../query/order-term.ts'
import { readEquality, readFilters } from '../../query/read-filters.ts'
import { positionColumn, readOrder, tellingColumnsOf } from '../../query/read-order.ts'
import { readOrderBy } from '../../query/read-order-by.ts'
import { readPage } from '../../query/read-page.ts'
import { readWhere } from '../../query/read-where.ts'
import type { Wanted } from '../../query/select-plan.ts'
import type { EntityType } from '../model/model.ts'
import { connectionTypeName, edgeTypeName, listArgumentNames, typedArgumentName } from '../model/naming.ts'
import { collectFields, locationsOf, type SelectedField, selectionSetsOf } from './collect-fields.ts'
import { argumentOf } from './document-argument.ts'
import { filterableIn } from './filterable-in.ts'
import type {
  ConnectionMember,
  ConnectionShape,
  CursorShape,
  EdgeMember,
  ObjectShape,
  PageInfoMember,
} from './operation-plan.ts'
import { planAggregates, planGroups } from './plan-aggregates.ts'
import type { PlanContext } from './plan-context.ts'

/** Plans the selection on a row. Passed in by `plan-object.ts`, which needs this file for its collections. */
export type PlanObject = (
  fields: readonly SelectedField[],
  entity: EntityType,
  draft: LevelDraft,
  context: PlanContext,
) => ObjectShape

/** Plans a list of an entity's rows: a root field, or with `keyColumns` a collection of the rows above. */
export function planConnection(
  fields: readonly SelectedField[],
  { entity, keyColumns }: { readonly entity: EntityType; readonly keyColumns?: readonly Column[] },
  planObject: PlanObject,
  context: PlanContext,
): { readonly level: LevelPlan; readonly connection: ConnectionShape } {
  const field = fields[0]?.node
  invariant(field !== undefined, 'a response key has at least one field')
  const argument = (name: string) => argumentOf(field, name, context)

  const argumentNames = field.arguments?.map(({ name }) => name.value) ?? []
  const filterable = filterableIn(context, entity)
  const typed = typedArguments(entity)
  const filter = readFilter(argumentNames, argument, filterable, typed)
  const typedOrder = readOrderBy(argument(typed.orderBy), filterable)
  const isPart = pageArguments.some((name) => isGiven(argument(name)))
  const isSorted = isPart || entity.sortsWholeLists === true
  const readTerms = (everyColumn: boolean) =>
    readOrder(argument('asc'), argument('desc'), filterable, entity.table, everyColumn, typedOrder)
  const hasKey = tellingColumnsOf(entity.table).length > 0
  const numberedBy = hasKey ? undefined : readTerms(true)
  const cursorOrder = numberedBy === undefined ? readTerms(false) : byPosition
  const order = orderTag(entity.table, [...(numberedBy ?? []), ...cursorOrder])
  const page = readPage(
    {
      offset: argument('offset'),
      limit: argument('limit'),
      after: argument('after'),
      before: argument('before'),
      first: argument('first'),
      last: argument('last'),
    },
    order,
  )

  const draft = new LevelDraft()
  const aggregates: AggregateDraft[] = []
  const connection = planMembers(fields, entity, {
    draft,
    aggregates,
    orderBy: cursorOrder,
    order,
    planObject,
    context,
  })
  const usesPosition = page.after ?? page.before ?? draft.columns.includes(positionColumn)
  const select = {
    table: entity.table,
    rights: entity.rights,
    columns: draft.columns,
    filter,
    ...(numberedBy === undefined
      ? { orderBy: cursorOrder }
      : usesPosition
        ? { orderBy: cursorOrder, numberedBy }
        : { orderBy: readTerms(isSorted) }),
    page,
    wanted: wantedOf(connection),
    ...(aggregates.length > 0 && { aggregates }),
    ...(keyColumns && { keyColumns }),
  }
  const timesShown = connection.members.filter(({ shape }) => shape.kind === 'edges').length
  return { level: { select, timesShown, relations: draft.relations }, connection }
}

const pageArguments = ['offset', 'limit', 'first', 'last', 'after', 'before']

/** Rows without a unique key are distinguished by their positions in the list. */
const byPosition: readonly OrderTerm[] = [{ column: positionColumn, direction: 'asc' }]

const listArguments: ReadonlySet<string> = new Set(listArgumentNames)

/** The names of the typed arguments of an entity's lists. */
function typedArguments({ filterable: { columns } }: EntityType) {
  const isField = (name: string) => columns.has(name)
  return { where: typedArgumentName('where', isField), orderBy: typedArgumentName('orderBy', isField) }
}

/** Equality arguments, `filters` and `where`, combined by AND. */
function readFilter(
  argumentNames: readonly string[],
  argument: (name: string) => ReturnType<typeof argumentOf>,
  filterable: Filterable,
  typed: ReturnType<typeof typedArguments>,
): Filter {
  const isEquality = (name: string) =>
    !listArguments.has(name) && name !== typed.where && name !== typed.orderBy
  const equalities = argumentNames
    .filter((name) => isEquality(name) && argument(name).ask('kind') !== 'absent')
    .map((name) => readEquality(name, argument(name), filterable))
  const filters = isGiven(argument('filters')) ? [readFilters(argument('filters'), filterable)] : []
  const where = isGiven(argument(typed.where)) ? [readWhere(argument(typed.where), filterable)] : []
  return { kind: 'and', filters: [...equalities, ...filters, ...where] }
}

interface MemberContext {
  readonly draft: LevelDraft
  readonly aggregates: AggregateDraft[]
  readonly orderBy: readonly OrderTerm[]
  readonly order: string
  readonly planObject: PlanObject
  readonly context: PlanContext
}

function planMembers(
  fields: readonly SelectedField[],
  entity: EntityType,
  members: MemberContext,
): ConnectionShape {
  const typeName = connectionTypeName(entity.name)
  const selected = collectFields(selectionSetsOf(fields), typeName, [], members.context)
  return {
    members: [...selected].map(([key, subfields]) => ({
      key,
      shape: planMember(subfields, typeName, entity, members),
    })),
  }
}

function planMember(
  fields: readonly SelectedField[],
  typeName: string,
  entity: EntityType,
  members: MemberContext,
): ConnectionMember {
  const name = fields[0]?.node.name.value
  switch (name) {
    case 'edges':
      return { kind: 'edges', members: planEdges(fields, entity, members) }
    case 'pageInfo':
      return { kind: 'pageInfo', members: planPageInfo(fields, members) }
    case 'totalCount':
      return { kind: 'totalCount' }
    case 'aggregates':
      return planAllRows(fields, entity, members)
    case 'groups':
      return planGroupsOrFail(fields, entity, members)
    default:
      invariant(name === '__typename', `${name} is a field of ${typeName}`)
      return { kind: 'typeName', name: typeName }
  }
}

function planGroupsOrFail(
  fields: readonly SelectedField[],
  entity: EntityType,
  { aggregates, context }: MemberContext,
): ConnectionMember {
  const locations = locationsOf(fields)
  try {
    const { draft, object } = planGroups(fields, entity, context)
    return { kind: 'groups', index: aggregates.push(draft) - 1, object, locations }
  } catch (error) {
    if (error instanceof AppError) return { kind: 'failed', error, locations }
    throw error
  }
}

/** All fields `aggregates` of a list share a statement. */
function planAllRows(
  fields: readonly SelectedField[],
  entity: EntityType,
  { aggregates, context }: MemberContext,
): ConnectionMember {
  const known = aggregates.findIndex(({ by }) => by === undefined)
  const index = known === -1 ? aggregates.push(new AggregateDraft()) - 1 : known
  const draft = aggregates[index]
  invariant(draft !== undefined, 'the draft was found or made')
  const object = planAggregates(fields, { entity, draft, context })
  return { kind: 'aggregates', index, object, values: draft.values, locations: locationsOf(fields) }
}

function planEdges(
  fields: readonly SelectedField[],
  entity: EntityType,
  { draft, planObject, context, orderBy, order }: MemberContext,
) {
  const typeName = edgeTypeName(entity.name)
  const selected = collectFields(selectionSetsOf(fields), typeName, [], context)
  return [...selected].map(([key, subfields]): { key: string; shape: EdgeMember } => {
    const name = subfields[0]?.node.name.value
    switch (name) {
      case 'node':
        return { key, shape: { kind: 'node', object: planObject(subfields, entity, draft, context) } }
      case 'cursor':
        return { key, shape: { kind: 'cursor', cursor: cursorShape({ draft, orderBy, order }) } }
      default:
        invariant(name === '__typename', `${name} is a field of ${typeName}`)
        return { key, shape: { kind: 'typeName', name: typeName } }
    }
  })
}

function planPageInfo(fields: readonly SelectedField[], { draft, context, orderBy, order }: MemberContext) {
  const selected = collectFields(selectionSetsOf(fields), 'PageInfo', [], context)
  return [...selected].map(([key, subfields]): { key: string; shape: PageInfoMember } => {
    const name = subfields[0]?.node.name.value
    switch (name) {
      case 'hasNextPage':
      case 'hasPreviousPage':
        return { key, shape: { kind: name } }
      case 'startCursor':
      case 'endCursor':
        return { key, shape: { kind: name, cursor: cursorShape({ draft, orderBy, order }) } }
      default:
        invariant(name === '__typename', `${name} is a field of PageInfo`)
        return { key, shape: { kind: 'typeName', name: 'PageInfo' } }
    }
  })
}

function cursorShape({
  draft,
  orderBy,
  order,
}: Pick<MemberContext, 'draft' | 'orderBy' | 'order'>): CursorShape {
  return { order, positions: orderBy.map(({ column }) => draft.storedPositionOf(column)) }
}

function wantedOf({ members }: ConnectionShape): Wanted {
  const shapes = members.map(({ shape }) => shape)
  const inPageInfo = shapes
    .flatMap((shape) => (shape.kind === 'pageInfo' ? shape.members : []))
    .map(({ shape }) => shape.kind)
  return {
    rows:
      shapes.some(({ kind }) => kind === 'edges') ||
      inPageInfo.some((kind) => kind === 'startCursor' || kind === 'endCursor'),
    total: shapes.some(({ kind }) => kind === 'totalCount'),
    hasNextPage: inPageInfo.includes('hasNextPage'),
    hasPreviousPage: inPageInfo.includes('hasPreviousPage'),
  }
}
