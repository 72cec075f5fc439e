import { expect, test } from 'vitest'
import { exampleOf, exampleToSend } from './example.ts'
import { type Document, objectSchemas, type Schema, typeText } from './openapi.ts'

const port: Schema = {
  properties: {
    id: { type: 'string', readOnly: true },
    kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
    at: { type: 'string', format: 'date-time' },
    ranges: { type: 'array', items: { type: 'integer' } },
    parent: { $ref: '#/components/schemas/Port' },
  },
  required: ['id', 'kind', 'ranges'],
}
const filter: Schema = {
  anyOf: [
    { properties: { key: { type: 'string' } } },
    { type: 'array', items: { $ref: '#/components/schemas/Filter' } },
  ],
}
const document = {
  info: { version: '1' },
  tags: [],
  paths: {},
  components: { schemas: { Port: port, Filter: filter } },
} as Document

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

test('a schema is shown in few words, and its objects once, also if it holds itself', () => {
  const oneOrMany = { oneOf: [reference('Port'), { type: 'array', items: reference('Port') }] }
  expect([typeText(oneOrMany), objectSchemas(document, oneOrMany)]).toEqual(['Port | Port[]', [port]])
  expect(objectSchemas(document, reference('Filter'))).toEqual([filter.anyOf?.[0]])
  expect(typeText({ type: ['string', 'null'], format: 'date' })).toBe('string | null (date)')
  expect(typeText({ type: 'array', items: { type: ['integer', 'null'] } })).toBe('(integer | null)[]')
})

test('what is sent first has the required fields that may be written', () => {
  expect(exampleToSend(document, reference('Port'))).toEqual({ kind: 'a', ranges: [1] })
})

test('an example has all fields, and ends where a schema holds itself', () => {
  const inner = (parent: unknown) => ({
    id: 'text',
    kind: 'a',
    at: '2027-01-31T09:30:00',
    ranges: [1],
    parent,
  })
  const last = { ...inner({}), ranges: [] }
  expect(exampleOf(document, reference('Port'))).toEqual(inner(inner(inner(last))))
})
