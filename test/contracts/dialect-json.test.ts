/** How each product reads values inside JSON: `Syntax.jsonPart` against what JavaScript reads. */
import { describe, expect, test } from 'vitest'
import type { Column, JsonPart, JsonPath } from '../../src/database/database-schema.ts'
import { raw, sql } from '../../src/database/sql.ts'
import type { SqlValue } from '../../src/database/sql-value.ts'
import { fc, seed } from '../support/fast-check.ts'
import { openForSuite } from '../support/opened-database.ts'
import { products } from '../support/products.ts'

const documents = [
  '{"a": 1, "b": {"c": "x", "d": [true, false, null, [7]]}, "odd key.": 2.50, "": "empty", "0": "zero"}',
  '[{"a": "first"}, 5, "ünï 日😀", {"a\\"b": "quoted", "back\\\\slash": 1, "it\'s": true}]',
  '{"\\u0061": "escaped key", "x\\u00e9": "caf\\u00e9 \\ud83d\\ude00 \\" \\\\ \\/ \\n"}',
  ' {"a" : -0.0 , "b" : 1e2 , "c" : 1E-2, "d": 123456789012345678901234567890, "e": 9007199254740993}\n',
  '{"a": null, "b": [], "c": {}, "d": [[]], "e": ""}',
  '"a text"',
  '12.5',
  'true',
  'null',
  '[]',
  '{}',
  '[[[[[[[[[["deep"]]]]]]]]]]',
]
const invalid = [
  ...['', ' ', 'no JSON', '{a: 1}', "{'a': 1}", '{"a": 1,}', '[1 2]', '[01]', '[1.]', '[.5]', '[+1]', '[1e]'],
  ...['{"a" 1}', '{"a"}', '{1: 2}', '["\n"]', '["\\x"]', '["\\u12"]', '[tru]', '[truefalse]', '[NaN]', '[1}'],
  ...[
    '{"a": 1',
    '[1]]',
    '"a" "b"',
    '1 2',
    '[-]',
    '\u0001',
    '[\u0002]',
    '/* c */ 1',
    'Infinity',
    '[,]',
    '--1',
  ],
]

const paths: readonly JsonPath[] = [
  ...['a', 'b', 'c', 'd', 'e', 'odd key.', '', '0', 'xé', 'nothing'].map((key) => [key]),
  ...[0, 1, 2, 3, 999_999_999].map((index) => [index]),
  ...[
    ['b', 'c'],
    ['b', 'd'],
    ['b', 'd', 0],
    ['b', 'd', 1],
    ['b', 'd', 2],
    ['b', 'd', 3, 0],
    ['b', 'c', 0],
    ['a', 0],
  ],
  ...[
    ['b', '0'],
    [0, 'a'],
    [0, 0],
    [3, 'a"b'],
    [3, 'back\\slash'],
    [3, "it's"],
    ['d', 0],
    ['d', 0, 0],
  ],
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ['?', "'; drop table docs; --", '$1', ':x'],
]

/** The value at a path; undefined if there is none. */
function valueIn(text: string, path: JsonPath): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const step of path) {
    const isInside =
      typeof value === 'object' && value !== null && Array.isArray(value) === (typeof step === 'number')
    if (!isInside || !Object.hasOwn(value as object, step)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value
}

function expected(text: string, path: JsonPath, kind: JsonPart['kind']): unknown {
  const value = valueIn(text, path)
  if (kind === 'any') return value !== undefined && value !== null
  if (typeof value !== kind) return null
  return kind === 'boolean' ? Number(value) : value === 0 ? 0 : value
}

describe.each(products)('$name', (product) => {
  let body: Column
  const opened = openForSuite(product, async ({ create, column }) => {
    const id = { name: 'id', type: 'integer', nullable: false } as const
    const columns = [id, { name: 'body', type: 'jsonText', nullable: true } as const]
    await create({ name: 'docs', columns, primaryKey: ['id'], uniqueKeys: [], foreignKeys: [], indexes: [] })
    body = await column('docs', 'body')
  })

  async function store(texts: readonly string[]): Promise<void> {
    await opened.execute('delete from docs')
    await opened.driver.transaction(async (connection) => {
      for (const [id, text] of texts.entries())
        await connection.execute(opened.statement('insert into docs values (?, ?)', id, text))
    })
  }

  async function read(path: JsonPath, kind: JsonPart['kind'], of = body, expression = 'body') {
    const { syntax } = opened.database.dialect
    const part = syntax.jsonPart({ of, path, kind }, raw(expression))
    const shown = kind === 'any' ? sql<SqlValue>`case when ${part} is null then 0 else 1 end` : part
    const rows = await opened.rows(sql<SqlValue>`select ${shown} from docs order by id`)
    return rows.map(([value]) => {
      if (kind === 'any') return Number(value) === 1
      if (value === null || kind === 'string') return value
      return Number(value) === 0 ? 0 : Number(value)
    })
  }

  // MariaDB finds no key that its document writes with an escape, and takes `\\x` for `x`, and `1e`, `1.` and `-` for numbers.
  const isMariadb = product.name === 'MariaDB'
  const isAlike = (text: string) =>
    !isMariadb || !/\\(?:[^"\\/bfnrtu]|u0061)|\d[eE](?![+-]?\d)|\d[.](?!\d)|-(?!\d)/.test(text)

  test('values of each kind are those that JavaScript reads, and others are null', async () => {
    const texts = [...documents, ...invalid].filter(isAlike)
    await store(texts)
    for (const path of paths) {
      for (const kind of ['string', 'number', 'boolean', 'any'] as const) {
        const wanted = texts.map((text) => expected(text, path, kind))
        expect([path, kind, await read(path, kind)]).toEqual([path, kind, wanted])
      }
    }
  })

  test('a missing text has no values', async () => {
    await store([])
    await opened.execute('insert into docs values (0, null)')
    for (const kind of ['string', 'number', 'boolean'] as const)
      expect(await read(['a'], kind)).toEqual([null])
    expect(await read(['a'], 'any')).toEqual([false])
  })

  test('numbers that no double holds are no error', async () => {
    await store(['[1e400]', '[-1e400]', '[1e-400]', `[1${'0'.repeat(400)}]`, '[1e99999]', '[1]'])
    const numbers = await read([0], 'number')
    expect(numbers.map((value) => value ?? 0)).toEqual([0, 0, 0, 0, 0, 1])
  })

  test(`random texts, seed ${seed}`, async () => {
    const change = fc.tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom(
        '',
        ' ',
        '1',
        '"',
        ',',
        '{',
        '}',
        '[',
        ']',
        ':',
        '\\',
        '-',
        'e',
        '.',
        't',
        '\t',
        '\\u',
        '\u00a0',
      ),
      fc.nat({ max: 3 }),
    )
    const changed = change.map(([text, at, by, count]) => {
      if (count === 3) return text
      const start = at % (text.length + 1)
      return text.slice(0, start) + by + text.slice(start + count)
    })
    // What PostgreSQL takes for no JSON: NUL, half a surrogate pair, exponents of more than three digits.
    const isTaken = (text: string) =>
      text.isWellFormed() && !/\0|\\u(?:0000|[dD][89a-fA-F])|\d[eE][+-]?\d{4}/.test(text) && isAlike(text)
    const texts = fc.sample(changed, { seed, numRuns: 400 }).filter(isTaken)
    // Which of two members with one name counts is the product's own.
    const hasOne = texts.filter((text) => {
      const keys = [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/gs)].map(([, key]) => key)
      return new Set(keys).size === keys.length
    })
    await store(hasOne.map((text) => `[${text}]`))
    for (const kind of ['string', 'boolean', 'any'] as const) {
      const found = await read([0], kind)
      const wrong = hasOne.flatMap((text, index) => {
        const wanted = expected(`[${text}]`, [0], kind)
        return found[index] === wanted ? [] : [{ text, found: found[index], wanted }]
      })
      expect(wrong).toEqual([])
    }
  })
})
