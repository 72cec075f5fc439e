/** The GraphQL document that reads totals. */
import { callOf, type GraphqlCall, listArguments, shownArguments } from '../row-documents.ts'
import type { Field, Table } from '../tables.ts'
import { type GroupOrder, orderByText } from './group-order.ts'
import { functionsOf, functionsOfGroups, type TotalFunction, totalFunctions } from './total-functions.ts'
import type { TotalsChoice } from './totals-choice.ts'

type NamedFields = Pick<Table, 'name' | 'fields'>

/** The alias of how many values a column has, by its place among the chosen ones. */
export const countAlias = (place: number) => `count${place}`

/** Which groups are read. */
export interface GroupPart {
  readonly order: GroupOrder
  /** The first so many of them. */
  readonly limit: number
}

/** Reads the totals of all rows that a composite filter finds, and those of the first groups, if groups are wanted. */
export function totalsDocument(
  { name, fields }: NamedFields,
  { columns, by }: TotalsChoice,
  filters: unknown,
  { order, limit }: GroupPart,
): GraphqlCall {
  const chosen = columns.flatMap((column) => fields.find((field) => field.name === column) ?? [])
  const enumOf = (field: string) => enumValueOf(field, fields)
  const values = listArguments({ filters })
  const terms = by.map(({ field, every }) =>
    every === undefined ? `{ field: ${enumOf(field)} }` : `{ field: ${enumOf(field)}, every: ${every} }`,
  )
  const keys = by.map(({ field }) => field)
  const orderBy = orderByText(order, keys)
  const sorted = orderBy === '' ? '' : `, orderBy: ${orderBy}`
  return callOf(values, [
    `  rows: ${name}${shownArguments(values)} {`,
    '    aggregates {',
    ...selection(chosen, functionsOf, enumOf),
    '    }',
    ...(terms.length === 0
      ? []
      : [
          `    groups(by: [${terms.join(', ')}]${sorted}, limit: ${limit}) {`,
          `      keys { ${keys.join(' ')} }`,
          ...selection(chosen, functionsOfGroups, enumOf),
          '    }',
        ]),
    '  }',
  ])
}

/** How many rows, and what is computed of each column: a line for each function. */
function selection(
  columns: readonly Field[],
  functionsFor: (field: Field) => readonly TotalFunction[],
  enumOf: (field: string) => string,
): readonly string[] {
  const counts = columns.map((field, place) =>
    functionsFor(field).includes('count')
      ? [`${countAlias(place)}: count(field: ${enumOf(field.name)})`]
      : [],
  )
  const others = totalFunctions.flatMap((fn) => {
    const taken = columns.filter((field) => fn !== 'count' && functionsFor(field).includes(fn))
    return taken.length === 0 ? [] : [`${fn} { ${taken.map(({ name }) => name).join(' ')} }`]
  })
  return ['count', ...counts.flat(), ...others].map((line) => `      ${line}`)
}

/** The name of a field where a value is expected, as GraphQL of the gateway has it. */
function enumValueOf(field: string, fields: readonly Field[]): string {
  let value = field
  while (
    ['true', 'false', 'null'].includes(value) ||
    (value !== field && fields.some(({ name }) => name === value))
  )
    value += '_'
  return value
}
