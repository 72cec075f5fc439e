/** Rows of JSON files. */
import { parseExactly } from '../exact-json.ts'
import { FileFault } from './file-fault.ts'
import type { SourceRow } from './source-file.ts'

const pieceSize = 1000
const longestLine = 16 * 1024 * 1024

/** The records of a list, or of a single one. */
export function* jsonRows(text: string): Generator<readonly SourceRow[]> {
  let document: unknown
  try {
    document = parseExactly(text)
  } catch (error) {
    throw new FileFault('notJson', messageOf(error))
  }
  if (typeof document !== 'object' || document === null) throw new FileFault('notRecords')
  const records: readonly unknown[] = Array.isArray(document) ? document : [document]
  for (let start = 0; start < records.length; start += pieceSize) {
    yield records.slice(start, start + pieceSize).map((record, index) => rowOf(record, start + index + 1))
  }
}

/** The records of JSON Lines. Empty lines are passed over. */
export async function* jsonLineRows(pieces: AsyncIterable<string>): AsyncGenerator<readonly SourceRow[]> {
  let rest = ''
  let position = 0
  const read = (lines: readonly string[]) =>
    lines.flatMap((line) => {
      if (line.trim() === '') return []
      position += 1
      return [lineOf(line, position)]
    })
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new FileFault('longRow', String(position + 1))
    if (lines.length > 0) yield read(lines)
  }
  yield read([rest])
}

function lineOf(line: string, position: number): SourceRow {
  try {
    return rowOf(parseExactly(line), position)
  } catch (error) {
    return { position, values: new Map(), fault: { kind: 'json', detail: messageOf(error) } }
  }
}

function rowOf(record: unknown, position: number): SourceRow {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    return { position, values: new Map(), fault: { kind: 'object' } }
  }
  return { position, values: new Map(Object.entries(record)) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
