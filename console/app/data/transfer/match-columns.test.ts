import { describe, expect, test } from 'vitest'
import type { WritableField } from '../edit/stored-record.ts'
import type { Field } from '../tables.ts'
import { type ReadRow, readRow } from './match-columns.ts'
import { type SourceForm, sourceRows } from './source-file.ts'

const { signal } = new AbortController()

function field(name: string, kind: Field['kind']): WritableField {
  return { name, column: name, api_name: name, native_type: '', kind, nullable: true } as WritableField
}

const fields = [
  field('whole', 'bigint'),
  field('exact', 'decimal'),
  field('about', 'float'),
  field('text', 'string'),
  field('json', 'json'),
]

/** The row of a file that has one, as it would be sent: JSON, or why it is not. */
async function sentOf(format: SourceForm['format'], text: string): Promise<string> {
  const form = { format, encoding: 'utf-8', delimiter: ';', hasHeader: true }
  const matches = Object.fromEntries(fields.map(({ name }) => [name, name]))
  const reading = { fields, matches, empty: 'absent', format } as const
  const read: ReadRow[] = []
  for await (const rows of sourceRows(new Blob([text]), form, signal)) {
    for (const row of rows) read.push(readRow(row, reading))
  }
  const [row] = read
  if (row === undefined || read.length > 1) throw new Error('This is no single row.')
  return row.fault === undefined ? JSON.stringify(row.record) : JSON.stringify(row.fault)
}

describe('no number of a file changes on its way', () => {
  test.each([
    ['{"whole":12345678901234567891,"exact":0.5}', '{"whole":"12345678901234567891","exact":0.5}'],
    ['{"exact":12345678901234567.89}', '{"exact":"12345678901234567.89"}'],
    ['{"exact":1e999,"text":1e999}', '{"exact":"1e999","text":"1e999"}'],
    ['{"about":0.1000000000000000055}', '{"about":0.1}'],
    ['{"about":1e999}', '{"about":"1e999"}'],
    ['{"json":[12345678901234567],"text":"a"}', fault('json', '12345678901234567')],
    ['{"json":1e999}', fault('json', '1e999')],
    ['{"text":{"a":1e999}}', fault('text', '1e999')],
  ])('JSON: %s', async (line, expected) => {
    expect(await sentOf('jsonl', line)).toBe(expected)
    expect(await sentOf('json', `[\n${line}]`)).toBe(expected)
  })

  test.each([
    ['12345678901234567.89;;', '{"exact":"12345678901234567.89"}'],
    [';[12345678901234567];a', fault('json', '12345678901234567')],
    [';"{""a"":1e999}";', fault('json', '1e999')],
    [';[0.1];', '{"json":[0.1]}'],
  ])('CSV: %s', async (line, expected) => {
    expect(await sentOf('csv', `exact;json;text\n${line}\n`)).toBe(expected)
  })
})

test('a cell that is no JSON is a mistake of its row, and is not sent as a text', async () => {
  expect(JSON.parse(await sentOf('csv', 'text;json\na;{broken\n'))).toEqual({
    kind: 'value',
    column: 'json',
    detail: expect.stringContaining('JSON'),
  })
})

function fault(column: string, number: string): string {
  const detail = `The number ${number} has more digits than a JSON number can hold.`
  return JSON.stringify({ kind: 'value', column, detail })
}
