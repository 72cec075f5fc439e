/** Whether rows of odd values are each met once on a walk by cursors, and found by their GlobalId. */
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import type { OddTable } from './odd-tables.ts'
import { oddColumns, preparation } from './odd-values.ts'
import type { TestProduct } from './products.ts'
import type { Ask } from './shown-values.ts'

interface Page {
  readonly edges: readonly { readonly node: Readonly<Record<string, unknown>> }[]
  readonly pageInfo: Readonly<Record<'startCursor' | 'endCursor', string | null>> &
    Readonly<Record<'hasNextPage' | 'hasPreviousPage', boolean>>
}

interface Answer {
  readonly data?: Readonly<Record<string, Page | null>> | null
  readonly errors?: readonly { readonly message: string }[]
}

const orders = ['asc: "v"', 'desc: "v"', 'asc: "v", desc: "id"']

/** What goes wrong on the way through a table in several orders, there and back. */
export async function checkWalks({ name, type }: OddTable, ask: Ask): Promise<readonly string[]> {
  const mistakes: string[] = []
  for (const order of orders) {
    const all = (await ask(`{ ${name}(${order}) { edges { node { id } } } }`, {})) as Answer
    const ids = all.data?.[name]?.edges.map(({ node }) => node.id) ?? []
    const there = await walk(name, order, 'forward', ids.length, ask)
    const back = await walk(name, order, 'backward', ids.length, ask)
    for (const [way, met] of [
      ['there', there],
      ['back', [...back].reverse()],
    ] as const)
      if (JSON.stringify(met) !== JSON.stringify(ids))
        mistakes.push(
          `${name} ${type}: ${order} ${way} meets ${JSON.stringify(met)} and not ${JSON.stringify(ids)}`,
        )
  }
  return mistakes
}

async function walk(
  name: string,
  order: string,
  way: 'forward' | 'backward',
  count: number,
  ask: Ask,
): Promise<readonly unknown[]> {
  const isForward = way === 'forward'
  const [size, from] = isForward ? ['first', 'after'] : ['last', 'before']
  const query = `query ($at: String) { ${name}(${order}, ${size}: 3, ${from}: $at) { edges { node { id } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`
  const met: unknown[] = []
  for (let at: string | null = null; met.length <= count; ) {
    const { data, errors } = (await ask(query, { at })) as Answer
    const page = data?.[name]
    if (page === undefined || page === null) return [...met, errors?.[0]?.message]
    const ids = page.edges.map(({ node }) => node.id)
    met.push(...(isForward ? ids : ids.reverse()))
    const { startCursor, endCursor, hasNextPage, hasPreviousPage } = page.pageInfo
    if (!(isForward ? hasNextPage : hasPreviousPage)) break
    at = isForward ? endCursor : startCursor
  }
  return met
}

const keyless = /^(?:json|xml|point|longtext|longblob)$/
const insertNew: Readonly<Record<string, readonly [string, string]>> = {
  SQLite: ['insert or ignore', ''],
  PostgreSQL: ['insert', ' on conflict do nothing'],
  MariaDB: ['insert ignore', ''],
}

/** Makes a table `key0`, `key1`, … for each type that can be a key, with the odd values as keys. */
export async function makeKeyTables(
  { name: product }: TestProduct,
  options: DatabaseOptions,
): Promise<readonly OddTable[]> {
  const columns = (oddColumns[product] ?? []).filter(
    ({ type }) => product === 'SQLite' || !keyless.test(type),
  )
  const [insert = '', ending = ''] = insertNew[product] ?? []
  const database = await openDatabase(options)
  try {
    await database.driver.transaction(async (connection) => {
      const run = (sql: string) => connection.execute({ sql, parameters: [] })
      if (product === 'MariaDB') await run("set sql_mode = ''")
      for (const sql of preparation[product] ?? []) await run(sql)
      for (const [index, { type, values }] of columns.entries()) {
        // On SQLite an integer key that goes up is the row's own number, and holds nothing else.
        const key = product === 'SQLite' ? 'primary key desc' : 'primary key'
        await run(`create table key${index} (v ${type.replace(/ null$/, '')} not null ${key})`)
        for (const value of values) await run(`${insert} into key${index} values (${value})${ending}`)
      }
    })
  } finally {
    await database.driver.close()
  }
  return columns.map(({ type }, index) => ({ name: `key${index}`, type }))
}

/** The rows of a table that `node` does not find by their GlobalId, and GlobalIds that several share. */
export async function checkGlobalIds({ name, type }: OddTable, ask: Ask): Promise<readonly string[]> {
  const { data } = (await ask(`{ ${name} { edges { node { GlobalId v } } } }`, {})) as Answer
  const rows = data?.[name]?.edges.map(({ node }) => node) ?? []
  const mistakes =
    new Set(rows.map(({ GlobalId }) => GlobalId)).size === rows.length
      ? []
      : [`${name} ${type}: shared GlobalIds`]
  for (const row of rows) {
    const query = `query ($id: ID!) { node(GlobalId: $id) { ... on ${name}_ { GlobalId v } } }`
    const answer = (await ask(query, { id: row.GlobalId })) as { readonly data?: { readonly node?: unknown } }
    if (JSON.stringify(answer.data?.node) !== JSON.stringify(row))
      mistakes.push(`${name} ${type}: ${JSON.stringify(row)} is found as ${JSON.stringify(answer)}`)
  }
  return mistakes
}
