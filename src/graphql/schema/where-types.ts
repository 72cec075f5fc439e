/** The types of the arguments `where` and `orderBy`. */
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { type TimeUnit, timeUnits } from '../../database/aggregate-syntax.ts'
import type { Column } from '../../database/database-schema.ts'
import { invariant } from '../../errors/invariant.ts'
import { orderDirections } from '../../query/read-order-by.ts'
import { jsonMember, type WhereOperator, whereMember } from '../../query/read-where.ts'
import { jsonTypes, textTypes } from '../../query/text-types.ts'
import type { EntityField, EntityType } from '../model/model.ts'
import { globalIdField, listWhereTypeName, orderByTypeName, whereTypeName } from '../model/naming.ts'
import { scalarOfColumn } from '../model/type-mapping.ts'
import { genericScalar, scalarsByName } from './scalars.ts'

/** The types of one entity's conditions and orders. */
export interface TypedArguments {
  readonly where: GraphQLInputObjectType
  readonly orderBy: GraphQLInputObjectType
  /** Conditions on the rows of a collection. */
  readonly listWhere: GraphQLInputObjectType
}

/** The types that all entities share. */
export interface SharedInputs {
  readonly direction: GraphQLEnumType
  readonly timeUnit: GraphQLEnumType
  /** The conditions on a value. */
  comparisonNamed(name: string): GraphQLInputObjectType
}

export function sharedInputs(): SharedInputs {
  const scalars = [...new Set(Object.values(scalarOfColumn))].map(scalarNamed)
  const types = [
    ...scalars.map((scalar) => comparisonType(`${scalar.name}_Comparison`, scalar, valueOperators)),
    ...textComparisons(),
    comparisonType(globalIdComparison, GraphQLID, ['eq', 'in']),
  ]
  const comparisons = new Map(types.map((type) => [type.name, type]))
  return {
    direction: new GraphQLEnumType({
      name: 'OrderDirection',
      description: 'The direction of an order: from the lowest value, or from the highest.',
      values: Object.fromEntries(
        Object.keys(orderDirections).map((name) => [name, { description: directions[name as Direction] }]),
      ),
    }),
    timeUnit: new GraphQLEnumType({
      name: 'TimeUnit',
      description: 'A unit of time, in UTC.',
      values: Object.fromEntries(timeUnits.map((unit) => [unit, { description: units[unit] }])),
    }),
    comparisonNamed: (name) => existing(comparisons.get(name)),
  }
}

type Direction = keyof typeof orderDirections

const directions: Readonly<Record<Direction, string>> = {
  ASC: 'From the lowest value.',
  DESC: 'From the highest value.',
}

const units: Readonly<Record<TimeUnit, string>> = {
  HOUR: 'Hours of a day.',
  DAY: 'Days.',
  MONTH: 'Months of a year.',
  YEAR: 'Years.',
}

/** The name of the type of conditions on a `GlobalId`. */
export const globalIdComparison = 'ID_Comparison'

const textOperators: readonly WhereOperator[] = [
  'startsWith',
  'endsWith',
  'contains',
  'iequals',
  'istartsWith',
  'iendsWith',
  'icontains',
]

const valueOperators: readonly WhereOperator[] = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'in',
  'notIn',
  'isNull',
]

const descriptions: Readonly<Record<WhereOperator, string>> = {
  eq: 'Equal to this value; null matches rows without a value.',
  ne: 'Another value than this one; with null, any value.',
  lt: 'Less than this value.',
  lte: 'Less than this value, or equal.',
  gt: 'Greater than this value.',
  gte: 'Greater than this value, or equal.',
  between: 'From the first to the second of two values, both included. Example: [1, 9]',
  in: 'One of these values; null among them is no value.',
  notIn: 'A value, and none of these.',
  isNull: 'true: there is no value; false: there is one.',
  startsWith: 'Begins with this text.',
  endsWith: 'Ends with this text.',
  contains: 'Has this text in it.',
  iequals: 'This text, whether letters are upper or lower case.',
  istartsWith: 'Begins with this text, whether letters are upper or lower case.',
  iendsWith: 'Ends with this text, whether letters are upper or lower case.',
  icontains: 'Has this text in it, whether letters are upper or lower case.',
}

function comparisonType(
  name: string,
  scalar: GraphQLScalarType,
  operators: readonly WhereOperator[],
): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name,
    description: `Conditions on a value of the type ${scalar.name}. All of them have to be met.`,
    fields: operatorFields(scalar, operators),
  })
}

function operatorFields(
  scalar: GraphQLScalarType,
  operators: readonly WhereOperator[],
): GraphQLInputFieldConfigMap {
  return Object.fromEntries(
    operators.map((operator) => [
      operator,
      { type: operandType(operator, scalar), description: descriptions[operator] },
    ]),
  )
}

/** Of texts and of JSON, which is shown as text; and of what is shown as a text that is no JSON. */
function textComparisons(): readonly GraphQLInputObjectType[] {
  const text = scalarNamed('String')
  const part = new GraphQLInputObjectType({
    name: 'Json_Comparison',
    description:
      'Conditions on a value inside JSON. All of them have to be met. Values of different kinds are unequal.',
    fields: {
      path: {
        type: new GraphQLNonNull(GraphQLString),
        description:
          'Where the value is: keys of objects and numbers of items of arrays, counted from 0, with dots between them. Examples: "a.b", "tags.0"',
      },
      ...operatorFields(genericScalar, valueOperators),
      ...operatorFields(text, textOperators),
    },
  })
  const operators = operatorFields(text, [...valueOperators, ...textOperators])
  const withJson = {
    ...operators,
    [jsonMember]: {
      type: new GraphQLList(new GraphQLNonNull(part)),
      description: 'Conditions on values inside the JSON that the text is. Example: {path: "a.b", gt: 5}',
    },
  }
  const description = 'Conditions on a text. All of them have to be met.'
  return [
    new GraphQLInputObjectType({ name: 'Text_Comparison', description, fields: withJson }),
    new GraphQLInputObjectType({ name: 'PlainText_Comparison', description, fields: operators }),
  ]
}

function operandType(operator: WhereOperator, scalar: GraphQLScalarType): GraphQLInputType {
  switch (operator) {
    case 'between':
      return new GraphQLList(new GraphQLNonNull(scalar))
    case 'in':
    case 'notIn':
      return new GraphQLList(scalar)
    case 'isNull':
      return GraphQLBoolean
    default:
      return scalar
  }
}

/** `types` has those of other entities when the fields are asked for. */
export function typedArguments(
  entity: EntityType,
  types: ReadonlyMap<string, TypedArguments>,
  shared: SharedInputs,
): TypedArguments {
  const where: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: whereTypeName(entity.name),
    description: `Conditions on rows of ${entity.name}. All of them have to be met.`,
    fields: () => whereFields(entity, types, shared, where),
  })
  const listWhere = new GraphQLInputObjectType({
    name: listWhereTypeName(entity.name),
    description: `How many of the rows of ${entity.name} have to meet a condition.`,
    fields: () => ({
      some: { type: where, description: 'At least one row meets it.' },
      every: { type: where, description: 'All rows meet it, or there is none.' },
      none: { type: where, description: 'No row meets it.' },
    }),
  })
  const orderBy = new GraphQLInputObjectType({
    name: orderByTypeName(entity.name),
    description: `What rows of ${entity.name} are sorted by: one field. A list sorts by several.`,
    fields: () => orderByFields(entity, types, shared),
  })
  return { where, listWhere, orderBy }
}

function whereFields(
  entity: EntityType,
  types: ReadonlyMap<string, TypedArguments>,
  shared: SharedInputs,
  where: GraphQLInputObjectType,
): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {}
  const isField = (name: string) => entity.fields.has(name)
  for (const field of entity.fields.values())
    fields[whereMember(field.name, isField)] = {
      type: whereTypeOf(field, types, shared),
      description: descriptionOf(field),
    }
  if (entity.key.length > 0)
    fields[globalIdField] = {
      type: shared.comparisonNamed(globalIdComparison),
      description: 'Conditions on the id of the row.',
    }
  const list = new GraphQLList(new GraphQLNonNull(where))
  fields.and = { type: list, description: 'All of these conditions.' }
  fields.or = { type: list, description: 'At least one of these conditions.' }
  fields.not = { type: where, description: 'The rows that do not meet this condition.' }
  return fields
}

function whereTypeOf(
  field: EntityField,
  types: ReadonlyMap<string, TypedArguments>,
  shared: SharedInputs,
): GraphQLInputObjectType {
  if (field.kind === 'scalar') return shared.comparisonNamed(comparisonOf(field.column))
  const target = existing(types.get(field.target))
  return field.kind === 'reference' ? target.where : target.listWhere
}

/** The name of the type of conditions on a column. */
export function comparisonOf({ type }: Column): string {
  const text = jsonTypes.has(type) ? 'Text' : 'PlainText'
  return `${textTypes.has(type) ? text : scalarOfColumn[type]}_Comparison`
}

/** The same texts for all fields, for the sake of memory. */
function descriptionOf(field: EntityField): string {
  switch (field.kind) {
    case 'scalar':
      return field.column.comment ?? 'Conditions on its value.'
    case 'reference':
      return 'Conditions on the row that it leads to; without one the row does not match.'
    case 'collection':
      return 'How many of its rows meet a condition.'
  }
}

function orderByFields(
  { fields }: EntityType,
  types: ReadonlyMap<string, TypedArguments>,
  { direction }: SharedInputs,
): GraphQLInputFieldConfigMap {
  const map: GraphQLInputFieldConfigMap = {}
  for (const field of fields.values()) {
    if (field.kind === 'scalar') map[field.name] = { type: direction, description: 'By its value.' }
    if (field.kind === 'reference')
      map[field.name] = {
        type: existing(types.get(field.target)).orderBy,
        description: 'By a field of the row that it leads to.',
      }
  }
  return map
}

function scalarNamed(name: string): GraphQLScalarType {
  return existing(scalarsByName.get(name))
}

function existing<Value>(value: Value | undefined): Value {
  invariant(value !== undefined, 'each entity and each type of columns has input types')
  return value
}
