/** The types of the orders of groups. Functions that take the same fields share a type, for the sake of memory. */
import { GraphQLInputObjectType } from 'graphql'
import type { AggregateFunction } from '../../database/aggregate-syntax.ts'
import type { Column } from '../../database/database-schema.ts'
import { isAggregated } from '../../query/aggregate-plan.ts'
import { aggregateTypeNames } from '../model/naming.ts'
import type { SharedInputs } from './where-types.ts'

/** The fields of an entity that have values. */
export type ScalarFields = readonly { readonly name: string; readonly column: Column }[]

interface GroupOrderTypes {
  readonly orderBy: GraphQLInputObjectType
  /** The types of its fields. */
  readonly ofFields: readonly GraphQLInputObjectType[]
}

/** The types of one entity, of which there is a field that rows can be grouped by. */
export function groupOrderTypes(
  entity: string,
  scalars: ScalarFields,
  { direction }: SharedInputs,
): GroupOrderTypes {
  const names = aggregateTypeNames(entity)
  const byFields = (name: string, fn: AggregateFunction): GraphQLInputObjectType | undefined => {
    const taken = scalars.filter(({ column }) => isAggregated(fn, column))
    if (taken.length === 0) return undefined
    return new GraphQLInputObjectType({
      name,
      description: `A field of ${entity}.`,
      fields: () =>
        Object.fromEntries(
          taken.map((field) => [
            field.name,
            { type: direction, description: field.column.comment ?? 'This field.' },
          ]),
        ),
    })
  }
  const values = byFields(names.orderByValues, 'countDistinct')
  const numbers = byFields(names.orderByNumbers, 'sum')
  const extremes = byFields(names.orderByExtremes, 'min')
  const orderBy = new GraphQLInputObjectType({
    name: names.orderBy,
    description: `What groups of ${entity} are sorted by: one key or value. A list sorts by several.`,
    fields: {
      ...(values && { keys: { type: values, description: 'By a field that is in `by`.' } }),
      count: { type: direction, description: 'By the number of rows.' },
      ...(values && {
        countDistinct: { type: values, description: 'By how many different values a field has.' },
      }),
      ...(numbers && {
        sum: { type: numbers, description: 'By the sum of a field.' },
        avg: { type: numbers, description: 'By the average of a field.' },
      }),
      ...(extremes && {
        min: { type: extremes, description: 'By the least value of a field.' },
        max: { type: extremes, description: 'By the greatest value of a field.' },
      }),
    },
  })
  return { orderBy, ofFields: [values, numbers, extremes].filter((type) => type !== undefined) }
}
