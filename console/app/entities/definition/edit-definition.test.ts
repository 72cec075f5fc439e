import { expect, test } from 'vitest'
import { withMovedField, withName, withoutField, withValue } from './edit-definition.ts'

const port = {
  name: 'Port',
  vendor: { kept: true },
  attributes: {
    identifier: { field_name: 'id', field_type: 'string' },
    local_fields: [
      { field_name: 'size', field_type: 'integer', unknown: 1 },
      { field_name: 'label', field_type: 'string' },
    ],
  },
  methods: { class_methods: ['make'], instance_methods: [] },
}

test('a changed value leaves everything else as it is, known or not', () => {
  const path = ['attributes', 'local_fields', 0, 'field_nullable']
  expect(withValue(port, path, false)).toEqual({
    ...port,
    attributes: {
      ...port.attributes,
      local_fields: [
        { field_name: 'size', field_type: 'integer', unknown: 1, field_nullable: false },
        port.attributes.local_fields[1],
      ],
    },
  })
  expect(port.attributes.local_fields[0]).not.toHaveProperty('field_nullable')
})

test('undefined removes a member, and what is missing on the way is made', () => {
  expect(withValue(port, ['vendor'], undefined)).not.toHaveProperty('vendor')
  expect(withValue({ name: 'A' }, ['attributes', 'local_fields', 0, 'field_name'], 'b')).toEqual({
    name: 'A',
    attributes: { local_fields: [{ field_name: 'b' }] },
  })
})

test('fields are moved and removed as they are', () => {
  const [size, label] = port.attributes.local_fields
  expect(withMovedField(port, 'local_fields', 0, 1)).toMatchObject({
    attributes: { local_fields: [label, size] },
  })
  expect(withMovedField(port, 'local_fields', 0, -1)).toBe(port)
  expect(withoutField(port, 'local_fields', 0)).toMatchObject({ attributes: { local_fields: [label] } })
})

test('a stored field that gets another name says its former one, letter by letter, and back', () => {
  const path = ['attributes', 'local_fields', 0]
  const stored = new Set(['size', 'label'])
  const typed = ['siz', 'si', 'sid', 'side'].reduce(
    (was, name) => withName(was, path, name, stored),
    port as Readonly<Record<string, unknown>>,
  )
  expect(typed).toMatchObject({
    attributes: { local_fields: [{ field_name: 'side', renamed_from: 'size' }, {}] },
  })
  const back = withName(typed as typeof port, path, 'size', stored)
  expect(back).toEqual(port)
})

test('a field that is not stored yet is only given its name', () => {
  const path = ['attributes', 'local_fields', 0]
  expect(withName(port, path, 'width', new Set())).toMatchObject({
    attributes: { local_fields: [{ field_name: 'width', field_type: 'integer', unknown: 1 }, {}] },
  })
  expect(withName(port, [], 'Plug', new Set(['Port']))).toMatchObject({ name: 'Plug', renamed_from: 'Port' })
})
