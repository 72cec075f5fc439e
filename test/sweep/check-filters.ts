import type { Column, ColumnType } from '../../src/database/database-schema.ts'
import { listArgumentNames } from '../../src/graphql/model/naming.ts'
import { compareValues, isOrderedByDatabase, meets, type Operator } from '../support/compare-values.ts'
import type { SampledEntity } from './sampled-entity.ts'
import { listQuery, nodesOf, type ShownRow, type SweepContext, show } from './sweep-context.ts'

const shownRows = 5
/** Tables with more rows are not counted for each condition. */
const tooManyToCount = 200_000

const pairs: readonly (readonly [Operator, Operator])[] = [
  ['==', '!='],
  ['<', '>='],
  ['>', '<='],
  ['in', 'not in'],
]
const textTypes: ReadonlySet<ColumnType> = new Set(['string', 'json', 'other'])

/** One field with the rows it is checked against. */
interface Probe {
  readonly context: SweepContext
  readonly sampled: SampledEntity
  readonly field: string
  readonly column: Column
  readonly counted: boolean
}

/** Every operator on every field, for values that are in the table: what comes back is what the rows say. */
export async function checkFilters(context: SweepContext, sampled: SampledEntity): Promise<void> {
  const { total, rows, costly, columns } = sampled
  for (const [field, column] of columns) {
    const probe = { context, sampled, field, column, counted: total <= tooManyToCount }
    const nulls = await checkNull(probe)
    for (const value of probedValues(rows, field, column.type).slice(0, costly ? 1 : undefined)) {
      await checkValue(probe, value, nulls)
      if (textTypes.has(column.type)) await checkPieces(probe, String(value))
    }
  }
  await checkGlobalIdFilter(context, sampled)
}

/** The lowest, highest and a middle value, the longest, and texts that are unlike others. */
function probedValues(rows: readonly ShownRow[], field: string, type: ColumnType): readonly unknown[] {
  const known = [...new Set(rows.map((row) => row[field]).filter((value) => value !== null))]
  const values = isOrderedByDatabase(type) ? known : known.toSorted((a, b) => compareValues(type, a, b))
  const odd = values.filter((value) => typeof value === 'string' && /[^ -~]|[%_\\'"]|^$|\s$/.test(value))
  const longest = values.toSorted((a, b) => String(b).length - String(a).length)[0]
  const chosen = [
    values[0],
    values.at(-1),
    values[Math.floor(values.length / 2)],
    longest,
    ...odd.slice(0, 2),
  ]
  return [...new Set(chosen)].filter((value) => value !== undefined)
}

async function checkNull(probe: Probe): Promise<number | undefined> {
  const without = await ask(probe, '==', null)
  const withValue = await ask(probe, '!=', null)
  if (without !== undefined && withValue !== undefined) {
    agree(
      probe,
      `"${probe.field}" is null or it is not`,
      without + withValue,
      probe.sampled.total,
      '==',
      null,
    )
  }
  await equality(probe, null)
  return without
}

async function checkValue(probe: Probe, value: unknown, nulls: number | undefined): Promise<void> {
  const { field, sampled } = probe
  const counts = new Map<Operator, number | undefined>()
  for (const pair of pairs) {
    for (const operator of pair) counts.set(operator, await ask(probe, operator, operandOf(operator, value)))
    const [one, other] = pair.map((operator) => counts.get(operator))
    if (one === undefined || other === undefined || nulls === undefined) continue
    const what = `"${pair[0]}", "${pair[1]}" and null are all rows of "${field}"`
    agree(probe, what, one + other + nulls, sampled.total, pair[0], operandOf(pair[0], value))
  }
  const [equal, among, lower, upTo] = (['==', 'in', '<', '<='] as const).map((name) => counts.get(name))
  if (equal !== undefined && among !== undefined)
    agree(probe, `"in" one value of "${field}" is "=="`, among, equal, 'in', [value])
  if (equal !== undefined && lower !== undefined && upTo !== undefined)
    agree(probe, `"<" and "==" are "<=" on "${field}"`, lower + equal, upTo, '<=', value)
  if (equal === 0) agree(probe, `"==" finds a row with the value of "${field}"`, 0, 1, '==', value)
  await ask(probe, 'in', [value, null])
  await ask(probe, 'not in', [null, value])
  await equality(probe, value)
  await equality(probe, [value, null])
}

const operandOf = (operator: Operator, value: unknown) =>
  operator === 'in' || operator === 'not in' ? [value] : value

async function checkPieces(probe: Probe, value: string): Promise<void> {
  const characters = Array.from(value)
  const middle = Math.floor(characters.length / 2)
  for (const [operator, piece] of [
    ['starts', characters.slice(0, 2)],
    ['starts', characters],
    ['ends', characters.slice(-2)],
    ['contains', characters.slice(middle, middle + 2)],
    ['contains', characters],
  ] as const) {
    const text = piece.join('')
    const count = await ask(probe, operator, text)
    if (count === 0) agree(probe, `"${operator}" finds a row by its own text`, 0, 1, operator, text)
  }
}

/** Asks by a filter. The number of rows found; undefined where it was not to be had. */
function ask(probe: Probe, operator: Operator, value: unknown): Promise<number | undefined> {
  const list = `filters: [{key: ${JSON.stringify(probe.field)}, op: ${JSON.stringify(operator)}, val: $value}]`
  return compare(probe, list, operator, value)
}

/** Asks by the argument that has the field's name; a list means any of its values. */
async function equality(probe: Probe, value: unknown): Promise<void> {
  if ((listArgumentNames as readonly string[]).includes(probe.field)) return
  await compare(probe, `${probe.field}: $value`, '==', value)
}

async function compare(
  { context, sampled, field, column, counted }: Probe,
  list: string,
  operator: Operator,
  value: unknown,
): Promise<number | undefined> {
  const { entity, rows, whole } = sampled
  const request = {
    declared: '$value: GenericScalar',
    list: `${list}, first: ${shownRows}`,
    select: `${counted ? 'totalCount ' : ''}edges { node { ${field} } }`,
    variables: { value },
  }
  const what = `"${operator}" on "${field}" (${column.nativeType})`
  const answer = await context.list(entity, what, request)
  if (answer === undefined) return undefined
  const query = listQuery(entity, request)
  const isOrdering = operator.startsWith('<') || operator.startsWith('>')
  const decided = !(isOrdering && isOrderedByDatabase(column.type))
  const isMet = (row: ShownRow) =>
    Array.isArray(value) && operator === '=='
      ? value.some((one) => meets(column.type, row[field], operator, one))
      : meets(column.type, row[field], operator, value)
  const wrong = decided ? nodesOf(answer).find((row) => !isMet(row)) : undefined
  if (wrong !== undefined) context.fail(entity, what, `found ${show(wrong[field])}`, query, { value })
  if (decided && whole && answer.totalCount !== undefined) {
    const expected = rows.filter(isMet).length
    if (answer.totalCount !== expected)
      context.fail(entity, what, `${answer.totalCount} rows, not ${expected}`, query, { value })
  }
  return answer.totalCount
}

function agree(
  { context, sampled, field }: Probe,
  what: string,
  found: number,
  expected: number,
  operator: Operator,
  value: unknown,
): void {
  if (found === expected) return
  const list = `filters: [{key: ${JSON.stringify(field)}, op: ${JSON.stringify(operator)}, val: $value}]`
  const query = listQuery(sampled.entity, {
    list,
    declared: '$value: GenericScalar',
    select: 'totalCount',
  })
  context.fail(sampled.entity, what, `${found}, not ${expected}`, query, { value })
}

async function checkGlobalIdFilter(context: SweepContext, { entity, rows }: SampledEntity): Promise<void> {
  const name = entity.filterable.globalId?.name
  const row = rows.at(-1)
  if (name === undefined || row === undefined) return
  for (const [list, value] of [
    [`${name}: $value`, row[name]],
    [`filters: [{key: "${name}", op: "in", val: $value}]`, [row[name]]],
  ] as const) {
    const request = {
      declared: '$value: GenericScalar',
      list,
      select: `totalCount edges { node { ${name} } }`,
      variables: { value },
    }
    const answer = await context.list(entity, `a filter on ${name}`, request)
    if (answer === undefined) continue
    const found = [answer.totalCount, ...nodesOf(answer).map((node) => node[name])]
    if (show(found) !== show([1, row[name]]))
      context.fail(entity, `a filter on ${name}`, show(found), listQuery(entity, request), { value })
  }
}
