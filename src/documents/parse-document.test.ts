import * as v from 'valibot'
import { expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { listOf, oneOf, strictObject } from './document-schema.ts'
import { parseDocument } from './parse-document.ts'

const schema = strictObject({
  name: v.string(),
  days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9))),
  role: v.union([v.string(), v.pipe(v.array(v.string()), v.minLength(1))]),
  scope: v.optional(oneOf(['public', 'protected']), 'protected'),
  rules: v.optional(v.array(strictObject({ regex: v.string(), methods: v.array(v.string()) })), []),
})
const right = { name: 'a', role: 'b' }

test('gives what the schema reads', () => {
  expect(parseDocument(schema, right)).toEqual({ ...right, scope: 'protected', rules: [] })
})

test.each<[document: unknown, mistakes: Record<string, string>]>([
  [undefined, { '': 'A JSON object is required here.' }],
  [[], { '': 'A JSON object is expected here, and a list was sent.' }],
  [{}, { '/name': 'A text is required here.', '/role': 'A text or a list is required here.' }],
  [{ ...right, name: null }, { '/name': 'A text is expected here, and null was sent.' }],
  [{ ...right, role: 1 }, { '/role': 'A text or a list is expected here, and a whole number was sent.' }],
  [{ ...right, role: [1] }, { '/role/0': 'A text is expected here, and a whole number was sent.' }],
  [{ ...right, role: [] }, { '/role': 'This must have at least 1 in it.' }],
  [{ ...right, days: 10 }, { '/days': 'This must be at most 9.' }],
  [{ ...right, days: 1.5 }, { '/days': 'A whole number is expected here, and a fraction was sent.' }],
  [
    { ...right, scope: 'publik' },
    { '/scope': 'This must be one of "public", "protected"; did you mean "public".' },
  ],
  [
    { ...right, 'na/me~': 1 },
    {
      '/na~1me~0':
        'The key "na/me~" is not known here; did you mean "name". Known keys are name, days, role, scope, rules.',
    },
  ],
  [
    { ...right, rules: [{ regex: '', methods: [], method: [] }] },
    {
      '/rules/0/method':
        'The key "method" is not known here; did you mean "methods". Known keys are regex, methods.',
    },
  ],
])('refuses %j with a sentence for each mistake', (document, mistakes) => {
  const refusal = refusalOf(document)
  expect(refusal.code).toBe('DOCUMENT_INVALID')
  expect(Object.fromEntries(refusal.mistakes.map(({ pointer, detail }) => [pointer, detail]))).toEqual(
    mistakes,
  )
})

test('R1 R2: no more is looked at than is told', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`names${index}`, 1]))
  const { mistakes } = refusalOf({ ...right, ...many })
  expect(mistakes).toHaveLength(21)
  expect(mistakes[0]?.detail).toBe(
    'The key "names0" is not known here; did you mean "name". Known keys are name, days, role, scope, rules.',
  )
  const long = `name${'s'.repeat(100_000)}`
  expect(refusalOf({ ...right, [long]: 1 }).mistakes).toEqual([
    {
      pointer: `/${long.slice(0, 200)}…`,
      detail: `The key "${long.slice(0, 200)}…" is not known here. Known keys are name, days, role, scope, rules.`,
    },
  ])
})

test('R2: of a list that is too long no item is looked at', () => {
  const document = Array.from({ length: 100_000 }, () => 1)
  const list = v.pipe(listOf(v.string(), 3), v.minLength(1))
  expect(v.safeParse(list, document).issues).toHaveLength(1)
  expect(v.safeParse(list, ['a', 'b', 'c']).output).toEqual(['a', 'b', 'c'])
})

function refusalOf(document: unknown): AppError {
  try {
    parseDocument(schema, document)
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('It was not refused.')
}
