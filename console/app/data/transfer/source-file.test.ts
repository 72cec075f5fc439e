import { describe, expect, test } from 'vitest'
import { FileFault } from './file-fault.ts'
import { guessForm, type SourceForm, sourceRows, summarize } from './source-file.ts'

const { signal } = new AbortController()
const names = ['id', 'name', 'bornOn']

function fileOf(content: string | Uint8Array<ArrayBuffer>, name = 'rows.csv'): File {
  return new File([content], name)
}

function encoded(text: string, mark: readonly number[], isBig: boolean): Uint8Array<ArrayBuffer> {
  const bytes = [...text].flatMap((sign) => {
    const code = sign.charCodeAt(0)
    return isBig ? [code >> 8, code & 255] : [code & 255, code >> 8]
  })
  return new Uint8Array([...mark, ...bytes])
}

/** How a file is read without being told, and its rows. */
async function read(file: File, change: Partial<SourceForm> = {}, language = 'en') {
  const form = { ...(await guessForm(file, names, language, signal)), ...change }
  const rows = []
  for await (const piece of sourceRows(file, form, signal)) rows.push(...piece)
  const told = rows.map(({ values, fault }) =>
    fault === undefined ? Object.fromEntries(values) : { ...Object.fromEntries(values), fault },
  )
  const { format, encoding, delimiter, hasHeader } = form
  return { form: `${format} ${encoding} ${delimiter} ${hasHeader ? 'header' : 'values'}`, rows: told }
}

async function faultOf(file: File): Promise<string> {
  try {
    await summarize(file, await guessForm(file, names, 'en', signal), signal)
  } catch (error) {
    if (error instanceof FileFault) return error.kind
    throw error
  }
  return 'none'
}

describe('CSV', () => {
  test.each([
    ['id,name\r\n1,"a, ""b""\nc"\r\n\r\n2,\r\n', 'csv utf-8 , header'],
    ['\ufeffid;name\n1;"a, ""b""\nc"\n2;', 'csv utf-8 ; header'],
    ['ID,Name,,\n1,"a, ""b""\nc",,\n2,,,', 'csv utf-8 , header'],
  ])('%j', async (text, form) => {
    const found = await read(fileOf(text))
    expect(found.form).toBe(form)
    const [first, second] = found.rows.map((row) => Object.values(row).slice(0, 2))
    expect(first).toEqual(['1', 'a, "b"\nc'])
    expect(second).toEqual(['2', ''])
  })

  test('tabs, and the line ends of old Macintoshes', async () => {
    expect(await read(fileOf('id\tname\r1\t"a, b"\r2\t'))).toEqual({
      form: 'csv utf-8 \t header',
      rows: [
        { id: '1', name: 'a, b' },
        { id: '2', name: '' },
      ],
    })
  })

  test.each(['\r\n', '\n', '\r'])('each line of one column is a row, also an empty one: %j', async (end) => {
    const text = ['name', '"a;b"', '""', '', 'c', '', ''].join(end)
    expect(await read(fileOf(text))).toEqual({
      form: 'csv utf-8 , header',
      rows: [{ name: 'a;b' }, { name: '' }, { name: '' }, { name: 'c' }, { name: '' }],
    })
  })

  test('without a header, columns have numbers; those named alike are told apart', async () => {
    expect(await read(fileOf('1,2\n3,4\n'))).toEqual({
      form: 'csv utf-8 , values',
      rows: [
        { '#1': '1', '#2': '2' },
        { '#1': '3', '#2': '4' },
      ],
    })
    expect((await read(fileOf('id,name,name,\n1,a,b,c\n'))).rows).toEqual([
      { id: '1', name: 'a', 'name (2)': 'b', '#4': 'c' },
    ])
    expect((await read(fileOf('id,__proto__\n1,a\n'))).rows.map((row) => Object.keys(row))).toEqual([
      ['id', '__proto__'],
    ])
  })

  test('ragged rows, and quotes that do not end, are mistakes of their rows', async () => {
    expect((await read(fileOf('id,name\n1\n2,a,b\n3,c,\n4,"d\n5,e\n'))).rows).toEqual([
      { id: '1', fault: { kind: 'cells', found: 1, expected: 2 } },
      { id: '2', name: 'a', fault: { kind: 'cells', found: 3, expected: 2 } },
      { id: '3', name: 'c' },
      { id: '4', name: 'd\n5,e\n', fault: { kind: 'quotes' } },
    ])
  })

  test.each([
    ['UTF-16, little end first', encoded('id,name\n1,é', [0xff, 0xfe], false), 'utf-16le'],
    ['UTF-16, big end first', encoded('id,name\n1,é', [0xfe, 0xff], true), 'utf-16be'],
    ['UTF-16 without a mark', encoded('id,name\n1,é', [], false), 'utf-16le'],
    ['Latin-1', new Uint8Array([...Buffer.from('id,name\n1,'), 0xe9]), 'windows-1252'],
  ])('%s is recognized', async (_name, bytes, encoding) => {
    expect(await read(fileOf(bytes))).toEqual({
      form: `csv ${encoding} , header`,
      rows: [{ id: '1', name: 'é' }],
    })
  })

  test('Shift_JIS is looked for where people write Japanese', async () => {
    const bytes = new Uint8Array([...Buffer.from('id,name\n1,'), 0x93, 0xfa, 0x96, 0x7b])
    expect((await read(fileOf(bytes), {}, 'ja')).rows).toEqual([{ id: '1', name: '日本' }])
  })

  test('100,000 rows of 10 MB are counted, wherever their pieces end', async () => {
    const row = (index: number) => `${index},"${'é😀"",\n'.repeat(8)}",2026-01-01\r\n`
    const text = `id,name,bornOn\r\n${Array.from({ length: 100_000 }, (_, index) => row(index)).join('')}`
    const file = fileOf(text)
    expect(file.size).toBeGreaterThan(10_000_000)
    const form = await guessForm(file, names, 'en', signal)
    const { columns, count, sample } = await summarize(file, form, signal)
    expect([columns, count, sample.length]).toEqual([names, 100_000, 100])
    let faults = 0
    for await (const rows of sourceRows(file, form, signal)) {
      for (const { values, fault } of rows)
        if (fault !== undefined || values.get('name') !== 'é😀",\n'.repeat(8)) faults += 1
    }
    expect(faults).toBe(0)
  })
})

describe('JSON', () => {
  test.each([
    ['[{"id":1,"name":null},{"id":2}]', 'rows.json', 'json'],
    ['\ufeff [\n{"id":1,"name":null},{"id":2}]', 'rows', 'json'],
    ['{"id":1,"name":null}\n\n{"id":2}\n', 'rows.json', 'jsonl'],
    ['{"id":1,"name":null}\r\n{"id":2}', 'rows.ndjson', 'jsonl'],
  ])('%j', async (text, name, format) => {
    const found = await read(fileOf(text, name))
    expect(found.form.split(' ')[0]).toBe(format)
    expect(found.rows).toEqual([{ id: 1, name: null }, { id: 2 }])
  })

  test('one object is one record, and what is no object is a mistake of its row', async () => {
    expect((await read(fileOf('{\n"id": 1,\n"name": "a"}', 'a.json'))).rows).toEqual([{ id: 1, name: 'a' }])
    expect((await read(fileOf('[1,[],{"id":3}]', 'a.json'))).rows).toEqual([
      { fault: { kind: 'object' } },
      { fault: { kind: 'object' } },
      { id: 3 },
    ])
    const [, second] = (await read(fileOf('{"id":1}\n{"id":}\n', 'a.jsonl'))).rows
    expect(second).toMatchObject({ fault: { kind: 'json' } })
  })
})

test.each([
  ['empty', 'a.csv', ''],
  ['noRows', 'a.csv', 'id,name\n'],
  ['noRows', 'a.json', '[]'],
  ['notJson', 'a.json', '[{"id":1}'],
  ['longRow', 'a.csv', `id,name\n1,"${'x'.repeat(5_000_000)}`],
])('what cannot be read: %s, %s', async (kind, name, text) => {
  expect(await faultOf(fileOf(text, name))).toBe(kind)
})
