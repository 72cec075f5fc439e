/** Rows of CSV files. */
import { FileFault } from './file-fault.ts'
import type { RowFault, SourceRow } from './source-file.ts'

/** How a CSV file is read. */
export interface CsvForm {
  readonly delimiter: string
  /** Whether the first row names the columns. */
  readonly hasHeader: boolean
}

interface Parsed {
  readonly data: readonly (readonly string[])[]
  readonly errors: readonly { readonly row?: number }[]
  readonly meta: { readonly cursor: number }
}

/** A row that is longer has a quote that does not end. */
const longestRow = 4 * 1024 * 1024

/** The delimiter of a CSV text, and the cells of its first row. */
export async function headerOf(
  sample: string,
  names: readonly string[],
): Promise<{ readonly delimiter: string; readonly cells: readonly string[] }> {
  const { default: papa } = await import('papaparse')
  const { data, meta } = papa.parse<readonly string[]>(sample, { preview: 50 })
  // In one column, anything may be taken for a delimiter.
  const delimiter = names.includes(sample.split(/\r?\n|\r/, 1)[0] ?? '') ? ',' : meta.delimiter
  return { delimiter, cells: data[0] ?? [] }
}

/** Whether the first row looks like names: of fields, or at least not like values. */
export function looksLikeHeader(cells: readonly string[], names: readonly string[]): boolean {
  if (cells.some((cell) => names.some((name) => simplified(name) === simplified(cell)))) return true
  return (
    cells.every((cell) => cell !== '' && !/^[-+]?[\d.,]+$/.test(cell)) && new Set(cells).size === cells.length
  )
}

/** A name without what people write in several ways. */
export function simplified(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_\-./]+/g, '')
}

/** All rows, in pieces. Empty lines are passed over, but for those of a single column: there they are its empty cells. */
export async function* csvRows(
  pieces: AsyncIterable<string>,
  { delimiter, hasHeader }: CsvForm,
): AsyncGenerator<readonly SourceRow[]> {
  const { default: papa } = await import('papaparse')
  let columns: readonly string[] | undefined
  let position = 0
  let rest = ''
  let newline: string | undefined
  const parse = (isLast: boolean) => {
    newline ??= /\n/.test(rest) || !/\r/.test(rest) ? '\n' : '\r'
    const parser = new papa.Parser({ delimiter, newline: newline as '\n' | '\r' })
    const { data, errors, meta } = parser.parse(rest, 0, !isLast) as Parsed
    rest = rest.slice(meta.cursor)
    if (rest.length > longestRow) throw new FileFault('longRow', String(position + 1))
    const broken = new Set(errors.map(({ row }) => row))
    const rows: SourceRow[] = []
    for (const [index, found] of data.entries()) {
      const cells = withoutReturn(found)
      const isEmpty = cells.length === 0 || (cells.length === 1 && cells[0] === '')
      if (isEmpty && columns?.length !== 1) continue
      if (columns === undefined) {
        columns = namesOf(cells, hasHeader)
        if (hasHeader) continue
      }
      position += 1
      rows.push(rowOf(cells, columns, position, broken.has(index)))
    }
    return rows
  }
  for await (const piece of pieces) {
    rest += piece
    const rows = parse(false)
    if (rows.length > 0) yield rows
  }
  if (rest !== '') yield parse(true)
}

/** Lines are parted at line feeds, whatever stands before these. */
function withoutReturn(cells: readonly string[]): readonly string[] {
  const last = cells.at(-1)
  return last?.endsWith('\r') ? [...cells.slice(0, -1), last.slice(0, -1)] : cells
}

/** Columns named alike are told apart by numbers. */
function namesOf(cells: readonly string[], hasHeader: boolean): readonly string[] {
  const names = new Set<string>()
  for (const [index, cell] of cells.entries()) {
    const wanted = (hasHeader && cell.trim()) || `#${index + 1}`
    let name = wanted
    for (let count = 2; names.has(name); count++) name = `${wanted} (${count})`
    names.add(name)
  }
  return [...names]
}

function rowOf(
  cells: readonly string[],
  columns: readonly string[],
  position: number,
  isBroken: boolean,
): SourceRow {
  const values = new Map(
    columns.flatMap((name, index) => (index < cells.length ? [[name, cells[index]]] : [])),
  )
  const fault = isBroken ? ({ kind: 'quotes' } as const) : faultOf(cells, columns.length)
  return { position, values, ...(fault === undefined ? {} : { fault }) }
}

/** Spreadsheets write empty cells behind the last column. */
function faultOf(cells: readonly string[], expected: number): RowFault | undefined {
  const isWhole = cells.length === expected
  const hasEmptyRest = cells.length > expected && cells.slice(expected).every((cell) => cell === '')
  return isWhole || hasEmptyRest ? undefined : { kind: 'cells', found: cells.length, expected }
}
