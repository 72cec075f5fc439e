import { expect, test } from 'vitest'
import { readDefinitions } from './read-definitions.ts'

test('a file holds a definition, a list of them, or several documents', () => {
  const { definitions, mistakes } = readDefinitions([
    { name: 'port.json', text: '{"name": "Port"}' },
    { name: 'two.json', text: '[{"name": "A"}, {"name": "B"}]' },
    { name: 'more.yaml', text: 'name: C\n---\n- name: D\n- name: E\n' },
  ])
  expect(mistakes).toEqual([])
  expect(definitions.map(({ file, definition }) => [file, definition.name])).toEqual([
    ['port.json', 'Port'],
    ['two.json', 'A'],
    ['two.json', 'B'],
    ['more.yaml', 'C'],
    ['more.yaml', 'D'],
    ['more.yaml', 'E'],
  ])
})

test('a file that cannot be read is named, and the others are read', () => {
  const { definitions, mistakes } = readDefinitions([
    { name: 'broken.json', text: '{"name": ' },
    { name: 'broken.yaml', text: 'a: [1' },
    { name: 'text.yaml', text: 'only words' },
    { name: 'empty.yml', text: '' },
    { name: 'port.yml', text: 'name: Port' },
  ])
  expect(definitions).toEqual([{ file: 'port.yml', definition: { name: 'Port' } }])
  expect(mistakes).toEqual([
    { file: 'broken.json', message: expect.stringMatching(/JSON/) },
    { file: 'broken.yaml', message: expect.stringMatching(/line 1/) },
    { file: 'text.yaml', message: undefined },
    { file: 'empty.yml', message: undefined },
  ])
})
