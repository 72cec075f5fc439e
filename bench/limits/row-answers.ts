/** The answers of the servers that have their rows as lists of values: text, one writer for each list of columns. */
import type { Variables } from '../compare/queries.ts'
import { type Answers, portOrder, prefixEnd } from './serve.ts'
import type { StatementName } from './statements.ts'

export type Value = string | number | null
export type Rows = readonly (readonly Value[])[]

/** Gives the rows of a statement; those by keys have the key's number first, counted from 1, and come sorted by it. */
export type Run = (
  statement: StatementName,
  values: readonly (Value | readonly Value[])[],
) => Promise<Rows> | Rows

type WriteRow = (row: readonly Value[]) => string

function writerOf(names: string, skipped = 0): WriteRow {
  const parts = names.split(' ').map((name, index) => {
    const value = `row[${index + skipped}]`
    const text =
      name === 'speed' || name === 'isActivated'
        ? value
        : name === 'createdAt'
          ? `'"' + ${value}.slice(0, 10) + 'T' + ${value}.slice(11, 19) + '"'`
          : `(${value} === null ? 'null' : quote(${value}))`
    return `${index === 0 ? '' : "',' + "}'"${name}":' + ${text}`
  })
  return new Function('quote', `return (row) => ${parts.join(' + ')}`)(JSON.stringify) as WriteRow
}

const writeAll = writerOf(
  'id tenantId name status portType vlanRanges speed isActivated description createdAt',
)
const writeQ1 = writerOf('id name status tenantId')
const writeIdName = writerOf('id name')
const writeIdNameStatus = writerOf('id name status')
const writePort = writerOf('id name status portType speed createdAt', 1)
const writePortName = writerOf('id name', 1)
const writeId = writerOf('id')

const cursor = (id: Value) => Buffer.from(`["${portOrder}","${id}"]`).toString('base64url')

function nodes(rows: Rows, write: WriteRow, from = 0, to = rows.length): string {
  let text = '{"edges":['
  for (let row = from; row < to; row += 1)
    text += `${row === from ? '' : ','}{"node":{${write(rows[row] ?? [])}}}`
  return `${text}]}`
}

function beginnings(rows: Rows, keys: number): readonly number[] {
  const begins: number[] = []
  let row = 0
  for (let key = 1; key <= keys; key += 1) {
    begins.push(row)
    while (row < rows.length && Number(rows[row]?.[0]) === key) row += 1
  }
  begins.push(row)
  return begins
}

export function rowAnswers(run: Run): Answers {
  return {
    async Q1({ id }: Variables) {
      return `{"data":{"Port":${nodes(await run('Q1', [String(id)]), writeQ1)}}}`
    },
    async Q2() {
      const rows = await run('Q2', [])
      const shown = rows.slice(0, 100)
      const edges = shown.map((row) => `{"cursor":"${cursor(row[0] ?? '')}","node":{${writeAll(row)}}}`)
      const end = cursor(shown.at(-1)?.[0] ?? '')
      return `{"data":{"Port":{"edges":[${edges.join(',')}],"pageInfo":{"hasNextPage":${rows.length > 100},"endCursor":"${end}"}}}}`
    },
    async Q3() {
      const tenants = await run('tenants50', [])
      const keys = tenants.map(([id = '']) => id)
      const ports = await run('portsOfTenants', [keys])
      const begins = beginnings(ports, keys.length)
      const edges = tenants.map(
        (tenant, row) =>
          `{"node":{${writeIdName(tenant)},"portCollection":${nodes(ports, writePort, begins[row], begins[row + 1])}}}`,
      )
      return `{"data":{"Tenant":{"edges":[${edges.join(',')}]}}}`
    },
    async Q4() {
      const tenants = await run('tenants10', [])
      const keys = tenants.map(([id = '']) => id)
      const ports = await run('portsWithTenant', [keys])
      const begins = beginnings(ports, keys.length)
      const ownerKeys = [...new Set(ports.map((port) => port[3] ?? ''))]
      const owners = new Map((await run('tenantsByKeys', [ownerKeys])).map((row) => [row[0], row]))
      const few = await run('fewPortsOfTenants', [ownerKeys])
      const fewBegins = beginnings(few, ownerKeys.length)
      const numberOf = new Map(ownerKeys.map((id, number) => [id, number]))
      const edges = tenants.map((tenant, row) => {
        const own = ports.slice(begins[row], begins[row + 1]).map((port) => {
          const owner = port[3] ?? ''
          const number = numberOf.get(owner) ?? 0
          const below = nodes(few, writePortName, fewBegins[number], fewBegins[number + 1])
          return `{"node":{${writePortName(port)},"tenant":{${writeIdName(owners.get(owner) ?? [])},"portCollection":${below}}}}`
        })
        return `{"node":{${writeId(tenant)},"portCollection":{"edges":[${own.join(',')}]}}}`
      })
      return `{"data":{"Tenant":{"edges":[${edges.join(',')}]}}}`
    },
    async Q5({ statuses, prefix }: Variables) {
      const text = String(prefix)
      const rows = await run('Q5', [statuses as string[], text, prefixEnd(text)])
      return `{"data":{"Port":${nodes(rows, writeIdNameStatus)}}}`
    },
    async Q6() {
      const rows = await run('Q6', [])
      const pieces: string[] = []
      for (let row = 0; row < rows.length; row += 100)
        pieces.push(
          rows
            .slice(row, row + 100)
            .map((own) => `{"node":{${writeAll(own)}}}`)
            .join(','),
        )
      return `{"data":{"Port":{"edges":[${pieces.join(',')}]}}}`
    },
  }
}
