/**
 * From a condition on a value inside JSON, such as `{key: "meta->a.b", op: "==", val: 5}` or
 * `{meta: {at: {path: "a.b", eq: 5}}}`, to one `Filter`.
 */
import type { Column } from '../database/database-schema.ts'
import { type Argument, itemsOf } from './argument.ts'
import type { Filter, Operator } from './filter.ts'
import { invalid } from './invalid-argument.ts'
import { jsonPart } from './json-path.ts'
import { readColumnCondition } from './read-column-condition.ts'
import { jsonTypes } from './text-types.ts'

/** A value inside the JSON of a column. */
export interface JsonValue {
  readonly column: Column
  /** As the request writes it. */
  readonly path: string
  /** The condition in messages. */
  readonly label: string
}

const listLimit = 100

/**
 * Values are compared as JSON has them: texts with texts, numbers with numbers, true and false with true and false. Values
 * of different kinds, objects and arrays are unequal to each other; what is missing is null.
 */
export function readJsonCondition(part: JsonValue, operator: Operator, value: Argument): Filter {
  const { column, path, label } = part
  if (!jsonTypes.has(column.type))
    throw invalid(label, `: the path leads into JSON, and "${column.name}" holds none`)
  const any = jsonPart(column, path, 'any', label)
  switch (operator) {
    case 'isnull':
      return readColumnCondition(any, operator, value)
    case 'between':
      return readRange(part, value)
    case 'in':
    case 'not in':
      return readList(part, operator, value)
  }
  const kind = value.ask('jsonKind')
  // Null, and what is refused for every column.
  if (kind === undefined) return readColumnCondition(any, operator, value)
  const typed = jsonPart(column, path, kind, label)
  if (operator !== '!=') return readColumnCondition(typed, operator, value)
  const equal = readColumnCondition(typed, '==', value)
  const filters: readonly Filter[] = [
    { kind: 'isNull', column: any, negated: true },
    { kind: 'not', filter: equal },
  ]
  return { kind: 'and', filters }
}

/** A range has values of one kind: between others there is nothing. */
function readRange(part: JsonValue, value: Argument): Filter {
  const typed = jsonPart(
    part.column,
    part.path,
    value.ask('kind') === 'list' ? (value.item(0).ask('jsonKind') ?? 'any') : 'any',
    part.label,
  )
  const range = readColumnCondition(typed, 'between', value)
  const isOfOneKind = value.item(0).ask('jsonKind') === value.item(1).ask('jsonKind')
  return isOfOneKind ? range : { kind: 'or', filters: [] }
}

function readList(part: JsonValue, operator: 'in' | 'not in', value: Argument): Filter {
  if (value.ask('kind') !== 'list')
    throw invalid(value.label, `takes a list, because the operator is "${operator}"`)
  const length = value.ask('length')
  if (length > listLimit)
    throw invalid(
      value.label,
      `takes at most ${listLimit} values, because they are compared with values inside JSON`,
    )
  const items = itemsOf(value)
  // As in SQL: whether a value is that of a null is not known.
  if (operator === 'not in' && value.ask('holdsNull')) return { kind: 'or', filters: [] }
  const filters = items
    .filter((item) => item.ask('kind') !== 'null')
    .map((item) => readJsonCondition(part, operator === 'in' ? '==' : '!=', item))
  return { kind: operator === 'in' ? 'or' : 'and', filters }
}
