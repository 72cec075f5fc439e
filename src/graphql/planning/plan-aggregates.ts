/** Plans the fields `aggregates` and `groups` of a list. */
import { timeUnits } from '../../database/aggregate-syntax.ts'
import type { Column } from '../../database/database-schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import {
  AggregateDraft,
  type AggregateValue,
  codecOfValue,
  type GroupPart,
  type GroupTerm,
  isAggregated,
} from '../../query/aggregate-plan.ts'
import { type Argument, isGiven, itemsOf } from '../../query/argument.ts'
import { codecOf } from '../../query/codec/codec-of.ts'
import { invalid } from '../../query/invalid-argument.ts'
import { mostGroupTerms, readGroupOrder } from '../../query/read-group-order.ts'
import { readHaving } from '../../query/read-having.ts'
import type { EntityType } from '../model/model.ts'
import { aggregateTypeNames, fieldEnumValue } from '../model/naming.ts'
import { collectFields, type SelectedField, selectionSetsOf } from './collect-fields.ts'
import { argumentOf } from './document-argument.ts'
import type { FieldShape, ObjectShape } from './operation-plan.ts'
import type { PlanContext } from './plan-context.ts'

interface AggregateContext {
  readonly entity: EntityType
  readonly draft: AggregateDraft
  readonly context: PlanContext
}

/** Plans a selection of what is computed of all rows. */
export function planAggregates(fields: readonly SelectedField[], of: AggregateContext): ObjectShape {
  const typeName = aggregateTypeNames(of.entity.name).aggregates
  return planSelection(fields, typeName, of, (name, subfields) => planValues(name, subfields, of))
}

/** Plans one field `groups`. */
export function planGroups(
  fields: readonly SelectedField[],
  entity: EntityType,
  context: PlanContext,
): { readonly draft: AggregateDraft; readonly object: ObjectShape } {
  const field = fields[0]?.node
  invariant(field !== undefined, 'a response key has at least one field')
  const by = readBy(argumentOf(field, 'by', context), entity)
  const draft = new AggregateDraft(by)
  const of = { entity, draft, context }
  const typeName = aggregateTypeNames(entity.name).group
  const object = planSelection(fields, typeName, of, (name, subfields) =>
    name === 'keys' ? planKeys(subfields, by, of) : planValues(name, subfields, of),
  )
  const having = argumentOf(field, 'having', context)
  if (isGiven(having)) draft.having = readHaving(having, entity.filterable, draft)
  const orderBy = argumentOf(field, 'orderBy', context)
  if (isGiven(orderBy)) draft.orderBy = readGroupOrder(orderBy, entity.filterable, draft)
  const countOf = (name: keyof GroupPart) => {
    const argument = argumentOf(field, name, context)
    return isGiven(argument) ? argument.source : undefined
  }
  draft.part = { offset: countOf('offset'), limit: countOf('limit') }
  return { draft, object }
}

function readBy(argument: Argument, entity: EntityType): readonly GroupTerm[] {
  const items = itemsOf(argument)
  if (items.length === 0) throw invalid(argument.label, 'takes at least one field, such as [{field: name}]')
  if (items.length > mostGroupTerms)
    throw invalid(argument.label, `takes ${mostGroupTerms} fields at most, not ${items.length}`)
  const terms = items.map((item) => readTerm(item, entity))
  for (const [index, { column }] of terms.entries()) {
    if (terms.findIndex((term) => term.column === column) < index)
      throw invalid(items[index]?.label ?? argument.label, `groups by "${column.name}" a second time`)
  }
  return terms
}

function readTerm(item: Argument, entity: EntityType): GroupTerm {
  const field = item.member('field')
  const column = columnOfEnum(field, entity)
  if (!isAggregated('countDistinct', column))
    throw invalid(field.label, `: "${column.name}" is JSON, by which rows cannot be grouped`)
  const every = item.member('every')
  if (!isGiven(every)) return { column }
  const unit = timeUnits.find((known) => known === every.ask('value'))
  if (unit === undefined) throw invalid(every.label, `takes one of ${timeUnits.join(', ')}`)
  if (column.type !== 'dateTime' && column.type !== 'date')
    throw invalid(every.label, `is for dates and times, and "${column.name}" is none`)
  if (column.type === 'date' && unit === 'HOUR')
    throw invalid(every.label, `takes DAY, MONTH or YEAR: "${column.name}" has days without a time`)
  return { column, every: unit }
}

/** The column of a field that a value of the entity's enum names. */
function columnOfEnum(argument: Argument, { fields }: EntityType): Column {
  const value = argument.ask('value')
  const isField = (name: string) => fields.has(name)
  for (const field of fields.values())
    if (field.kind === 'scalar' && fieldEnumValue(field.name, isField) === value) return field.column
  throw invalid(argument.label, 'takes the name of a field')
}

function planSelection(
  fields: readonly SelectedField[],
  typeName: string,
  { context }: AggregateContext,
  plan: (name: string, fields: readonly SelectedField[]) => FieldShape,
): ObjectShape {
  const selected = collectFields(selectionSetsOf(fields), typeName, [], context)
  return {
    members: [...selected].map(([key, subfields]) => {
      const name = subfields[0]?.node.name.value ?? ''
      const shape: FieldShape =
        name === '__typename' ? { kind: 'typeName', name: typeName } : plan(name, subfields)
      return { key, shape }
    }),
  }
}

function planKeys(
  fields: readonly SelectedField[],
  by: readonly GroupTerm[],
  of: AggregateContext,
): FieldShape {
  const typeName = aggregateTypeNames(of.entity.name).keys
  const object = planSelection(fields, typeName, of, (name) => {
    const column = columnNamed(name, of.entity)
    const position = by.findIndex((term) => term.column === column)
    if (position === -1)
      throw new AppError('PARAMETER_INVALID', {
        detail: `keys: "${name}" is not among the fields of "by", so the rows of a group may differ in it.`,
      })
    return { kind: 'column', position, codec: codecOf(column) }
  })
  return { kind: 'nested', object }
}

/** A field that aggregates and groups have in common. */
function planValues(name: string, fields: readonly SelectedField[], of: AggregateContext): FieldShape {
  switch (name) {
    case 'count':
      return planCount(fields, of)
    case 'countDistinct':
    case 'sum':
    case 'avg':
    case 'min':
    case 'max': {
      const typeName = aggregateTypeNames(of.entity.name)[name]
      const object = planSelection(fields, typeName, of, (field) =>
        shapeOf({ fn: name, column: columnNamed(field, of.entity) }, of),
      )
      return { kind: 'nested', object }
    }
    default:
      invariant(false, `${name} is a field of aggregates`)
  }
}

function planCount(fields: readonly SelectedField[], of: AggregateContext): FieldShape {
  const node = fields[0]?.node
  const field = node && argumentOf(node, 'field', of.context)
  return field !== undefined && isGiven(field)
    ? shapeOf({ fn: 'count', column: columnOfEnum(field, of.entity) }, of)
    : shapeOf({ fn: 'rows' }, of)
}

function shapeOf(value: AggregateValue, { draft }: AggregateContext): FieldShape {
  return { kind: 'column', position: draft.positionOf(value), codec: codecOfValue(value) }
}

function columnNamed(name: string, { fields }: EntityType): Column {
  const field = fields.get(name)
  invariant(field?.kind === 'scalar', `${name} is a field with a value`)
  return field.column
}
