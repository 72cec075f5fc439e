/** From a typed condition, such as `{name: {startsWith: "a"}, tenant: {id: {eq: 1}}}`, to one `Filter`. */
import { type Argument, itemsOf } from './argument.ts'
import { type Filter, type Operator, type Quantifier, quantifiers } from './filter.ts'
import type { Filterable } from './filterable.ts'
import { invalid } from './invalid-argument.ts'
import { bounded, columnNamed, nestingLimit, readCondition, relationOf } from './read-filters.ts'
import { readJsonCondition } from './read-json-condition.ts'

/** The operators of a typed condition on a field, and what the same is in `filters`. */
const whereOperators = {
  eq: '==',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  between: 'between',
  in: 'in',
  notIn: 'not in',
  isNull: 'isnull',
  startsWith: 'starts',
  endsWith: 'ends',
  contains: 'contains',
  iequals: 'iequals',
  istartsWith: 'istarts',
  iendsWith: 'iends',
  icontains: 'icontains',
} as const satisfies Readonly<Record<string, Operator>>

export type WhereOperator = keyof typeof whereOperators

/** The member of a condition on a field with those on values inside its JSON, such as `{at: {path: "a.b", gt: 5}}`. */
export const jsonMember = 'at'

/** The members of a condition that combine others. */
const whereGroups = ['and', 'or', 'not'] as const

/** The member for a field: its name, with `_` behind it as long as that is the name of a group or of another field. */
export function whereMember(field: string, isField: (name: string) => boolean): string {
  let member = field
  while (isGroup(member) || (member !== field && isField(member))) member += '_'
  return member
}

/** All members of an object are combined by AND; an empty one matches all rows. */
export function readWhere(argument: Argument, filterable: Filterable): Filter {
  return bounded(readObject(argument, filterable, 1), argument.label)
}

/**
 * Throws PARAMETER_INVALID if the condition on a field says nothing, such as `{id: {}}`, which a program sends that did not have the value. A
 * query leaves it out; a write would change more rows. For conditions that `readWhere` has read. Objects without fields are left alone: they
 * mean all rows, or that there is a related one.
 */
export function refuseEmptyConditions(argument: Argument, filterable: Filterable): void {
  for (const key of givenKeys(argument)) {
    const value = argument.member(key)
    if (key === 'not') refuseEmptyConditions(value, filterable)
    else if (isGroup(key)) for (const item of itemsOf(value)) refuseEmptyConditions(item, filterable)
    else refuseEmptyField(fieldOf(key, filterable), value, filterable)
  }
}

function refuseEmptyField(name: string, value: Argument, filterable: Filterable): void {
  const keys = givenKeys(value)
  const rows = filterable.columns.has(name) ? undefined : filterable.related?.(name)
  if (rows === undefined) refuseEmptyOperators(keys, value)
  else if (!rows.isList) refuseEmptyConditions(value, rows.filterable)
  else if (keys.length === 0) throw saysNothing(value)
  else for (const quantifier of keys) refuseEmptyConditions(value.member(quantifier), rows.filterable)
}

function refuseEmptyOperators(keys: readonly string[], value: Argument): void {
  if (keys.length === 0) throw saysNothing(value)
  if (!keys.includes(jsonMember)) return
  const parts = itemsOf(value.member(jsonMember))
  if (parts.length === 0) throw saysNothing(value.member(jsonMember))
  for (const part of parts) if (givenKeys(part).every((key) => key === 'path')) throw saysNothing(part)
}

function saysNothing({ label }: Argument): Error {
  return invalid(label, 'has no condition, and a write leaves none out')
}

/** The names of the members that are given. */
function givenKeys(argument: Argument): readonly string[] {
  return argument.ask('keys').filter((key) => argument.member(key).ask('kind') !== 'absent')
}

function readObject(argument: Argument, filterable: Filterable, nesting: number): Filter {
  if (nesting > nestingLimit) throw invalid(argument.label, `is nested deeper than ${nestingLimit} groups`)
  const kind = argument.ask('kind')
  if (kind === 'absent' || kind === 'null') return { kind: 'and', filters: [] }
  if (kind !== 'object') throw invalid(argument.label, 'takes an object such as {name: {eq: "x"}}')
  const filters = givenKeys(argument).map((key) => readMember(key, argument.member(key), filterable, nesting))
  return filters.length === 1 && filters[0] !== undefined ? filters[0] : { kind: 'and', filters }
}

function readMember(key: string, value: Argument, filterable: Filterable, nesting: number): Filter {
  switch (key) {
    case 'and':
    case 'or':
      return {
        kind: key,
        filters: itemsOf(value).map((item) => readObject(item, filterable, nesting + 1)),
      }
    case 'not':
      return { kind: 'not', filter: readObject(value, filterable, nesting + 1) }
    default:
      return readField(fieldOf(key, filterable), value, filterable, nesting)
  }
}

/** The field of a member: see `whereMember`. */
function fieldOf(member: string, { columns, related }: Filterable): string {
  const isField = (name: string) => columns.has(name) || related?.(name) !== undefined
  const bare = member.replace(/_+$/, '')
  return !isField(member) && isGroup(bare) ? bare : member
}

function readField(name: string, value: Argument, filterable: Filterable, nesting: number): Filter {
  const rows = filterable.columns.has(name) ? undefined : filterable.related?.(name)
  if (rows === undefined) return readOperators(name, value, filterable)
  if (value.ask('kind') !== 'object') throw invalid(value.label, 'takes an object with conditions')
  const matching = (quantifier: Quantifier, condition: Argument): Filter => ({
    ...relationOf(rows),
    quantifier,
    filter: readObject(condition, rows.filterable, nesting + 1),
  })
  if (!rows.isList) return matching('some', value)
  const filters = quantifiers
    .filter((quantifier) => value.member(quantifier).ask('kind') !== 'absent')
    .map((quantifier) => matching(quantifier, value.member(quantifier)))
  return { kind: 'and', filters }
}

/** The conditions of an object such as `{gt: 1, lt: 5}` on a field. */
export function readOperators(name: string, value: Argument, filterable: Filterable): Filter {
  const filters = membersOf(value).flatMap((key): readonly Filter[] => {
    const wanted = value.member(key)
    if (key === jsonMember) return itemsOf(wanted).map((part) => readJsonPart(name, part, filterable))
    return [readCondition(name, operatorOf(key, wanted), wanted, value.label, filterable)]
  })
  return { kind: 'and', filters }
}

/** The conditions of an object such as `{path: "a.b", gt: 5}` on a value inside the JSON of a field. */
function readJsonPart(name: string, part: Argument, filterable: Filterable): Filter {
  const keys = membersOf(part)
  const { label } = part.member('path')
  const path = part.member('path').ask('value')
  if (typeof path !== 'string') throw invalid(label, 'takes a path into JSON, such as "a.b"')
  const json = { column: columnNamed(name, part.label, filterable), path, label }
  const filters = keys
    .filter((key) => key !== 'path')
    .map((key) => {
      const wanted = part.member(key)
      return readJsonCondition(json, operatorOf(key, wanted), wanted)
    })
  return { kind: 'and', filters }
}

/** The names of the members of an object with operators that are given. */
function membersOf(value: Argument): readonly string[] {
  if (value.ask('kind') !== 'object')
    throw invalid(value.label, 'takes an object with operators, such as {eq: "x"}')
  return givenKeys(value)
}

function operatorOf(key: string, { label }: Argument): Operator {
  if (isOperator(key)) return whereOperators[key]
  throw invalid(label, `is unknown; operators are ${Object.keys(whereOperators).join(', ')}`)
}

function isOperator(key: string): key is WhereOperator {
  return Object.hasOwn(whereOperators, key)
}

function isGroup(name: string): boolean {
  return whereGroups.some((group) => group === name)
}
