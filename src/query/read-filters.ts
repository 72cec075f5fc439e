/** From the filter arguments of a request to one `Filter`. The same for GraphQL and for published APIs. */
import type { Column } from '../database/database-schema.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { shortName, shortValue } from '../util/short-name.ts'
import { type Argument, itemsOf } from './argument.ts'
import { ConditionTally, conditionLimit } from './condition-tally.ts'
import { type Filter, type Operator, operators, type Quantifier, quantifiers } from './filter.ts'
import { type Filterable, type RelatedRows, relatedPath } from './filterable.ts'
import { invalid } from './invalid-argument.ts'
import { jsonNameOf } from './json-path.ts'
import { readColumnCondition } from './read-column-condition.ts'
import { readJsonCondition } from './read-json-condition.ts'

/** Equality with one value, with any value of a list, or with null. */
export function readEquality(name: string, argument: Argument, filterable: Filterable): Filter {
  const isList = argument.ask('kind') === 'list'
  const filter = readCondition(name, isList ? 'in' : '==', argument, argument.label, filterable)
  const column = isList && argument.ask('holdsNull') ? filterable.columns.get(name) : undefined
  const orNull: readonly Filter[] = column === undefined ? [] : [{ kind: 'isNull', column, negated: false }]
  return new ConditionTally(argument.label).whole(anyOf([filter, ...orNull]))
}

function anyOf(filters: readonly Filter[]): Filter {
  const some = filters.filter((filter) => filter.kind !== 'or' || filter.filters.length > 0)
  return some.length === 1 && some[0] !== undefined ? some[0] : { kind: 'or', filters: some }
}

/**
 * The composite filter: a list is AND, a nested list OR, and deeper lists alternate. AND of nothing selects all rows, OR of
 * nothing none.
 */
export function readFilters(argument: Argument, filterable: Filterable): Filter {
  const tally = new ConditionTally(argument.label)
  return tally.whole(readGroups(argument, { filterable, nesting: 1, tally }))
}

export const nestingLimit = 20
/** How many names a path such as `tenant.name` may have. */
export const pathLimit = 8

/** How filters are read on one level. */
export interface Level {
  readonly filterable: Filterable
  /** In how many groups it is. */
  readonly nesting: number
  /** Of the whole filter. */
  readonly tally: ConditionTally
}

function readGroups(argument: Argument, level: Level): Filter {
  switch (argument.ask('kind')) {
    case 'absent':
    case 'null':
      return { kind: 'and', filters: [] }
    case 'list':
      return { kind: 'and', filters: itemsOf(argument).map((item) => readElement(item, 'or', level)) }
    case 'object':
      return readElement(argument, 'or', level)
    case 'scalar':
      throw invalid(argument.label, 'takes a list of filters such as [{key: "name", op: "==", val: "x"}]')
  }
}

function readElement(element: Argument, kindOfList: 'and' | 'or', level: Level): Filter {
  const { nesting, tally } = level
  if (nesting > nestingLimit) throw invalid(element.label, `is nested deeper than ${nestingLimit} groups`)
  switch (element.ask('kind')) {
    case 'object':
      return readFilter(element, level)
    case 'list': {
      const items = itemsOf(element)
      if (items.length === 0) tally.add()
      const kindInside = kindOfList === 'or' ? 'and' : 'or'
      return {
        kind: kindOfList,
        filters: items.map((item) => readElement(item, kindInside, { ...level, nesting: nesting + 1 })),
      }
    }
    default:
      throw invalid(element.label, 'takes a filter {key, op, val} or a list of them')
  }
}

const filterKeys = ['key', 'op', 'val']

function readFilter(element: Argument, level: Level): Filter {
  const { filterable, tally } = level
  tally.add()
  const unknown = element.ask('keys').find((key) => !filterKeys.includes(key))
  if (unknown !== undefined) {
    throw invalid(
      element.label,
      `has the unknown key "${shortName(unknown)}"; a filter takes key, op and val`,
    )
  }
  const name = element.member('key').ask('value')
  if (typeof name !== 'string') throw invalid(`${element.label}.key`, 'takes the name of a field')
  if (!filterable.columns.has(name)) refuseLongPath(name, `${element.label}.key`)
  const operator = element.member('op').ask('value')
  const value = element.member('val')
  const quantifier = quantifiers.find((known) => known === operator)
  if (quantifier !== undefined) return readQuantified(name, quantifier, value, level)
  const comparison = operators.find((known) => known === operator)
  if (comparison === undefined) {
    throw invalid(
      `${element.label}.op`,
      `takes one of ${[...operators, ...quantifiers].join(', ')}, not ${shortValue(operator)}`,
    )
  }
  if (value.ask('kind') === 'absent') throw invalid(value.label, 'is missing')
  return readCondition(name, comparison, value, element.label, filterable)
}

/** Throws PARAMETER_INVALID for a path with too many names. */
export function refuseLongPath(path: string, label: string): void {
  const { field } = jsonNameOf(path) ?? { field: path }
  if (field.split('.').length > pathLimit)
    throw invalid(label, `has more than ${pathLimit} names, which is the limit for a path`)
}

/** How many of the related rows must match: of those that references lead to before, there is one at most. */
function readQuantified(
  name: string,
  quantifier: Quantifier,
  value: Argument,
  { filterable, nesting, tally }: Level,
): Filter {
  const steps = relatedPath(name, filterable)
  const last = steps?.at(-1)
  if (steps === undefined || last === undefined) {
    throw invalid(
      value.label,
      `: "${quantifier}" works on the name of a reference or a collection, and ${JSON.stringify(shortName(name))} is none`,
    )
  }
  if (value.ask('kind') !== 'list') {
    throw invalid(
      value.label,
      `takes a list of filters such as [{key: "name", op: "==", val: "x"}], because the operator is "${quantifier}"`,
    )
  }
  if (nesting >= nestingLimit) throw invalid(value.label, `is nested deeper than ${nestingLimit} groups`)
  const inner: Filter = {
    ...relationOf(last),
    quantifier,
    filter: readGroups(value, { filterable: last.filterable, nesting: nesting + 1, tally }),
  }
  return steps.slice(0, -1).reduceRight<Filter>((filter, step) => {
    refuseSeveral(name, step, value.label)
    return { ...relationOf(step), quantifier: 'some', filter }
  }, inner)
}

/** What a filter on related rows has of the relation. */
export function relationOf({ table, own, other, rights }: RelatedRows) {
  return { kind: 'related', table, own, other, rights } as const
}

/** Which of several rows a path means is not clear. */
function refuseSeveral(path: string, { isList, table }: RelatedRows, label: string): void {
  if (!isList) return
  throw invalid(
    label,
    `: ${JSON.stringify(shortName(path))} leads to several rows of ${table.name}; use one of the operators ${quantifiers.join(', ')}, with the filters on these rows as val`,
  )
}

/** A condition on a field, or on one that a path through references leads to. */
export function readCondition(
  name: string,
  operator: Operator,
  value: Argument,
  label: string,
  filterable: Filterable,
): Filter {
  if (name === filterable.globalId?.name)
    return readGlobalIdCondition(filterable.globalId, operator, value, label)
  const isColumn = filterable.columns.has(name)
  const inside = isColumn ? undefined : jsonNameOf(name)
  const dot = isColumn ? -1 : (inside?.field ?? name).indexOf('.')
  const related = dot === -1 ? undefined : filterable.related?.(name.slice(0, dot))
  if (related !== undefined) {
    refuseSeveral(name, related, label)
    const filter = readCondition(name.slice(dot + 1), operator, value, label, related.filterable)
    return { ...relationOf(related), quantifier: 'some', filter }
  }
  if (inside === undefined) return readColumnCondition(columnNamed(name, label, filterable), operator, value)
  const column = columnNamed(inside.field, label, filterable)
  return readJsonCondition({ column, path: inside.path, label }, operator, value)
}

function readGlobalIdCondition(
  globalId: NonNullable<Filterable['globalId']>,
  operator: Operator,
  value: Argument,
  label: string,
): Filter {
  if (operator !== '==' && operator !== 'in') {
    throw invalid(label, `: ${globalId.name} can be compared with == and in only`)
  }
  const { length } = itemsOf(value)
  if (length > conditionLimit) throw invalid(value.label, `takes at most ${conditionLimit} values`)
  return { kind: 'or', filters: itemsOf(value).map((item) => globalIdFilter(globalId, item)) }
}

/** The row with a global id; no row if the id is of another type. */
export function globalIdFilter(globalId: NonNullable<Filterable['globalId']>, id: Argument): Filter {
  const { key, rowNumber } = globalId
  const type = id.ask('globalIdType')
  if (type === null) throw invalid(id.label, 'takes a GlobalId as this API gave it')
  if (!isTypeOf(globalId, type)) return { kind: 'or', filters: [] }
  const nulls = id.ask('globalIdNulls')
  const hasNull = nulls?.slice(0, key.length).includes(true) ?? false
  const columns = hasNull && rowNumber !== undefined ? [...key, rowNumber] : key
  if (nulls !== null && nulls.length !== columns.length)
    throw invalid(id.label, 'takes a GlobalId as this API gave it')
  const parts = columns.map((column, position): Filter => {
    if (nulls?.[position]) return { kind: 'isNull', column, negated: false }
    const value = {
      kind: 'part',
      of: id.source,
      encoding: 'globalId',
      position,
      count: key.length,
      label: id.label,
    } as const
    return { kind: 'isKey', column, value, isStored: nulls !== null }
  })
  return { kind: 'and', filters: parts }
}

/** Whether a GlobalId of the named type may belong to a row of this table. */
export function isTypeOf(
  { typeName, earlierTypeNames = [] }: NonNullable<Filterable['globalId']>,
  type: string,
): boolean {
  return type === typeName || earlierTypeNames.includes(type)
}

/** The column behind a name in the request. */
export function columnNamed(
  name: string,
  label: string,
  { columns, suggestsNames = true }: Filterable,
): Column {
  const column = columns.get(name)
  if (column !== undefined) return column
  const advice = suggestsNames ? didYouMean(name, columns.keys()) : ''
  throw invalid(label, `names the unknown field ${JSON.stringify(shortName(name))}${advice}`)
}
