/** The limit on PostgreSQL: the bytes of its rows are copied straight into the answer. No `pg`. */
import type { Variables } from '../compare/queries.ts'
import { ByteWriter } from './byte-writer.ts'
import { type Answers, portOrder, prefixEnd, serve } from './serve.ts'
import { WireConnection, type WireRows } from './wire-connection.ts'

const { host, port, user, name } = JSON.parse(process.env.DATABASE ?? '{}')
const pool = await Promise.all(Array.from({ length: 4 }, () => WireConnection.open(host, port, user, name)))

const run: WireConnection['run'] = (statement, values) => {
  let least = pool[0] as WireConnection
  for (const connection of pool) if (connection.load < least.load) least = connection
  return least.run(statement, values)
}

interface Column {
  readonly label: Buffer
  readonly quoted: boolean
  readonly isMoment: boolean
}

const columnsOf = (names: string, first = '{'): readonly Column[] =>
  names.split(' ').map((column, index) => ({
    label: Buffer.from(`${index === 0 ? first : ','}"${column}":`),
    quoted: column !== 'speed' && column !== 'isActivated',
    isMoment: column === 'createdAt',
  }))

const all = columnsOf('id tenantId name status portType vlanRanges speed isActivated description createdAt')
const out = new ByteWriter()

function writeRow(
  { bytes, places, columns }: WireRows,
  row: number,
  fields: readonly Column[],
  skipped = 0,
): void {
  let place = (row * columns + skipped) * 2
  for (const { label, quoted, isMoment } of fields) {
    out.bytes(label, 0, label.length)
    const start = places[place] as number
    const end = places[place + 1] as number
    place += 2
    if (start < 0) out.text('null')
    else if (isMoment) out.moment(bytes, start, end)
    else if (quoted) out.quoted(bytes, start, end)
    else out.bytes(bytes, start, end)
  }
}

const countOf = ({ places, columns }: WireRows) => (columns === 0 ? 0 : places.length / columns / 2)

function textOf({ bytes, places, columns }: WireRows, row: number, column: number): string {
  const place = (row * columns + column) * 2
  return bytes.toString('utf8', places[place], places[place + 1])
}

function writeNodes(
  rows: WireRows,
  fields: readonly Column[],
  from = 0,
  to = countOf(rows),
  skipped = 0,
): void {
  out.text('{"edges":[')
  for (let row = from; row < to; row += 1) {
    out.text(row === from ? '{"node":' : '}},{"node":')
    writeRow(rows, row, fields, skipped)
  }
  out.text(to > from ? '}}]' : ']')
}

const list = (values: readonly string[]) => `{${values.map((value) => `"${value}"`).join(',')}}`
const cursor = (id: string) => Buffer.from(`["${portOrder}","${id}"]`).toString('base64url')

/** For rows sorted by the number in their first column, where each number's rows begin. */
function beginnings(rows: WireRows, keys: number): readonly number[] {
  const begins: number[] = []
  const count = countOf(rows)
  let row = 0
  for (let key = 0; key < keys; key += 1) {
    begins.push(row)
    while (row < count && Number(textOf(rows, row, 0)) === key + 1) row += 1
  }
  begins.push(row)
  return begins
}

const keysOf = (rows: WireRows, column: number) =>
  Array.from({ length: countOf(rows) }, (_, row) => textOf(rows, row, column))

const fields = {
  Q1: columnsOf('id name status tenantId'),
  Q3tenant: columnsOf('id name'),
  Q3port: columnsOf('id name status portType speed createdAt'),
  id: columnsOf('id'),
  idName: columnsOf('id name'),
  idNameStatus: columnsOf('id name status'),
}

const answers: Answers = {
  async Q1({ id }: Variables) {
    const rows = await run('Q1', [String(id)])
    out.text('{"data":{"Port":')
    writeNodes(rows, fields.Q1)
    out.text('}}}')
    return out.take()
  },
  async Q2() {
    const rows = await run('Q2', [])
    const count = Math.min(100, countOf(rows))
    out.text('{"data":{"Port":{"edges":[')
    for (let row = 0; row < count; row += 1) {
      out.text(`${row === 0 ? '' : ','}{"cursor":"${cursor(textOf(rows, row, 0))}","node":`)
      writeRow(rows, row, all)
      out.text('}}')
    }
    const hasNext = countOf(rows) > 100
    out.text(`],"pageInfo":{"hasNextPage":${hasNext},"endCursor":"${cursor(textOf(rows, count - 1, 0))}"}}}}`)
    return out.take()
  },
  async Q3() {
    const tenants = await run('tenants50', [])
    const keys = keysOf(tenants, 0)
    const ports = await run('portsOfTenants', [list(keys)])
    const begins = beginnings(ports, keys.length)
    out.text('{"data":{"Tenant":{"edges":[')
    for (let row = 0; row < keys.length; row += 1) {
      out.text(row === 0 ? '{"node":' : ',{"node":')
      writeRow(tenants, row, fields.Q3tenant)
      out.text(',"portCollection":')
      writeNodes(ports, fields.Q3port, begins[row], begins[row + 1], 1)
      out.text('}}}')
    }
    out.text(']}}}')
    return out.take()
  },
  async Q4() {
    const tenants = await run('tenants10', [])
    const keys = keysOf(tenants, 0)
    const ports = await run('portsWithTenant', [list(keys)])
    const begins = beginnings(ports, keys.length)
    const tenantKeys = [...new Set(keysOf(ports, 3))]
    const owners = await run('tenantsByKeys', [list(tenantKeys)])
    const ownerOf = new Map(keysOf(owners, 0).map((id, row) => [id, row]))
    const few = await run('fewPortsOfTenants', [list(tenantKeys)])
    const fewBegins = beginnings(few, tenantKeys.length)
    const numberOf = new Map(tenantKeys.map((id, number) => [id, number]))
    out.text('{"data":{"Tenant":{"edges":[')
    for (let row = 0; row < keys.length; row += 1) {
      out.text(row === 0 ? '{"node":' : ',{"node":')
      writeRow(tenants, row, fields.id)
      out.text(',"portCollection":{"edges":[')
      const [from = 0, to = 0] = [begins[row], begins[row + 1]]
      for (let own = from; own < to; own += 1) {
        out.text(own === from ? '{"node":' : ',{"node":')
        writeRow(ports, own, fields.idName, 1)
        out.text(',"tenant":')
        const owner = textOf(ports, own, 3)
        writeRow(owners, ownerOf.get(owner) ?? 0, fields.idName)
        out.text(',"portCollection":')
        const number = numberOf.get(owner) ?? 0
        writeNodes(few, fields.idName, fewBegins[number], fewBegins[number + 1], 1)
        out.text('}}}}')
      }
      out.text(']}}}')
    }
    out.text(']}}}')
    return out.take()
  },
  async Q5({ statuses, prefix }: Variables) {
    const text = String(prefix)
    const rows = await run('Q5', [list(statuses as string[]), text, prefixEnd(text)])
    out.text('{"data":{"Port":')
    writeNodes(rows, fields.idNameStatus)
    out.text('}}}')
    return out.take()
  },
  async Q6() {
    const rows = await run('Q6', [])
    out.text('{"data":{"Port":')
    writeNodes(rows, all)
    out.text('}}}')
    return out.take()
  },
}

serve(answers)
