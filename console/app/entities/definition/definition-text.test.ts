import { expect, test } from 'vitest'
import { patchedText, readText, textOf } from './definition-text.ts'
import { withMovedField, withoutField, withValue } from './edit-definition.ts'

const yaml = `# The ports of the network.
name: Port
attributes:
  identifier: { field_name: id, field_type: string } # the key
  local_fields:
    # In bytes.
    - field_name: size
      field_type: integer
    - field_name: label # shown to people
      field_type: string
methods:
  class_methods: [ make ]
`

const definition = {
  name: 'Port',
  attributes: {
    identifier: { field_name: 'id', field_type: 'string' },
    local_fields: [
      { field_name: 'size', field_type: 'integer' },
      { field_name: 'label', field_type: 'string' },
    ],
  },
  methods: { class_methods: ['make'] },
}

test.each(['json', 'yaml'] as const)('%s says what it is made of', (language) => {
  expect(readText(textOf(definition, language), language)).toEqual({ definition })
})

test.each([
  ['json', '{"name": ', /JSON/],
  ['yaml', 'name: "Port', /line 1/],
] as const)('%s that is broken is told of', (language, text, mistake) => {
  expect(readText(text, language)).toEqual({ mistake: expect.stringMatching(mistake) })
})

test.each(['json', 'yaml'] as const)('%s that is no object is no definition', (language) => {
  expect(readText('[1]', language)).toEqual({ mistake: undefined })
})

test('text that says the same stays as it is', () => {
  expect(patchedText(yaml, 'yaml', definition)).toBe(yaml)
})

test('a changed, added or removed value leaves comments and order', () => {
  const path = ['attributes', 'local_fields', 1, 'field_nullable']
  const changed = withValue(withValue(definition, path, false), ['name'], 'Plug')
  const expected = yaml
    .replace('name: Port', 'name: Plug')
    .replace('field_type: string\nmethods', 'field_type: string\n      field_nullable: false\nmethods')
  expect(patchedText(yaml, 'yaml', changed)).toBe(expected)
  expect(patchedText(expected, 'yaml', definition)).toBe(yaml)
})

test('a moved field takes its comments with it', () => {
  const text = patchedText(yaml, 'yaml', withMovedField(definition, 'local_fields', 0, 1))
  expect(text).toMatch(
    /- field_name: label # shown to people\n {6}field_type: string\n {4}# In bytes.\n {4}- field_name: size/,
  )
})

test('a removed field takes its comments with it, and the others keep theirs', () => {
  const text = patchedText(yaml, 'yaml', withoutField(definition, 'local_fields', 0))
  expect(text).not.toContain('size')
  expect(text).toContain('- field_name: label # shown to people')
  expect(readText(text, 'yaml')).toEqual({ definition: withoutField(definition, 'local_fields', 0) })
})

test('what cannot be patched is written again', () => {
  expect(patchedText('name: "broken', 'yaml', definition)).toBe(textOf(definition, 'yaml'))
  expect(patchedText('', 'yaml', definition)).toBe(textOf(definition, 'yaml'))
})
