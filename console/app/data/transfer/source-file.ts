/** Files with rows: what they are like, and their rows one by one. */
import { type CsvForm, csvRows, headerOf, looksLikeHeader } from './csv-rows.ts'
import { decodedPieces, guessEncoding, textOf } from './decode-file.ts'
import { FileFault } from './file-fault.ts'
import { jsonLineRows, jsonRows } from './json-rows.ts'

/** How a file is read. */
export interface SourceForm extends CsvForm {
  readonly format: 'csv' | 'json' | 'jsonl'
  readonly encoding: string
}

/** A row of a file. */
export interface SourceRow {
  /** Among the rows, from 1; a header is none. */
  readonly position: number
  /** By the names of the columns: texts of CSV, any value of JSON. What is absent has no entry. */
  readonly values: ReadonlyMap<string, unknown>
  /** Why the row cannot be read; absent if it can. */
  readonly fault?: RowFault
}

export type RowFault =
  | { readonly kind: 'cells'; readonly found: number; readonly expected: number }
  | { readonly kind: 'quotes' | 'object' }
  | { readonly kind: 'json'; readonly detail: string }
  | { readonly kind: 'value'; readonly column: string; readonly detail: string }

/** What a file holds. */
export interface FileSummary {
  readonly columns: readonly string[]
  readonly count: number
  /** The first rows. */
  readonly sample: readonly SourceRow[]
}

const sampleSize = 100
/** JSON lists are held in the memory while they are read. */
const mostJsonBytes = 100 * 1024 * 1024
const sampleBytes = 65_536

/** Guesses how a file is to be read. `names` are those of the fields, `language` that of the person. */
export async function guessForm(
  file: File,
  names: readonly string[],
  language: string,
  signal: AbortSignal,
): Promise<SourceForm> {
  if (file.size === 0) throw new FileFault('empty')
  const encoding = await guessEncoding(file, language, signal)
  const sample = (await textOf(file.slice(0, sampleBytes), encoding)).trimStart()
  const csv = await headerOf(sample, names)
  const form = { ...csv, encoding, hasHeader: looksLikeHeader(csv.cells, names) }
  if (/\.(csv|tsv|txt)$/i.test(file.name)) return { ...form, format: 'csv' }
  if (sample.startsWith('[')) return { ...form, format: 'json' }
  if (!sample.startsWith('{')) return { ...form, format: 'csv' }
  const [line = ''] = sample.split('\n')
  const isLines = /\.(jsonl|ndjson)$/i.test(file.name) || (isJson(line) && line.length < sample.length)
  return { ...form, format: isLines ? 'jsonl' : 'json' }
}

/** All rows of a file, in pieces. Reads it anew each time. Throws a `FileFault` for what is no file of its form. */
export async function* sourceRows(
  file: Blob,
  form: SourceForm,
  signal: AbortSignal,
): AsyncGenerator<readonly SourceRow[]> {
  switch (form.format) {
    case 'csv':
      yield* csvRows(decodedPieces(file, form.encoding, signal), form)
      return
    case 'jsonl':
      yield* jsonLineRows(decodedPieces(file, form.encoding, signal))
      return
    default:
      if (file.size > mostJsonBytes) throw new FileFault('longJson')
      yield* jsonRows(await textOf(file, form.encoding))
  }
}

/** Reads a file once, and tells what it holds. */
export async function summarize(file: Blob, form: SourceForm, signal: AbortSignal): Promise<FileSummary> {
  const columns = new Set<string>()
  const sample: SourceRow[] = []
  let count = 0
  for await (const rows of sourceRows(file, form, signal)) {
    signal.throwIfAborted()
    for (const row of rows) {
      count += 1
      for (const name of row.values.keys()) columns.add(name)
      if (sample.length < sampleSize) sample.push(row)
    }
  }
  if (count === 0) throw new FileFault('noRows')
  return { columns: [...columns], count, sample }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
