import { raw, type SqlFragment, sql } from '../sql.ts'
import type { CaselessTest, Syntax } from '../syntax.ts'

const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The syntax that standard SQL defines. A product overrides only what differs. */
export const standardSyntax = {
  quoteIdentifier,

  quoteTable: ({ schema, name }) =>
    schema === undefined ? quoteIdentifier(name) : `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`,

  limitOffset<Value>(limit: SqlFragment<Value> | undefined, offset: SqlFragment<Value> | undefined) {
    const empty: SqlFragment<Value> = sql``
    return sql<Value>`${limit === undefined ? empty : sql<Value>` limit ${limit}`}${offset === undefined ? empty : sql<Value>` offset ${offset}`}`
  },

  insertedKeys: { by: 'returning' },

  emptyRow: 'default values',

  comparesRowsByIndex: true,

  cancellationCheck: () => undefined,

  isNotTrue: (condition) => sql`(${condition}) is not true`,

  isNull: (_column, expression, negated) => sql`${expression} ${raw(negated ? 'is not null' : 'is null')}`,
  orderTerm: (key, direction) => (direction === 'desc' ? sql`${key} desc` : key),

  nullsLowest: () => true,

  sortsNullsByIndex: () => true,

  storedForm: (_column, expression) => expression,

  equals: (_column, expression, value) => sql`${expression} = ${value}`,

  startsWith(_column, expression, lower, upper) {
    return upper === undefined
      ? sql`${expression} >= ${lower}`
      : sql`(${expression} >= ${lower} and ${expression} < ${upper})`
  },
} as const satisfies Pick<
  Syntax,
  | 'quoteIdentifier'
  | 'quoteTable'
  | 'limitOffset'
  | 'insertedKeys'
  | 'emptyRow'
  | 'comparesRowsByIndex'
  | 'cancellationCheck'
  | 'isNotTrue'
  | 'isNull'
  | 'orderTerm'
  | 'nullsLowest'
  | 'sortsNullsByIndex'
  | 'storedForm'
  | 'equals'
  | 'startsWith'
>

/** A test of two texts that are in lower case, with a product's functions for parts of texts. */
export function testOfParts<Value>(
  test: CaselessTest,
  whole: SqlFragment<Value>,
  part: SqlFragment<Value>,
  functions: {
    readonly length: (text: SqlFragment<Value>) => SqlFragment<Value>
    readonly left: (text: SqlFragment<Value>, length: SqlFragment<Value>) => SqlFragment<Value>
    readonly right: (text: SqlFragment<Value>, length: SqlFragment<Value>) => SqlFragment<Value>
    readonly position: (whole: SqlFragment<Value>, part: SqlFragment<Value>) => SqlFragment<Value>
  },
): SqlFragment<Value> {
  const { length, left, right, position } = functions
  switch (test) {
    case 'iequals':
      return sql`${whole} = ${part}`
    case 'istarts':
      return sql`${left(whole, length(part))} = ${part}`
    case 'iends':
      return sql`${right(whole, length(part))} = ${part}`
    case 'icontains':
      return sql`${position(whole, part)} > 0`
  }
}
