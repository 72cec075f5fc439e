import { expect, test } from 'vitest'
import { withValue } from '../definition/edit-definition.ts'
import { draftOf, inLanguage, withDefinition, withText } from './draft.ts'

const tenant = { name: 'Tenant', vendor: { kept: [1, 2] }, methods: { class_methods: ['make'] } }

test('form and text follow each other, and keep what only one of them knows', () => {
  const begun = draftOf(tenant, 'yaml')
  const typed = withText(begun, `# who pays\n${begun.text}category: network\n`)
  expect(typed).toMatchObject({ definition: { ...tenant, category: 'network' }, mistake: undefined })
  const named = withDefinition(typed, withValue(typed.definition, ['name'], 'Customer'))
  expect(named.text).toBe(
    '# who pays\nname: Customer\nvendor:\n  kept:\n    - 1\n    - 2\nmethods:\n  class_methods:\n    - make\ncategory: network\n',
  )
  const json = inLanguage(named, 'json')
  expect(JSON.parse(json.text)).toEqual({ ...tenant, name: 'Customer', category: 'network' })
  expect(withText(json, json.text).definition).toEqual(named.definition)
})

test('while the text cannot be read, the definition stays', () => {
  const begun = draftOf(tenant, 'json')
  const broken = withText(begun, '{"name": ')
  expect(broken).toMatchObject({
    definition: tenant,
    text: '{"name": ',
    mistake: expect.stringMatching(/JSON/),
  })
  expect(withText(begun, '[]')).toMatchObject({ definition: tenant, mistake: null })
  expect(withText(broken, begun.text)).toEqual({ ...begun, mistake: undefined })
})
