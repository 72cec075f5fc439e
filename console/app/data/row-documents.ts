/** GraphQL documents that read rows. */
import type { Wanted } from './rows.ts'
import type { Place } from './table-view.ts'
import type { Table } from './tables.ts'

/** Which rows of a list, and in which order. */
export interface ListArguments {
  /** The composite filter; undefined for none. */
  readonly filters: unknown
  readonly asc: readonly string[]
  readonly desc: readonly string[]
  readonly place: Place
  /** How many rows at most. */
  readonly size: number
}

/** A document and the values of its variables. */
export interface GraphqlCall {
  readonly document: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Reads a page of a table. Only what is wanted is selected. */
export function rowsDocument(
  table: Pick<Table, 'name' | 'has_global_id'>,
  wanted: Wanted,
  { filters, asc, desc, place, size }: ListArguments,
): GraphqlCall {
  const values = [
    ...listArguments({ filters }),
    ...(asc.length === 0 ? [] : [argument('asc', '[String]', asc)]),
    ...(desc.length === 0 ? [] : [argument('desc', '[String]', desc)]),
    ...argumentsOfPlace(place, size, table.has_global_id),
  ]
  const isBackward = place.kind === 'before' || place.kind === 'end'
  const ends = isBackward ? 'hasPreviousPage' : 'hasNextPage'
  const page = !table.has_global_id ? '' : `\n    pageInfo { ${ends} startCursor endCursor }`
  return callOf(values, [
    `  rows: ${table.name}${shownArguments(values)} {${page}`,
    `    edges { node { ${selectionOf(table, wanted)} } }`,
    '  }',
  ])
}

/** Reads the row of a table that has a GlobalId. */
export function recordDocument(
  table: Pick<Table, 'name' | 'has_global_id'>,
  wanted: Wanted,
  globalId: string,
): GraphqlCall {
  const values = [argument('GlobalId', 'GenericScalar', globalId)]
  return callOf(values, [
    `  rows: ${table.name}${shownArguments(values)} {`,
    `    edges { node { ${selectionOf(table, wanted)} } }`,
    '  }',
  ])
}

/** Counts the rows of a list. */
export function countDocument(table: string, filters: unknown): GraphqlCall {
  const values = listArguments({ filters })
  return callOf(values, [`  rows: ${table}${shownArguments(values)} { totalCount }`])
}

interface Argument {
  readonly name: string
  readonly type: string
  readonly value: unknown
}

/** The arguments that select the rows of a list. */
export function listArguments({ filters }: Pick<ListArguments, 'filters'>): readonly Argument[] {
  return filters === undefined ? [] : [argument('filters', 'GenericScalar', filters)]
}

function argument(name: string, type: string, value: unknown): Argument {
  return { name, type, value }
}

function argumentsOfPlace(place: Place, size: number, hasKey: boolean): readonly Argument[] {
  if (!hasKey) {
    const offset = place.kind === 'offset' ? [argument('offset', 'Int', place.offset)] : []
    return [...offset, argument('limit', 'Int', size)]
  }
  switch (place.kind) {
    case 'after':
      return [argument('first', 'Int', size), argument('after', 'String', place.cursor)]
    case 'before':
      return [argument('last', 'Int', size), argument('before', 'String', place.cursor)]
    case 'end':
      return [argument('last', 'Int', size)]
    default:
      return [argument('first', 'Int', size)]
  }
}

function selectionOf(
  { has_global_id: hasId }: Pick<Table, 'has_global_id'>,
  { fields, references }: Wanted,
): string {
  const id = hasId ? ['GlobalId'] : []
  const nested = references.map(({ name }) => `${name} { GlobalId }`)
  const all = [...id, ...fields, ...nested]
  return all.length === 0 ? '__typename' : all.join(' ')
}

/** Arguments as a field of a document has them; '' for none. */
export function shownArguments(values: readonly Argument[]): string {
  return values.length === 0 ? '' : `(${values.map(({ name }) => `${name}: $${name}`).join(', ')})`
}

/** A document of some lines, with the variables of its arguments. */
export function callOf(values: readonly Argument[], lines: readonly string[]): GraphqlCall {
  const declared = values.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  return {
    document: [`query${declared === '' ? '' : ` (${declared})`} {`, ...lines, '}'].join('\n'),
    variables: Object.fromEntries(values.map(({ name, value }) => [name, value])),
  }
}
