/** From a typed order, such as `[{name: ASC}, {tenant: {id: DESC}}]`, to terms. */
import type { Argument } from './argument.ts'
import type { Filterable } from './filterable.ts'
import { invalid } from './invalid-argument.ts'
import type { OrderTerm } from './order-term.ts'
import { pathLimit } from './read-filters.ts'
import { orderItemsOf, termNamed } from './read-order.ts'

/** The directions, as clients write them. */
export const orderDirections = { ASC: 'asc', DESC: 'desc' } as const

/** Each item of the list names one field, or one of the row that a reference leads to. */
export function readOrderBy(argument: Argument, filterable: Filterable): readonly OrderTerm[] {
  return orderItemsOf(argument).map((item) => {
    const { path, direction } = readOrderItem(item)
    return termNamed(path.join('.'), item.label, direction, filterable)
  })
}

/** The names in an item such as `{tenant: {id: DESC}}`, and its direction. */
export function readOrderItem(item: Argument): {
  readonly path: readonly string[]
  readonly direction: OrderTerm['direction']
} {
  const path: string[] = []
  let value = item
  while (value.ask('kind') === 'object' && path.length <= pathLimit) {
    const given = value.ask('keys')
    const [name] = given
    if (name === undefined || given.length > 1)
      throw invalid(value.label, 'takes one field; a list has one object for each')
    path.push(name)
    value = value.member(name)
  }
  const wanted = value.ask('value')
  const direction = wanted === 'ASC' || wanted === 'DESC' ? orderDirections[wanted] : undefined
  if (direction === undefined || path.length === 0)
    throw invalid(value.label, 'takes ASC or DESC for a field, such as {name: ASC}')
  return { path, direction }
}
