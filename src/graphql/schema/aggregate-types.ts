/** The types of aggregates and groups: the fields `aggregates` and `groups` of an entity's lists. */
import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
} from 'graphql'
import type { Column } from '../../database/database-schema.ts'
import { invariant } from '../../errors/invariant.ts'
import { isAggregated } from '../../query/aggregate-plan.ts'
import type { EntityType } from '../model/model.ts'
import { aggregateTypeNames, fieldEnumValue, havingTypeName } from '../model/naming.ts'
import { scalarOfColumn } from '../model/type-mapping.ts'
import { describeColumn } from './describe-column.ts'
import { groupOrderTypes, type ScalarFields } from './group-order-types.ts'
import { scalarsByName } from './scalars.ts'
import { comparisonOf, type SharedInputs } from './where-types.ts'

/** The functions that have a field for each field of the entity whose values they take. */
const fieldFunctions = ['countDistinct', 'sum', 'avg', 'min', 'max'] as const

type FieldFunction = (typeof fieldFunctions)[number]

/** The types of one entity. */
export interface AggregateTypes {
  /** The fields of its lists. */
  readonly fields: GraphQLFieldConfigMap<unknown, unknown>
  /** All types that are made for them. */
  readonly all: readonly GraphQLNamedType[]
}

interface TypeContext {
  readonly entity: EntityType
  readonly inputs: SharedInputs
}

const descriptions: Readonly<Record<FieldFunction, string>> = {
  countDistinct: 'How many different values fields have. Nulls do not count.',
  sum: 'Sums of fields, exact for whole numbers and decimals; null without a value.',
  avg: 'Averages of fields: the sum as a 64-bit number, divided by the number of values; null without a value.',
  min: 'The least values of fields, texts by code point; null without a value.',
  max: 'The greatest values of fields, texts by code point; null without a value.',
}

export function aggregateTypes(context: TypeContext): AggregateTypes {
  const { entity } = context
  const names = aggregateTypeNames(entity.name)
  const scalars: ScalarFields = [...entity.fields.values()].flatMap((field) =>
    field.kind === 'scalar' ? [field] : [],
  )
  const field = fieldEnum(entity, scalars)
  const values = valueTypes(scalars, context)
  const shared = sharedFields(values, field)
  const aggregates = new GraphQLObjectType({
    name: names.aggregates,
    description: `What is computed of all rows of ${entity.name} in a list, on all pages together.`,
    fields: shared,
  })
  const grouping = field && groupingTypes(scalars, { ...context, shared, values, field })
  return {
    fields: {
      aggregates: {
        type: aggregates,
        description: 'Counts, sums, averages and extremes of all rows that match, on all pages together.',
      },
      ...(grouping && { groups: grouping.groups }),
    },
    all: [
      aggregates,
      ...(field ? [field] : []),
      ...(grouping?.all ?? []),
      ...new Set([...values.values()].flatMap(({ output, having }) => [output, having])),
    ],
  }
}

function fieldEnum({ name, fields }: EntityType, scalars: ScalarFields): GraphQLEnumType | undefined {
  if (scalars.length === 0) return undefined
  const isField = (name: string) => fields.has(name)
  return new GraphQLEnumType({
    name: aggregateTypeNames(name).field,
    description: `A field of ${name}.`,
    values: () =>
      Object.fromEntries(
        scalars.map(({ name, column }) => [
          fieldEnumValue(name, isField),
          { description: describeColumn(column) },
        ]),
      ),
  })
}

interface ValueTypes {
  readonly output: GraphQLObjectType
  readonly having: GraphQLInputObjectType
}

/** By function, for those that take the values of a field. */
function valueTypes(
  scalars: ScalarFields,
  { entity, inputs }: TypeContext,
): ReadonlyMap<FieldFunction, ValueTypes> {
  const byName = new Map<string, ValueTypes>()
  const byFunction = new Map<FieldFunction, ValueTypes>()
  for (const fn of fieldFunctions) {
    const taken = scalars.filter(({ column }) => isAggregated(fn, column))
    if (taken.length === 0) continue
    const name = aggregateTypeNames(entity.name)[fn]
    const types = byName.get(name) ?? {
      output: new GraphQLObjectType({
        name,
        description: `One value for each field of ${entity.name}.`,
        fields: () => outputFields(fn, taken),
      }),
      having: new GraphQLInputObjectType({
        name: havingTypeName(name),
        description: `Conditions on one value for each field of ${entity.name}. All of them have to be met.`,
        fields: () => havingFields(fn, taken, inputs),
      }),
    }
    byName.set(name, types)
    byFunction.set(fn, types)
  }
  return byFunction
}

function outputFields(fn: FieldFunction, taken: ScalarFields): GraphQLFieldConfigMap<unknown, unknown> {
  return Object.fromEntries(
    taken.map(({ name, column }) => {
      const scalar = scalarNamed(scalarOfValue(fn, column))
      const type = fn === 'countDistinct' ? new GraphQLNonNull(scalar) : scalar
      return [name, { type, description: column.comment ?? 'Of the values of this field.' }]
    }),
  )
}

function havingFields(
  fn: FieldFunction,
  taken: ScalarFields,
  { comparisonNamed }: SharedInputs,
): GraphQLInputFieldConfigMap {
  return Object.fromEntries(
    taken.map(({ name, column }) => [
      name,
      {
        type: comparisonNamed(comparisonOfValue(fn, column)),
        description: column.comment ?? 'Conditions on that of this field.',
      },
    ]),
  )
}

function scalarOfValue(fn: FieldFunction, { type }: Column): string {
  switch (fn) {
    case 'countDistinct':
      return 'Int'
    case 'sum':
      return type === 'integer' ? 'BigInt' : scalarOfColumn[type]
    case 'avg':
      return 'Float'
    case 'min':
    case 'max':
      return scalarOfColumn[type]
  }
}

function comparisonOfValue(fn: FieldFunction, column: Column): string {
  return fn === 'min' || fn === 'max' ? comparisonOf(column) : `${scalarOfValue(fn, column)}_Comparison`
}

/** The names of the comparisons that conditions on the groups of an entity use. */
export function* usedComparisons({ fields }: EntityType): Generator<string> {
  yield 'Int_Comparison'
  for (const field of fields.values())
    if (field.kind === 'scalar')
      for (const fn of fieldFunctions)
        if (isAggregated(fn, field.column)) yield comparisonOfValue(fn, field.column)
}

/** The fields that aggregates and groups have in common. */
function sharedFields(
  values: ReadonlyMap<FieldFunction, ValueTypes>,
  field: GraphQLEnumType | undefined,
): GraphQLFieldConfigMap<unknown, unknown> {
  const count: GraphQLFieldConfig<unknown, unknown> = {
    type: new GraphQLNonNull(GraphQLInt),
    description: 'The number of rows; with `field`, of those in which the field is not null.',
    ...(field && { args: { field: { type: field, description: 'Rows in which this field is not null.' } } }),
  }
  const ofFields = [...values].map(([fn, { output }]) => [
    fn,
    { type: output, description: descriptions[fn] },
  ])
  return { count, ...Object.fromEntries(ofFields) }
}

interface GroupingParts extends TypeContext {
  readonly shared: GraphQLFieldConfigMap<unknown, unknown>
  readonly values: ReadonlyMap<FieldFunction, ValueTypes>
  readonly field: GraphQLEnumType
}

/** The field `groups`; undefined if rows cannot be grouped by any field. */
function groupingTypes(scalars: ScalarFields, { entity, inputs, ...parts }: GroupingParts) {
  const names = aggregateTypeNames(entity.name)
  const taken = scalars.filter(({ column }) => isAggregated('countDistinct', column))
  if (taken.length === 0) return undefined
  const keys = new GraphQLObjectType({
    name: names.keys,
    description: `What the rows of a group of ${entity.name} have in common.`,
    fields: () => outputFields('min', taken),
  })
  const group = new GraphQLObjectType({
    name: names.group,
    description: `Rows of ${entity.name} with the same keys.`,
    fields: {
      keys: {
        type: new GraphQLNonNull(keys),
        description: 'The values of the fields in `by`; with `every`, when the unit of time begins.',
      },
      ...parts.shared,
    },
  })
  const groupBy = new GraphQLInputObjectType({
    name: names.groupBy,
    description: `What rows of ${entity.name} are grouped by: one field. A list groups by several.`,
    fields: {
      field: { type: new GraphQLNonNull(parts.field), description: 'The field.' },
      every: { type: inputs.timeUnit, description: 'By units of time, in UTC: for dates and times.' },
    },
  })
  const having = havingType({ entity, inputs, ...parts })
  const { orderBy, ofFields } = groupOrderTypes(entity.name, scalars, inputs)
  const groups: GraphQLFieldConfig<unknown, unknown> = {
    type: new GraphQLList(new GraphQLNonNull(group)),
    description:
      'All rows that match, grouped by fields; sorted by the keys, unless `orderBy` says otherwise: null first, texts by code point.',
    args: {
      by: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(groupBy))),
        description: 'What to group by: at least one field.',
      },
      having: { type: having, description: 'Only groups that meet these conditions.' },
      orderBy: {
        type: new GraphQLList(new GraphQLNonNull(orderBy)),
        description:
          'What to sort by, before the keys: a list of objects with one value each. Example: [{count: DESC}]',
      },
      offset: { type: GraphQLInt, description: 'How many of the sorted groups to skip.' },
      limit: { type: GraphQLInt, description: 'How many of the sorted groups to return at most.' },
    },
  }
  return { groups, all: [keys, group, groupBy, having, orderBy, ...ofFields] }
}

function havingType({ entity, inputs, values }: GroupingParts): GraphQLInputObjectType {
  const having: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: aggregateTypeNames(entity.name).having,
    description: `Conditions on groups of ${entity.name}. All of them have to be met.`,
    fields: () => {
      const list = new GraphQLList(new GraphQLNonNull(having))
      return {
        count: {
          type: inputs.comparisonNamed('Int_Comparison'),
          description: 'Conditions on the number of rows.',
        },
        ...Object.fromEntries(
          [...values].map(([fn, types]): [string, { type: GraphQLInputType; description: string }] => [
            fn,
            { type: types.having, description: descriptions[fn] },
          ]),
        ),
        and: { type: list, description: 'All of these conditions.' },
        or: { type: list, description: 'At least one of these conditions.' },
        not: { type: having, description: 'The groups that do not meet this condition.' },
      }
    },
  })
  return having
}

function scalarNamed(name: string): GraphQLScalarType {
  const scalar = scalarsByName.get(name)
  invariant(scalar !== undefined, `there is a scalar ${name}`)
  return scalar
}
