/** From a condition on groups, such as `{count: {gt: 1}, sum: {speed: {lt: 9}}}`, to one `Filter` on the values of a draft. */
import type { AggregateFunction } from '../database/aggregate-syntax.ts'
import { type AggregateDraft, type AggregateValue, isAggregated, valueColumn } from './aggregate-plan.ts'
import { type Argument, itemsOf } from './argument.ts'
import { ConditionTally } from './condition-tally.ts'
import type { Filter } from './filter.ts'
import type { Filterable } from './filterable.ts'
import { invalid } from './invalid-argument.ts'
import { columnNamed, nestingLimit } from './read-filters.ts'
import { readOperators } from './read-where.ts'

/** All members of an object are combined by AND; an empty one matches all groups. */
export function readHaving(argument: Argument, filterable: Filterable, draft: AggregateDraft): Filter {
  const tally = new ConditionTally(argument.label)
  return tally.whole(readObject(argument, { filterable, draft, tally }, 1))
}

interface HavingContext {
  readonly filterable: Filterable
  readonly draft: AggregateDraft
  readonly tally: ConditionTally
}

function readObject(argument: Argument, context: HavingContext, nesting: number): Filter {
  if (nesting > nestingLimit) throw invalid(argument.label, `is nested deeper than ${nestingLimit} groups`)
  const filters = membersOf(argument).map(({ key, value }) => readMember(key, value, context, nesting))
  if (filters.length === 0) context.tally.add()
  return filters.length === 1 && filters[0] !== undefined ? filters[0] : { kind: 'and', filters }
}

/** The members that are given. */
function membersOf(argument: Argument): readonly { readonly key: string; readonly value: Argument }[] {
  const kind = argument.ask('kind')
  if (kind === 'absent' || kind === 'null') return []
  if (kind !== 'object') throw invalid(argument.label, 'takes an object such as {count: {gt: 1}}')
  return argument
    .ask('keys')
    .map((key) => ({ key, value: argument.member(key) }))
    .filter(({ value }) => value.ask('kind') !== 'absent')
}

function readMember(key: string, value: Argument, context: HavingContext, nesting: number): Filter {
  switch (key) {
    case 'and':
    case 'or':
      return { kind: key, filters: itemsOf(value).map((item) => readObject(item, context, nesting + 1)) }
    case 'not':
      return { kind: 'not', filter: readObject(value, context, nesting + 1) }
    case 'count':
      return readValue({ fn: 'rows' }, value, context)
    case 'countDistinct':
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return {
        kind: 'and',
        filters: membersOf(value).map((member) => readField(key, member.key, member.value, context)),
      }
    default:
      throw invalid(value.label, 'is unknown')
  }
}

function readField(fn: AggregateFunction, name: string, value: Argument, context: HavingContext): Filter {
  const column = columnNamed(name, value.label, context.filterable)
  if (!isAggregated(fn, column)) throw invalid(value.label, `: "${fn}" does not take the values of "${name}"`)
  return readValue({ fn, column }, value, context)
}

function readValue(value: AggregateValue, condition: Argument, { draft, tally }: HavingContext): Filter {
  if (condition.ask('kind') === 'null') return { kind: 'and', filters: [] }
  const column = valueColumn(value, draft.indexOf(value))
  const name = condition.label
  return readOperators(name, condition, { columns: new Map([[name, column]]) }, tally)
}
