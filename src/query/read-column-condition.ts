/** From a condition on a column, such as `{op: "in", val: ["a", "b"]}`, to one `Filter`. */
import type { Column } from '../database/database-schema.ts'
import { type Argument, itemsOf } from './argument.ts'
import { placeholdersOfLoose } from './codec/loose-values.ts'
import { type Comparison, caselessComparisons, type Filter, type Operator } from './filter.ts'
import { invalid } from './invalid-argument.ts'
import { textTypes } from './text-types.ts'

/** Throws PARAMETER_INVALID for a value that the operator does not take. */
export function readColumnCondition(column: Column, operator: Operator, value: Argument): Filter {
  switch (operator) {
    case 'between':
      return readRange(column, value)
    case 'isnull':
      return readNullTest(column, value)
    default:
      return readComparison(column, operator, value)
  }
}

/** From the first of two values to the second, both included. */
function readRange(column: Column, value: Argument): Filter {
  const isPair = value.ask('kind') === 'list' && value.ask('length') === 2
  const ends = isPair ? itemsOf(value) : []
  if (!isPair || !ends.every((end) => end.ask('kind') === 'scalar'))
    throw invalid(value.label, 'takes a list of two values, because the operator is "between"')
  const filters = ends.map((end, index) => readComparison(column, index === 0 ? '>=' : '<=', end))
  return { kind: 'and', filters }
}

function readNullTest(column: Column, value: Argument): Filter {
  const wanted = value.ask('value')
  if (typeof wanted !== 'boolean')
    throw invalid(value.label, 'takes true or false, because the operator is "isnull"')
  return { kind: 'isNull', column, negated: !wanted }
}

const textComparisons: ReadonlySet<Comparison> = new Set([
  'starts',
  'ends',
  'contains',
  ...caselessComparisons,
])

function readComparison(column: Column, comparison: Comparison, value: Argument): Filter {
  const kind = value.ask('kind')
  if (comparison === 'in' || comparison === 'not in') {
    if (kind !== 'list') throw invalid(value.label, `takes a list, because the operator is "${comparison}"`)
    if (!value.ask('holdsOnlyScalars')) throw invalid(value.label, 'takes a list of single values')
    const negated = comparison === 'not in'
    const holdsValue = value.ask('holdsValue')
    // As in SQL: whether a value is that of a null is not known.
    if (value.ask('holdsNull') && (negated || !holdsValue)) return { kind: 'or', filters: [] }
    if (holdsValue)
      return { kind: 'oneOf', column, negated, values: value.source, ...formOfList(column, value) }
    return { kind: negated ? 'and' : 'or', filters: [] }
  }
  if (kind === 'null' || kind === 'absent') {
    if (comparison === '==' || comparison === '!=')
      return { kind: 'isNull', column, negated: comparison === '!=' }
    // As in SQL: a comparison with null matches no row.
    return { kind: 'or', filters: [] }
  }
  if (kind !== 'scalar')
    throw invalid(value.label, `takes a single value, because the operator is "${comparison}"`)
  if (textComparisons.has(comparison) && !textTypes.has(column.type)) {
    throw invalid(value.label, `: "${comparison}" works on texts, and "${column.name}" is not one`)
  }
  if (comparison === '==' || comparison === '!=') return readSameness(column, comparison, value)
  const compared = textComparisons.has(comparison) ? textOf(column) : column
  return { kind: 'compare', column: compared, comparison, value: value.source }
}

/** A part of a UUID is not a UUID, nor a part of a number a number: it is searched in the text. */
function textOf({ loose: _, ...column }: Column): Column {
  return column.type === 'uuid' ? { ...column, type: 'string' } : column
}

/** A text that may represent several values is compared with each of them. */
function readSameness(column: Column, comparison: '==' | '!=', value: Argument): Filter {
  const { loose } = column
  const placeholders =
    loose === undefined ? 1 : placeholdersOfLoose(column, loose) + (value.ask('holdsOddText') ? 2 : 0)
  if (placeholders === 1) return { kind: 'compare', column, comparison, value: value.source }
  const values = { kind: 'list', items: [value.source], label: value.label } as const
  return { kind: 'oneOf', column, negated: comparison === '!=', values, placeholders }
}

/** Values that may stand for several, or are outside the type, have no placeholders of their own. */
function formOfList(column: Column, list: Argument): { readonly placeholders: number; readonly odd?: true } {
  const { loose, zeroDates } = column
  const odd = (loose !== undefined || zeroDates === true) && list.ask('holdsOddText')
  if (odd) return { placeholders: 0, odd }
  return {
    placeholders:
      loose !== undefined && placeholdersOfLoose(column, loose) > 1 ? 0 : list.ask('placeholders'),
  }
}
