import type { ListArguments } from '../row-documents.ts'
import type { Table } from '../tables.ts'
import { type Format, type RowWriterOptions, rowWriter } from './export-format.ts'
import type { FileSink } from './file-sink.ts'
import { readAll } from './read-all.ts'

export interface Export {
  readonly table: Table
  readonly list: Pick<ListArguments, 'filters' | 'asc' | 'desc'>
  readonly format: Format
  readonly options: Omit<RowWriterOptions, 'hasJsonTexts'>
}

/** Writes a whole list to a file; returns how many rows it has. Leaves no file if that fails or is cancelled. */
export async function runExport(
  { table, list, format, options }: Export,
  file: FileSink,
  onProgress: (rows: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const writer = rowWriter(format, { ...options, hasJsonTexts: table.graphql })
  const wanted = { fields: options.fields.map(({ name }) => name), references: [] }
  let count = 0
  try {
    await file.write(writer.head)
    for await (const rows of readAll(table, wanted, list, signal)) {
      await file.write(writer.rows(rows))
      count += rows.length
      onProgress(count)
    }
    await file.write(writer.tail)
    signal.throwIfAborted()
    await file.close()
  } catch (error) {
    await file.abort().catch(() => {})
    throw error
  }
  return count
}
