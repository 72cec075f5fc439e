import { describe, expect, test } from 'vitest'
import { fc } from '../../../test/support/fast-check.ts'
import type { TextFormat } from '../formats.ts'
import { createTemplateCompiler } from './compile-template.ts'

function fill(
  format: TextFormat,
  text: string,
  params: object,
  partials: Readonly<Record<string, string>> = {},
) {
  return [...createTemplateCompiler(format, partials).compile(text).fill(params)].join('')
}

const mistakeIn = (format: TextFormat, text: string, partials: Readonly<Record<string, string>> = {}) => {
  try {
    createTemplateCompiler(format, partials).compile(text)
    return 'none'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Any JSON value. */
const anyValue = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' })
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[=+\-@"',;\t\r\n <>&{}\\a]{0,12}$/),
)

describe('values are never anything but values', () => {
  test('in json', () => {
    const text =
      '{"value": {{value}}, "list": [{{#each list}}{{#unless @first}},{{/unless}}{{.}}{{/each}}], "text": "<{{text}}>"}'
    fc.assert(
      fc.property(anyValue, fc.array(anyValue), anyText, (value, list, sent) => {
        const read = JSON.parse(fill('json', text, { value, list, text: sent }))
        expect(read).toEqual(JSON.parse(JSON.stringify({ value, list, text: `<${sent}>` })))
      }),
    )
  })

  test('in csv', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText), { maxLength: 5 }), (rows) => {
        const text = fill('csv', '{{#each rows}}{{this.[0]}},"a {{this.[1]}}"\n{{/each}}', { rows })
        const plain = (cell: string) => cell.replaceAll('\0', '')
        const cells = parseCsv(text)
        expect(cells.length).toBe(rows.length)
        for (const [index, [one, other]] of rows.entries()) {
          // A cell that would be a formula gets a prefix.
          expect([plain(one), `'${plain(one)}`]).toContain(cells[index]?.[0])
          expect(cells[index]?.[1]).toBe(`a ${plain(other)}`)
        }
      }),
    )
  })

  test('in csv, where no cell begins a formula', () => {
    fc.assert(
      fc.property(anyText, (sent) => {
        const [cells = []] = parseCsv(`${fill('csv', '{{a}},"{{a}}","{{b}}{{a}}"', { a: sent, b: '' })}\n`)
        for (const cell of cells)
          expect(cell).not.toMatch(/^\s*[=+@＝＋－＠]|^\s*-(?!\d+(\.\d+)?$)|^[\t\r\n]/)
      }),
    )
  })

  test('in html, xml and svg', () => {
    for (const format of ['html', 'xml', 'svg'] as const) {
      fc.assert(
        fc.property(anyText, (sent) => {
          expect(fill(format, '{{a}}', { a: sent })).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#\d+);)/)
        }),
      )
    }
  })
})

/** Parses CSV according to RFC 4180. */
function parseCsv(text: string): readonly string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\n') {
      rows.push(row)
      row = []
    }
  }
  return rows
}

describe('what a template may hold', () => {
  test.each([
    [
      '{{#each list}}{{@index}}{{@first}}{{@last}} {{this}};{{else}}none{{/each}}',
      { list: ['a', 'b'] },
      '0truefalse a;1falsetrue b;',
    ],
    ['{{#each list}}x{{else}}none{{/each}}', { list: [] }, 'none'],
    ['{{#each map}}{{@key}}={{this}} {{/each}}', { map: { a: 1, b: null } }, 'a=1 b= '],
    ['{{#each list as |item i|}}{{i}}{{item.a}}{{../b}}{{/each}}', { list: [{ a: 1 }], b: 'c' }, '01c'],
    ['{{#with a}}{{b}}{{/with}}{{#unless c}}-{{/unless}}{{#a}}{{b}}{{/a}}', { a: { b: 1 } }, '1-1'],
    [
      '{{> row a}}{{#> frame}}in {{a.b}}{{/frame}}{{#*inline "own"}}[{{a.b}}]{{/inline}}{{> own}}',
      { a: { b: '<' } },
      '(<)|in <|[<]',
    ],
    [
      '{{lookup map key}} {{#if (and (eq a 1) (not b))}}yes{{/if}}',
      { map: { k: 'v' }, key: 'k', a: 1 },
      'v yes',
    ],
    ['{{date}} {{json}} {{log}} {{this.date}}', { date: 'a', json: 'b', log: 'c' }, 'a b c a'],
    [
      '{{constructor}}{{toString}}{{a.constructor.name}}{{__proto__}}{{lookup this "constructor"}}',
      { a: 'x' },
      '',
    ],
    [
      '{{date d}} {{date d "dd.MM.yyyy HH:mm" zone="Europe/Berlin"}} {{date d "long" locale="de"}} {{date none}}',
      { d: '2026-11-21T23:30:00' },
      '2026-11-21 22.11.2026 00:30 21. November 2026 ',
    ],
    [
      '{{number n}} {{number n digits=1 locale="de"}} {{number t}} {{number 5 currency="EUR"}}',
      { n: 1234.55, t: '12345678901234567890.12' },
      '1,234.55 1.234,6 12,345,678,901,234,567,890.12 €5.00',
    ],
    [
      '{{csv a b}}|{{csv a b separator=";"}}|{{url a}}|{{join list "+"}}|{{json list}}',
      { a: '=1', b: 'x,y', list: [1, 2] },
      `'=1,"x,y"|'=1;"x,y"|%3D1|1+2|[1,2]`,
    ],
    ['{{! a comment }}{{{a}}}{{&a}}\\{{a}}', { a: '<b>' }, '<b><b>{{a}}'],
  ])('%s', (text, params, filled) => {
    const partials = { row: '({{b}})|', frame: '{{> @partial-block}}|' }
    expect(fill('txt', text, params, partials)).toBe(filled)
  })

  test('a list of any length, in pieces', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index)
    const template = createTemplateCompiler('txt', {}).compile(
      'a{{#each list}}{{#if @last}}!{{/if}}{{@index}},{{/each}}z',
    )
    const pieces = [...template.fill({ list })]
    expect(pieces.length).toBe(7)
    expect(pieces.join('')).toBe(
      `a${list
        .slice(0, -1)
        .map((index) => `${index},`)
        .join('')}!999,z`,
    )
  })

  test.each([
    [
      'csv',
      '{{a}} {{b}},',
      'line 1: a cell made of several parts has to stand between quotes: "{{first}} {{last}}"',
    ],
    [
      'csv',
      'x\n{{a}}b',
      'line 2: a cell made of several parts has to stand between quotes: "{{first}} {{last}}"',
    ],
    [
      'csv',
      '{{#each list}}{{this}} {{/each}}',
      'line 1: a cell made of several parts has to stand between quotes: "{{first}} {{last}}"',
    ],
    ['csv', '"{{a}}', 'a quote is opened and not closed'],
    ['json', '{"a": "{{#if a}}x"{{/if}}', 'line 1: a quote that is opened in a block has to be closed in it'],
    ['json', '"{{{a}}}"', 'line 1: a value between quotes is always escaped: write two braces'],
    ['json', '"{{> part}}"', 'line 1: a partial cannot stand between quotes'],
    ['txt', '\n{{> none}}', 'line 2: there is no partial "none"'],
    [
      'txt',
      '{{shout a}}',
      'line 1: there is no helper "shout"; helpers are date, number, json, csv, url, join, eq, gt, and, or, not and lookup',
    ],
    [
      'txt',
      '{{#if (shout a)}}{{/if}}',
      'You specified knownHelpersOnly, but used the unknown helper shout - 1:6',
    ],
    ['txt', '{{* decorator}}', 'line 1: decorators are not known here'],
  ] as const)('%s: %s is refused', (format, text, mistake) => {
    expect(mistakeIn(format, text, { part: 'x' })).toBe(mistake)
  })

  test('what Handlebars cannot read is refused with its place', () => {
    expect(mistakeIn('txt', 'a\n{{#if}')).toMatch(/^Parse error on line 2:/)
    expect(mistakeIn('txt', '{{#if a}}')).toMatch(/^Parse error on line 1:/)
  })
})
