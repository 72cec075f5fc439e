/** From a typed condition, such as `{name: {startsWith: "a"}, tenant: {id: {eq: 1}}}`, to one `Filter`. */
import { type Argument, itemsOf } from './argument.ts'
import { ConditionTally } from './condition-tally.ts'
import { type Filter, type Operator, type Quantifier, quantifiers } from './filter.ts'
import type { Filterable } from './filterable.ts'
import { invalid } from './invalid-argument.ts'
import { columnNamed, type Level, nestingLimit, readCondition, relationOf } from './read-filters.ts'
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
  const tally = new ConditionTally(argument.label)
  return tally.whole(readObject(argument, { filterable, nesting: 1, tally }))
}

/**
 * Throws PARAMETER_INVALID if a condition says nothing, such as `{id: {}}` or `{and: null}`, which a program sends that did not have the value.
 * A query leaves it out; a write would change more rows. For conditions that `readWhere` has read. As a whole they may be `{}`, and so may
 * those on related rows, which then ask whether there are any.
 */
export function refuseEmptyConditions(argument: Argument, filterable: Filterable): void {
  for (const key of givenKeys(argument)) {
    const value = argument.member(key)
    if (isGroup(key)) refuseEmptyGroup(key === 'not' ? [value] : itemsOf(value), value, filterable)
    else refuseEmptyField(fieldOf(key, filterable), value, filterable)
  }
}

function refuseEmptyGroup(parts: readonly Argument[], group: Argument, filterable: Filterable): void {
  if (parts.length === 0) throw saysNothing(group)
  for (const part of parts) {
    if (givenKeys(part).length === 0) throw saysNothing(part)
    refuseEmptyConditions(part, filterable)
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

function readObject(argument: Argument, level: Level): Filter {
  const { nesting, tally } = level
  if (nesting > nestingLimit) throw invalid(argument.label, `is nested deeper than ${nestingLimit} groups`)
  const kind = argument.ask('kind')
  if (kind !== 'absent' && kind !== 'null' && kind !== 'object')
    throw invalid(argument.label, 'takes an object such as {name: {eq: "x"}}')
  const filters = givenKeys(argument).map((key) => readMember(key, argument.member(key), level))
  if (filters.length === 0) tally.add()
  return filters.length === 1 && filters[0] !== undefined ? filters[0] : { kind: 'and', filters }
}

function readMember(key: string, value: Argument, level: Level): Filter {
  const inside = { ...level, nesting: level.nesting + 1 }
  switch (key) {
    case 'and':
    case 'or':
      return { kind: key, filters: itemsOf(value).map((item) => readObject(item, inside)) }
    case 'not':
      return { kind: 'not', filter: readObject(value, inside) }
    default:
      return readField(fieldOf(key, level.filterable), value, level)
  }
}

/** The field of a member: see `whereMember`. */
function fieldOf(member: string, { columns, related }: Filterable): string {
  const isField = (name: string) => columns.has(name) || related?.(name) !== undefined
  const bare = member.replace(/_+$/, '')
  return !isField(member) && isGroup(bare) ? bare : member
}

function readField(name: string, value: Argument, { filterable, nesting, tally }: Level): Filter {
  const rows = filterable.columns.has(name) ? undefined : filterable.related?.(name)
  if (rows === undefined) return readOperators(name, value, filterable, tally)
  tally.add()
  if (value.ask('kind') !== 'object') throw invalid(value.label, 'takes an object with conditions')
  const matching = (quantifier: Quantifier, condition: Argument): Filter => ({
    ...relationOf(rows),
    quantifier,
    filter: readObject(condition, { filterable: rows.filterable, nesting: nesting + 1, tally }),
  })
  if (!rows.isList) return matching('some', value)
  const filters = quantifiers
    .filter((quantifier) => value.member(quantifier).ask('kind') !== 'absent')
    .map((quantifier) => matching(quantifier, value.member(quantifier)))
  return { kind: 'and', filters }
}

/** The conditions of an object such as `{gt: 1, lt: 5}` on a field. */
export function readOperators(
  name: string,
  value: Argument,
  filterable: Filterable,
  tally: ConditionTally,
): Filter {
  const filters = membersOf(value).flatMap((key): readonly Filter[] => {
    const wanted = value.member(key)
    const parts = key === jsonMember ? itemsOf(wanted) : undefined
    tally.add(parts?.length)
    if (parts !== undefined) return parts.map((part) => readJsonPart(name, part, filterable))
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
