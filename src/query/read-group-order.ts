/** From an order of groups, such as `[{count: DESC}, {keys: {name: ASC}}]`, to terms on the values of a draft. */
import type { AggregateFunction } from '../database/aggregate-syntax.ts'
import { type AggregateDraft, type GroupOrder, isAggregated } from './aggregate-plan.ts'
import { type Argument, itemsOf } from './argument.ts'
import type { Filterable } from './filterable.ts'
import { invalid } from './invalid-argument.ts'
import { columnNamed } from './read-filters.ts'
import { readOrderItem } from './read-order-by.ts'

/** By how many terms rows may be grouped, and groups sorted. */
export const mostGroupTerms = 20

/** Each item of the list names the number of rows, a value of a field, or a key. */
export function readGroupOrder(
  argument: Argument,
  filterable: Filterable,
  draft: AggregateDraft,
): readonly GroupOrder[] {
  const items = itemsOf(argument)
  if (items.length > mostGroupTerms)
    throw invalid(argument.label, `takes ${mostGroupTerms} values at most, not ${items.length}`)
  return items.map((item) => {
    const { path, direction } = readOrderItem(item)
    return { ...readTerm(path, item.label, filterable, draft), direction }
  })
}

function readTerm(
  [what = '', name = '']: readonly string[],
  label: string,
  filterable: Filterable,
  draft: AggregateDraft,
): Pick<GroupOrder, 'of' | 'index'> {
  switch (what) {
    case 'count':
      return { of: 'values', index: draft.indexOf({ fn: 'rows' }) }
    case 'keys':
      return { of: 'keys', index: keyNamed(name, label, filterable, draft) }
    case 'countDistinct':
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return { of: 'values', index: valueNamed(what, name, { label, filterable, draft }) }
    default:
      throw invalid(`${label}.${what}`, 'is unknown')
  }
}

function keyNamed(name: string, label: string, filterable: Filterable, { by = [] }: AggregateDraft): number {
  const column = columnNamed(name, label, filterable)
  const index = by.findIndex((term) => term.column.name === column.name)
  if (index === -1) throw invalid(`${label}.keys.${name}`, 'is not among the fields of "by"')
  return index
}

interface ValueContext {
  readonly label: string
  readonly filterable: Filterable
  readonly draft: AggregateDraft
}

function valueNamed(fn: AggregateFunction, name: string, { label, filterable, draft }: ValueContext): number {
  const column = columnNamed(name, label, filterable)
  if (!isAggregated(fn, column)) throw invalid(`${label}.${fn}`, `does not take the values of "${name}"`)
  return draft.indexOf({ fn, column })
}
