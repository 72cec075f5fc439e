/** Whether what is shown of a value finds its rows, in every way in which a filter can mean it. */
import type { OddTable } from './odd-tables.ts'

/** Asks GraphQL. */
export type Ask = (query: string, variables: Readonly<Record<string, unknown>>) => Promise<unknown>

interface ShownRow {
  readonly id: number
  readonly v: unknown
}

interface Answer {
  readonly data?: Readonly<Record<string, { readonly edges: readonly { readonly node: ShownRow }[] } | null>>
  readonly errors?: readonly { readonly message: string }[]
}

/** The rows of a table as they are shown. */
async function shownRows({ name }: OddTable, ask: Ask): Promise<readonly ShownRow[]> {
  const { data, errors } = (await ask(`{ ${name} { edges { node { id v } } } }`, {})) as Answer
  const page = data?.[name]
  if (page === undefined || page === null) throw new Error(`${name}: ${JSON.stringify(errors)}`)
  return page.edges.map(({ node }) => node)
}

const together = 8

/** Every row that is not found by what is shown of it, and every other one that is, in a sentence each. */
export async function checkFilters(table: OddTable, ask: Ask): Promise<readonly string[]> {
  const rows = await shownRows(table, ask)
  const valued = rows.filter(({ v }) => v !== null)
  const mistakes: string[] = []
  for (let start = 0; start < valued.length; start += together) {
    const some = valued.slice(start, start + together)
    const further = Array.from({ length: 12 }, (_, at) => valued[(start + at) % valued.length] as ShownRow)
    const tests = [
      ...some.map(({ v }) => condition('==', v, rows)),
      ...some.slice(0, 2).map(({ v }) => condition('!=', v, rows)),
      condition('in', valuesOf(some.slice(0, 3)), rows),
      condition('in', [...valuesOf(further), null], rows),
      condition('not in', valuesOf(further), rows),
    ]
    mistakes.push(...(await checkTogether(table, tests, ask)))
  }
  return mistakes
}

const valuesOf = (rows: readonly ShownRow[]) => rows.map(({ v }) => v)

interface Condition {
  readonly op: string
  readonly val: unknown
  readonly ids: readonly number[]
}

function condition(op: '==' | '!=' | 'in' | 'not in', val: unknown, rows: readonly ShownRow[]): Condition {
  const wanted = new Set((Array.isArray(val) ? val : [val]).map(sameAs))
  const negated = op === '!=' || op === 'not in'
  // Null is neither in a list nor not in one, even if the list has it.
  const found = rows.filter(({ v }) => v !== null && wanted.has(sameAs(v)) !== negated)
  return { op, val, ids: found.map(({ id }) => id) }
}

/** Values that are shown alike are the same; so is a zero with and without a sign. */
function sameAs(value: unknown): string {
  return JSON.stringify(value)
}

async function checkTogether(
  { name, type }: OddTable,
  tests: readonly Condition[],
  ask: Ask,
): Promise<readonly string[]> {
  const fields = tests.map(
    (_, at) =>
      `a${at}: ${name}(filters: [{key: "v", op: $op${at}, val: $val${at}}]) { edges { node { id } } }`,
  )
  const declared = tests.map((_, at) => `$op${at}: GenericScalar, $val${at}: GenericScalar`)
  const variables = Object.fromEntries(
    tests.flatMap(({ op, val }, at) => [
      [`op${at}`, op],
      [`val${at}`, val],
    ]),
  )
  const { data, errors } = (await ask(
    `query (${declared.join(', ')}) { ${fields.join(' ')} }`,
    variables,
  )) as Answer
  return tests.flatMap(({ op, val, ids }, at) => {
    const found = data?.[`a${at}`]?.edges.map(({ node }) => node.id).sort((a, b) => a - b)
    const expected = [...ids].sort((a, b) => a - b)
    if (found !== undefined && JSON.stringify(found) === JSON.stringify(expected)) return []
    const told = found ?? errors?.map(({ message }) => message)
    return [
      `${name} ${type}: v ${op} ${JSON.stringify(val)} gives ${JSON.stringify(told)} and not ${expected}`,
    ]
  })
}
