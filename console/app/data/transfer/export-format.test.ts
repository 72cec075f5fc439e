import { expect, test } from 'vitest'
import type { Field } from '../tables.ts'
import { type Format, quotedCell, rowWriter } from './export-format.ts'

function field(name: string, kind: Field['kind'], rest: Partial<Field> = {}): Field {
  return { name, column: name, type: 'String', kind, native_type: 'text', nullable: true, ...rest }
}

const fields = [
  field('id', 'integer'),
  field('a,b', 'string'),
  field('meta', 'string', { entity_type: 'object' }),
  field('isOn', 'integer', { entity_type: 'boolean' }),
]

const rows = [
  { id: 1, 'a,b': 'plain', meta: '{"n":12345678901234567890}', isOn: 1 },
  { id: -2, 'a,b': '', meta: null, isOn: 0 },
  { id: 3, 'a,b': null, meta: 'broken {', isOn: null },
  { id: 4, 'a,b': '=1+"1"\n', meta: '{\r\n  "a": "\\n"\r\n}', isOn: 7 },
  { id: 5, 'a,b': ' x,\u00e9\ud83d\ude00', meta: '"text"', isOn: 1 },
].map((values) => ({ id: undefined, values, references: {} }))

function written(format: Format, isForSpreadsheets = false, delimiter = ','): string {
  const writer = rowWriter(format, { fields, delimiter, isForSpreadsheets, hasJsonTexts: true })
  return writer.head + writer.rows(rows.slice(0, 2)) + writer.rows(rows.slice(2)) + writer.tail
}

test('CSV tells null and an empty text apart, and quotes what it must', () => {
  expect(written('csv').split('\r\n')).toEqual([
    'id,"a,b",meta,isOn',
    '1,plain,"{""n"":12345678901234567890}",true',
    '-2,"",,false',
    '3,,broken {,',
    '4,"=1+""1""\n","{',
    '  ""a"": ""\\n""',
    '}",7',
    '5," x,é😀","""text""",true',
    '',
  ])
})

test('CSV for spreadsheets holds no formula, but negative numbers stay numbers', () => {
  const lines = written('csv', true, ';').split('\r\n')
  expect(lines.slice(0, 5)).toEqual([
    '\ufeffid;"a,b";meta;isOn',
    '1;plain;"{""n"":12345678901234567890}";true',
    '-2;"";;false',
    '3;;broken {;',
    '4;"\'=1+""1""\n";"{',
  ])
})

test('JSON holds values as they are, with all their digits', () => {
  expect(written('json')).toBe(
    [
      '[',
      '{"id":1,"a,b":"plain","meta":{"n":12345678901234567890},"isOn":true},',
      '{"id":-2,"a,b":"","meta":null,"isOn":false},',
      '{"id":3,"a,b":null,"meta":"broken {","isOn":null},',
      '{"id":4,"a,b":"=1+\\"1\\"\\n","meta":{   "a": "\\n" },"isOn":7},',
      '{"id":5,"a,b":" x,é😀","meta":"text","isOn":true}',
      ']',
      '',
    ].join('\n'),
  )
  const lines = written('jsonl').split('\n')
  expect(lines.map((line) => (line === '' ? '' : JSON.parse(line).id))).toEqual([1, -2, 3, 4, 5, ''])
})

test('a list without rows is a list', () => {
  const writer = rowWriter('json', { fields, delimiter: ',', isForSpreadsheets: false, hasJsonTexts: true })
  expect(JSON.parse(writer.head + writer.tail)).toEqual([])
})

test('a cell is quoted for whatever delimiter a reader may guess', () => {
  expect(['a', 'a,b', 'a;b', 'a\tb', 'a|b', 'a^b'].map((cell) => quotedCell(cell, '^'))).toEqual([
    'a',
    '"a,b"',
    '"a;b"',
    '"a\tb"',
    '"a|b"',
    '"a^b"',
  ])
})
